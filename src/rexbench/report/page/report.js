"use strict";
(() => {
  // Everything from a run is set as text; no string of a run is ever parsed as markup.
  const make = (tag, className, text) => {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const put = (parent, ...children) => { parent.append(...children); return parent; };

  const bundles = new Map();
  const unpack = async (id) => {
    const text = document.getElementById("bundle-" + id).textContent;
    const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const bundle = (id) => {
    if (!bundles.has(id)) bundles.set(id, unpack(id));
    return bundles.get(id);
  };

  const diff = (patch) => {
    const shown = make("pre", "diff");
    for (const line of patch.split("\n")) {
      const kind = /^(diff |index |--- |\+\+\+ )/.test(line) ? "file" : line[0] === "+" ? "add" : line[0] === "-" ? "del" : line[0] === "@" ? "hunk" : "";
      put(shown, make("span", kind, line + "\n"));
    }
    return shown;
  };
  const metrics = (rows) => {
    const table = make("table");
    const head = make("tr");
    for (const name of ["metric", "value", "gold", "accepted", "", ""]) put(head, make("th", "", name));
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
    return put(make("div", "wide"), put(table, body));
  };
  const body = (run) => {
    const made = make("div", "body");
    const facts = make("dl");
    for (const [name, text] of run.facts) put(facts, make("dt", "", name), make("dd", "", text));
    for (const [kind, evidence] of run.flags) put(facts, make("dt", "no", "flag: " + kind), make("dd", "", evidence));
    put(made, facts);
    for (const found of run.evaluations) {
      put(made, make("h3", "", found.head));
      if (found.detail) put(made, make("p", "", found.detail));
      if (found.metrics.length) put(made, metrics(found.metrics));
      if (found.landmarks.length) put(made, make("p", "note", "landmarks: " + found.landmarks.map(([name, yes]) => name + (yes ? " reached" : " missed")).join(", ")));
      if (found.log) put(made, make("h3", "", "end of the logs"), make("pre", "", found.log));
    }
    put(made, make("h3", "", run.patch_cut ? "patch (its beginning)" : "patch"), run.patch ? diff(run.patch) : make("p", "note", "empty"));
    if (run.steps.length) {
      put(made, make("h3", "", "trajectory, shortened"));
      for (const [who, text] of run.steps) put(made, put(make("div", "step" + (who === "agent" ? " agent" : "")), make("b", "", who), text));
    }
    return made;
  };
  const open = async (entry) => {
    if (!entry.open || entry.dataset.done) return;
    entry.dataset.done = "1";
    try {
      put(entry, body((await bundle(entry.dataset.b))[Number(entry.dataset.p)]));
    } catch (error) {
      put(entry, make("p", "note", "This browser cannot unpack the details of runs: " + error.message));
    }
  };
  document.addEventListener("toggle", (event) => { if (event.target.classList.contains("run")) open(event.target); }, true);

  const runs = [...document.querySelectorAll(".run")];
  const selects = [...document.querySelectorAll(".filters select")];
  const fits = (run) => selects.every(({ value, dataset }) => value === "" || (value === "!" ? "f" in run.dataset : run.dataset[dataset.key] === value));
  const filter = () => {
    let count = 0;
    for (const run of runs) {
      run.hidden = !fits(run);
      if (!run.hidden) count += 1;
    }
    document.getElementById("shown").textContent = count === runs.length ? count + " runs" : count + " of " + runs.length + " runs";
  };
  for (const select of selects) select.addEventListener("change", filter);
  document.querySelector(".filters").addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll(".heat a")) {
    link.addEventListener("click", () => {
      const wanted = { a: link.dataset.agent, t: link.dataset.task, h: link.dataset.hint, o: "" };
      for (const select of selects) select.value = wanted[select.dataset.key];
      filter();
    });
  }
  const unfold = (open) => { for (const folded of document.querySelectorAll("details.more")) folded.open = open; };
  addEventListener("beforeprint", () => unfold(true));
  addEventListener("afterprint", () => unfold(false));
  if (selects.some((select) => select.value !== "")) filter();
})();
