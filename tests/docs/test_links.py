"""Links between the pages lead somewhere: to a file that is there, and in it to a heading that is there."""

import re
from pathlib import Path

from tests.docs.pages import PAGES, ROOT

LINK = re.compile(r"\[[^\]]+\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)")


def anchors(path: Path) -> set[str]:
    """Headings as GitHub names them."""
    found = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in found}


def test_every_link_leads_to_a_file_and_a_heading_that_are_there() -> None:
    lost = []
    for page in (*PAGES, "CHANGELOG.md"):
        for name, anchor in LINK.findall((ROOT / page).read_text(encoding="utf-8")):
            target = (ROOT / page).parent / name if name else ROOT / page
            if not target.exists() or (anchor and anchor not in anchors(target)):
                lost.append(f"{page}: {name}#{anchor}")
    assert not lost


def test_every_page_is_reached_from_the_readme() -> None:
    listed = {name for name, _ in LINK.findall((ROOT / "README.md").read_text(encoding="utf-8"))}
    assert {page for page in PAGES if page.startswith("docs/")} <= listed
