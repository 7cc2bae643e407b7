// The theme wraps a wide table in a box that scrolls; whoever has only a keyboard must be able to reach it.
function reachTables() {
  for (const box of document.querySelectorAll(".md-typeset__scrollwrap"))
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
}
new MutationObserver(reachTables).observe(document.body, { childList: true, subtree: true });
addEventListener("resize", reachTables);
