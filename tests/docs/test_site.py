"""The documentation site: it is built, has every page, shows what the plain files show, and refuses links that lead nowhere."""

import re
from pathlib import Path

import pytest
import yaml
from markdown_it import MarkdownIt
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort

import rexbench
from tests.docs.pages import PAGES, ROOT

OF_DOCS = [page.removeprefix("docs/") for page in PAGES if page.startswith("docs/")]
ON_SITE = {f"docs/{name}": name.replace(".md", ".html") for name in OF_DOCS} | {
    name: f"project/{name.lower().replace('.md', '.html')}" for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")
}
"""Markdown files and the pages of the site that they become."""
SETTINGS = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")


def test_every_page_is_in_the_navigation() -> None:
    named = re.findall(r": (\S+\.md)$", SETTINGS, flags=re.MULTILINE)
    assert not set(OF_DOCS) - set(named), "missing from nav in mkdocs.yml"


@pytest.mark.parametrize("name", [name for name in ON_SITE if name != "docs/reference.md"])
def test_the_site_shows_the_parts_that_a_plain_view_shows(name: str, site: Path) -> None:
    plain = MarkdownIt("commonmark").enable("table").render((ROOT / name).read_text(encoding="utf-8"))
    shown = re.search(r"<article.*</article>", (site / ON_SITE[name]).read_text(encoding="utf-8"), flags=re.DOTALL)
    assert shown
    kinds = ("h1", "h2", "h3", "li", "pre", "table", "tr", "strong", "em")
    assert {kind: shown[0].count(f"<{kind}>") + shown[0].count(f"<{kind} ") for kind in kinds} == {
        kind: plain.count(f"<{kind}>") + plain.count(f"<{kind} ") for kind in kinds
    }


def test_the_reference_describes_everything_that_is_offered(site: Path) -> None:
    page = (site / "reference.html").read_text(encoding="utf-8")
    assert not [name for name in rexbench.__all__ if f'id="rexbench.{name}"' not in page and f"rexbench.{name}</code>" not in page]
    assert "Home, tasks, records, sandbox, environments" in page


def test_a_file_outside_of_docs_that_a_page_links_to_is_on_the_site(site: Path) -> None:
    assert 'href="project/src/rexbench/gateway/admission.toml.html"' in (site / "agents.html").read_text(encoding="utf-8")
    assert "admission.toml</h1>" in re.sub(
        r"<a class=.headerlink.*?</a>", "", (site / "project/src/rexbench/gateway/admission.toml.html").read_text(encoding="utf-8")
    )


def test_the_page_about_citing_says_what_the_citation_file_says() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["preferred-citation"]
    page = " ".join((ROOT / "docs" / "cite.md").read_text(encoding="utf-8").split())
    authors = " and ".join(f"{one['family-names']}, {one['given-names']}" for one in cited["authors"])
    assert not [told for told in (cited["title"], authors, cited["journal"], str(cited["year"]), cited["url"]) if told not in page]


def small_site(folder: Path, text: str) -> Path:
    """A repository with a page of this text, files beside docs/ and our settings without the navigation; the folder of its site."""
    (folder / "scripts").mkdir()
    (folder / "scripts" / "site_pages.py").write_bytes((ROOT / "scripts" / "site_pages.py").read_bytes())
    (folder / "mkdocs.yml").write_text(SETTINGS.partition("\nnav:")[0], encoding="utf-8")
    (folder / "docs" / "assets").mkdir(parents=True)
    (folder / "docs" / "index.md").write_text(f"# Page\n\n{text}\n", encoding="utf-8")
    (folder / "OTHER.md").write_text("# Other\n\n## There\n\n[back](docs/index.md#page), [on](part/MORE.toml)\n", encoding="utf-8")
    (folder / "part").mkdir()
    (folder / "part" / "MORE.toml").write_text("more = true\n", encoding="utf-8")
    build(load_config(str(folder / "mkdocs.yml")))
    return folder / "build" / "site"


def test_links_lead_out_of_docs_and_on_and_back(tmp_path: Path) -> None:
    built = small_site(tmp_path, "[other](../OTHER.md#there), [itself](#page)")
    assert 'href="project/other.html#there"' in (built / "index.html").read_text(encoding="utf-8")
    other = (built / "project" / "other.html").read_text(encoding="utf-8")
    assert 'href="../index.html#page"' in other and 'href="part/MORE.toml.html"' in other
    assert "true" in (built / "project" / "part" / "MORE.toml.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "link", ["nowhere.md", "#nowhere", "../NOWHERE.md", "../OTHER.md#nowhere", "../part", "../../etc/passwd", "/index.md"]
)
def test_a_link_that_leads_nowhere_stops_the_build(link: str, tmp_path: Path) -> None:
    with pytest.raises(Abort):
        small_site(tmp_path, f"[lost]({link})")
