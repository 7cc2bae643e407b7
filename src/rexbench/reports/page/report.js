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
  const detail = async (run) => (await bundle(run.dataset.b))[Number(run.dataset.p)];

  // A text is whole, or a part with the number of characters left out.
  const parts = (shown) => (typeof shown === "string" ? [shown, 0] : shown);
  const rest = (count, what, whole, file) => {
    const link = make("a", "", file + " in the campaign's folder");
    link.href = whole + "/" + file;
    return put(make("p", "note", "… " + count.toLocaleString("en") + " " + what + ": "), link);
  };
  const folded = (kind, shown, whole) => {
    const [text, left] = parts(shown);
    const box = make("div", "text " + kind);
    if (text.length <= 400 && text.split("\n").length <= 8) {
      put(box, make("pre", "", text));
    } else {
      const lines = text.split("\n");
      const fold = make("details");
      const size = lines.length > 1 ? lines.length.toLocaleString("en") + " lines" : text.length.toLocaleString("en") + " characters";
      put(fold, put(make("summary"), make("span", "begin", lines.find((line) => line.trim()) || ""), make("small", "", size)), make("pre", "", text));
      put(box, fold);
    }
    if (left) put(box, rest(left, "characters more", whole, "trajectory.json"));
    return box;
  };
  const diff = (patch) => {
    const shown = make("pre", "diff");
    for (const line of patch.replace(/\n$/, "").split("\n")) {
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
  const pairs = (rows) => {
    const list = make("dl");
    for (const [name, text] of rows) put(list, make("dt", "", name), make("dd", "", text));
    return list;
  };
  const evaluation = (found) => {
    const made = make("div");
    put(made, make("h3", "", found.head));
    if (found.detail) put(made, make("p", "", found.detail));
    if (found.metrics.length) put(made, metrics(found.metrics));
    if (found.figure.length) put(made, pairs(found.figure));
    if (found.complaints.length) put(made, put(make("ul"), ...found.complaints.map((text) => make("li", "", text))));
    if (found.landmarks.length) put(made, make("p", "note", "landmarks: " + found.landmarks.map(([name, yes]) => name + (yes ? " reached" : " missed")).join(", ")));
    const [log] = parts(found.log);
    if (log) put(made, make("h3", "", "end of the logs"), make("pre", "", log));
    return made;
  };
  const patch = (run) => {
    const made = put(make("div"), make("h3", "", "patch"));
    if (run.patch === null) return put(made, make("p", "note", "left out of this page"));
    const [text, left] = parts(run.patch);
    put(made, text ? diff(text) : make("p", "note", "empty"));
    return left ? put(made, rest(left, "characters more", run.whole, "patch.diff")) : made;
  };
  const trajectory = (run) => {
    const made = put(make("div"), make("h3", "", "trajectory"));
    const [left, at] = run.left_out;
    run.turns.forEach(([who, texts], place) => {
      if (left && place === at) put(made, rest(left, "turns between", run.whole, "trajectory.json"));
      const turn = put(make("div", "turn" + (who === "agent" ? " agent" : "")), make("b", "", who));
      put(made, put(turn, ...texts.map(([kind, text]) => folded(kind, text, run.whole))));
    });
    return made;
  };
  const body = (run) => {
    const made = make("div", "body");
    const facts = pairs(run.facts);
    for (const [kind, evidence] of run.flags) put(facts, make("dt", "no", "flag: " + kind), make("dd", "", evidence));
    put(made, facts, ...run.evaluations.map(evaluation), patch(run));
    return run.turns.length ? put(made, trajectory(run)) : made;
  };
  const open = async (run) => {
    if (!run.open || run.dataset.done) return;
    run.dataset.done = "1";
    try {
      put(run, body(await detail(run)));
    } catch (error) {
      put(run, make("p", "note", "This browser cannot unpack the details of runs: " + error.message));
    }
  };
  document.addEventListener("toggle", (event) => { if (event.target.classList.contains("run")) open(event.target); }, true);

  const runs = [...document.querySelectorAll("#list .run")];
  const filters = document.getElementById("filters");
  const selects = [...filters.querySelectorAll("select")];
  const search = filters.querySelector("input");
  const texts = new Map();
  const load = async () => {
    for (const run of runs) {
      if (!texts.has(run)) texts.set(run, (run.textContent + " " + (run.dataset.flags || "") + "\n" + words(await detail(run))).toLowerCase());
    }
  };
  const words = (value) => (Array.isArray(value) ? value.map(words).join("\n") : value && typeof value === "object" ? words(Object.values(value)) : String(value ?? ""));
  const chosen = (run, { value, dataset }) => {
    const own = run.dataset[dataset.key] || "";
    return value === "" || (dataset.key === "flags" ? own !== "" && (value === "*" || own.split(" ").includes(value)) : own === value);
  };
  const filter = async () => {
    const wanted = search.value.trim().toLowerCase();
    if (wanted) await load();
    if (wanted !== search.value.trim().toLowerCase()) return; // typed on while details were unpacked
    let count = 0;
    for (const run of runs) {
      run.hidden = !selects.every((select) => chosen(run, select)) || (wanted !== "" && !texts.get(run).includes(wanted));
      if (!run.hidden) count += 1;
    }
    document.getElementById("shown").textContent = count === runs.length ? count + " runs" : count + " of " + runs.length + " runs";
  };
  filters.addEventListener("input", filter);

  const pair = document.getElementById("pair");
  const side = (agent, task, hints) => {
    const found = runs.filter(({ dataset }) => dataset.agent === agent && dataset.task === task && (hints === "" || dataset.hints === hints));
    const solved = found.filter(({ dataset }) => dataset.outcome === "success").length;
    const made = put(make("div"), make("h3", "", agent), make("p", "note", found.length ? solved + " of " + found.length + " runs succeed" : "no runs"));
    for (const run of found) {
      const copy = make("details", "run");
      Object.assign(copy.dataset, { b: run.dataset.b, p: run.dataset.p });
      put(made, put(copy, run.querySelector("summary").cloneNode(true)));
      copy.querySelector(".who").remove();
    }
    return made;
  };
  const lay = () => {
    const { task, hints, first, second } = Object.fromEntries([...pair.querySelectorAll("select")].map(({ dataset, value }) => [dataset.key, value]));
    document.querySelector("div.pair").replaceChildren(side(first, task, hints), side(second, task, hints));
  };
  const second = pair.querySelector("select[data-key=second]");
  if (second.options.length > 1 && second.selectedIndex === 0) second.selectedIndex = 1;
  pair.addEventListener("input", lay);
  lay();

  for (const form of [filters, pair]) form.addEventListener("submit", (event) => event.preventDefault());
  for (const link of document.querySelectorAll(".fig a")) {
    link.addEventListener("click", () => {
      for (const select of selects) select.value = link.dataset[select.dataset.key] || "";
      search.value = "";
      filter();
    });
  }
  const unfold = (open) => { for (const more of document.querySelectorAll("details.more")) more.open = open; };
  addEventListener("beforeprint", () => unfold(true));
  addEventListener("afterprint", () => unfold(false));
  if (search.value || selects.some((select) => select.value !== "")) filter();
})();
