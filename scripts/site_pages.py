"""Shows on the documentation site what its pages link to outside of docs/: a Markdown file as a page, any other file as its text.

Pages link as a plain view of the files needs it (`../CHANGELOG.md`, `../src/...`); links are rewritten on the way to the site.
A link to what is not there stays as it is, and the strict build refuses it.
"""

import posixpath
import re
from pathlib import Path, PurePosixPath

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
LINK = re.compile(r"(?<=\]\()(?![a-z]+:)(?P<target>[^)#\s]+)(?=[)#])")
ADDED = "project"
"""The folder of the site for what lies outside of docs/."""
LANGUAGES = {".cff": "yaml", ".toml": "toml", ".py": "python", ".sh": "sh"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add every file that a page links to, and those that these link to in turn."""
    waiting = [f"docs/{file.src_uri}" for file in files.documentation_pages()]
    while waiting:
        source = waiting.pop()
        for name in sorted(linked_files(source)):
            if files.get_file_from_path(place(name)) is None:
                shown = File.generated(config, place(name), content=_as_page(name), inclusion=InclusionLevel.NOT_IN_NAV)
                files.append(shown)
                waiting.append(name)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Links of a page of docs/, as the site needs them."""
    return markdown if page.file.generated_by else relink(markdown, f"docs/{page.file.src_uri}")


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """The theme's search is a dialog without a name, which a screen reader has to have."""
    return output.replace('role="dialog"', 'role="dialog" aria-label="Search"', 1)


def place(name: str) -> str:
    """Where a file of the repository stands among the site's sources; README is written small, since it would become an index."""
    if name.startswith("docs/"):
        return name.removeprefix("docs/")
    return f"{ADDED}/{name.lower()}" if name.endswith(".md") else f"{ADDED}/{name}.md"


def linked_files(source: str) -> set[str]:
    """Files outside of docs/ that a Markdown file links to, by their names in the repository."""
    if not source.endswith(".md"):
        return set()
    text = (ROOT / source).read_text(encoding="utf-8")
    named = {_target(source, found["target"]) for found in LINK.finditer(text)}
    return {name for name in named if not name.startswith("docs/") and _is_ours(name)}


def relink(text: str, source: str) -> str:
    """A Markdown file's text with links that lead from its place on the site to those of the files it means."""

    def lead(found: re.Match[str]) -> str:
        name = _target(source, found["target"])
        return posixpath.relpath(place(name), posixpath.dirname(place(source))) if _is_ours(name) else found["target"]

    return LINK.sub(lead, text)


def _target(source: str, link: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), link))


def _is_ours(name: str) -> bool:
    return not name.startswith("..") and (ROOT / name).is_file()


def _as_page(name: str) -> str:
    text = (ROOT / name).read_text(encoding="utf-8")
    if name.endswith(".md"):
        return relink(text, name)
    language = LANGUAGES.get(PurePosixPath(name).suffix, "text")
    return f"---\nsearch: {{exclude: true}}\n---\n# {PurePosixPath(name).name}\n\n`{name}`\n\n````{language}\n{text}\n````\n"
