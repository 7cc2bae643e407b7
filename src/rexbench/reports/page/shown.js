"use strict";
// How a run is shown, in the one-file report and in the viewer alike.
const shown = (() => {
  // Everything from a run is set as text; no string of a run is ever parsed as markup.
  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const put = (parent, ...children) => { parent.append(...children); return parent; };
  // What may have to be scrolled can be reached by keyboard.
  const scroller = (made) => { made.tabIndex = 0; return made; };

  // A text is whole, or a part with the number of characters left out.
  const parts = (shown) => (typeof shown === "string" ? [shown, 0] : shown);
  const rest = (count, what, whole, file) => {
    const link = make("a", "", file.split("/").pop() + " in the campaign's folder");
    link.href = whole + "/" + file;
    return put(make("p", "note", "… " + count.toLocaleString("en") + " " + what + ": "), link);
  };
  const folded = (kind, shown, more) => {
    const [text, left] = parts(shown);
    const box = make("div", "text " + kind);
    if (text.length <= 400 && text.split("\n").length <= 8) {
      put(box, make("pre", "", text));
    } else {
      const lines = text.split("\n");
      const fold = make("details");
      const size = lines.length > 1 ? lines.length.toLocaleString("en") + " lines" : text.length.toLocaleString("en") + " characters";
      put(fold, put(make("summary"), make("span", "begin", lines.find((line) => line.trim()) || ""), make("small", "", size)), scroller(make("pre", "", text)));
      put(box, fold);
    }
    if (left) put(box, more(left));
    return box;
  };
  const diff = (patch) => {
    const shown = scroller(make("pre", "diff"));
    for (const line of patch.replace(/\n$/, "").split("\n")) {
      const kind = /^(diff |index |--- |\+\+\+ )/.test(line) ? "file" : line[0] === "+" ? "add" : line[0] === "-" ? "del" : line[0] === "@" ? "hunk" : "";
      put(shown, make("span", kind, line + "\n"));
    }
    return shown;
  };
  const metrics = (rows) => {
    const table = make("table");
    const head = make("tr");
    for (const name of ["metric", "value", "gold", "accepted", "place", "verdict"]) put(head, make("th", "", name));
    put(table, put(make("thead"), head));
    const body = make("tbody");
    for (const [name, value, gold, interval, verdict, place] of rows) {
      const gauge = make("td");
      if (place !== null) {
        const mark = make("i");
        mark.style.left = place + "%";
        put(gauge, put(make("span", "gauge"), mark));
      }
      const row = make("tr");
      for (const text of [name, value, gold, interval]) put(row, make("td", "", text));
      put(body, put(row, gauge, make("td", verdict === "accepted" ? "" : "no", verdict)));
    }
    return put(scroller(make("div", "wide")), put(table, body));
  };
  const pairs = (rows) => {
    const list = make("dl");
    for (const [name, text] of rows) put(list, make("dt", "", name), make("dd", "", text));
    return list;
  };
  const evaluation = (found, whole) => {
    const made = make("div");
    put(made, make("h3", "", found.head));
    if (found.detail) put(made, make("p", "", found.detail));
    if (found.metrics.length) put(made, metrics(found.metrics));
    if (found.figure.length) put(made, pairs(found.figure));
    if (found.complaints.length) put(made, put(make("ul"), ...found.complaints.map((text) => make("li", "", text))));
    if (found.landmarks.length) put(made, make("p", "note", "landmarks: " + found.landmarks.map(([name, yes]) => name + (yes ? " reached" : " missed")).join(", ")));
    const [log, left] = parts(found.log);
    if (log) put(made, make("h3", "", left ? "end of the logs" : "logs"), scroller(make("pre", "", log)));
    if (left) put(made, ...["stdout.log", "stderr.log"].map((name) => rest(left, "characters before", whole, "../" + found.logs + "/" + name)));
    return made;
  };
  const patch = (run, draw = diff) => {
    const made = put(make("div"), make("h3", "", "patch"));
    if (run.patch === null) return put(made, make("p", "note", "left out of this page"));
    const [text, left] = parts(run.patch);
    put(made, text ? draw(text) : make("p", "note", "empty"));
    return left ? put(made, rest(left, "characters more", run.whole, "patch.diff")) : made;
  };
  // `more` makes what leads to the characters that are left out; `told` stands beside who it is.
  const turn = (who, texts, more, told = "") => {
    const made = put(make("div", "turn" + (who === "agent" ? " agent" : "")), make("b", "", told ? who + " · " + told : who));
    return put(made, ...texts.map(([kind, text]) => folded(kind, text, more)));
  };

  return { make, put, parts, rest, diff, pairs, evaluation, patch, turn };
})();
