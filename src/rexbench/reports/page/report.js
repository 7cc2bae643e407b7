"use strict";
(() => {
  const { make, put, rest, pairs, evaluation, patch, turn } = shown;

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

  const trajectory = (run) => {
    const made = put(make("div"), make("h3", "", "trajectory"));
    const [left, at] = run.left_out;
    const more = (count) => rest(count, "characters more", run.whole, "trajectory.json");
    run.turns.forEach(([who, texts], place) => {
      if (left && place === at) put(made, rest(left, "turns between", run.whole, "trajectory.json"));
      put(made, turn(who, texts, more));
    });
    return made;
  };
  const body = (run) => {
    const made = make("div", "body");
    const facts = pairs(run.facts);
    for (const [kind, evidence] of run.flags) put(facts, make("dt", "no", "flag: " + kind), make("dd", "", evidence));
    put(made, facts, ...run.evaluations.map((found) => evaluation(found, run.whole)), patch(run));
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
