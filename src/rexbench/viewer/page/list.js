"use strict";
// The runs of a campaign: all lines in memory, and of them only those in the document that are in sight.
(() => {
  const { page, ask, get, address, live, number, money, span, standing, keys } = viewer;
  const { make, put } = shown;
  if (page.page !== "campaign") return;

  const list = document.getElementById("list");
  const fields = [...document.querySelectorAll("#filters [data-key]")];
  const narrow = matchMedia("(max-width: 760px)");
  const runs = new Map();
  let chosen = [];
  let scored = new Set();
  let changes = -1;
  let holding = null; // runs that hold what is searched for; null where names alone are searched

  const take = ([id, outcome, score, usd, seconds, turns, flags, written], place) => {
    const [agent, task, hints, repetition] = id.split("/");
    const text = (id + " " + outcome + " " + flags).toLowerCase();
    return { id, agent, task, hints, repetition, outcome, score, usd, seconds, turns, flags: flags ? flags.split(" ") : [], written, place, text };
  };

  const ORDERS = { new: (run) => run.written, usd: (run) => run.usd ?? -1, seconds: (run) => run.seconds ?? -1, score: (run) => run.score ?? -Infinity };
  const filter = () => {
    const want = Object.fromEntries(fields.map(({ dataset, value }) => [dataset.key, value.trim()]));
    const words = want.in ? [] : want.q.toLowerCase().split(/\s+/).filter(Boolean);
    chosen = [];
    for (const run of runs.values()) {
      if ((want.agent && run.agent !== want.agent) || (want.task && run.task !== want.task) || (want.hints && run.hints !== want.hints)) continue;
      if (want.outcome && run.outcome !== want.outcome) continue;
      if (want.tier && scored.has(run.task) !== (want.tier === "scored")) continue;
      if (want.flag && !(want.flag === "*" ? run.flags.length : run.flags.includes(want.flag))) continue;
      if (holding && !holding.has(run.id)) continue;
      if (words.every((word) => run.text.includes(word))) chosen.push(run);
    }
    const rank = ORDERS[want.order];
    if (rank) chosen.sort((a, b) => { const [x, y] = [rank(a), rank(b)]; return x < y ? 1 : x > y ? -1 : a.place - b.place; });
    document.getElementById("shown").textContent = chosen.length === runs.size ? number(runs.size) + " runs" : number(chosen.length) + " of " + number(runs.size) + " runs";
    draw();
  };

  const rows = new Map();
  const line = (run, at, height) => {
    const link = make("a", "line");
    link.href = "/run/" + address(page.campaign, run.id);
    const state = make("span", "o o-" + run.outcome.replace(" ", "_"), run.outcome);
    const cells = [run.task, run.agent, run.hints, run.repetition, run.score === null ? "" : run.score.toFixed(2), run.usd === null ? "" : money(run.usd), run.seconds === null ? "" : span(run.seconds), run.turns ?? "", run.flags.length ? "⚑ " + run.flags.join(" ") : ""];
    put(link, state, ...cells.map((text, place) => make("span", "c" + place, text)));
    const row = put(make("li"), link);
    row.style.top = at * height + "px";
    row.setAttribute("aria-setsize", chosen.length);
    row.setAttribute("aria-posinset", at + 1);
    row.run = run;
    row.at = at;
    return row;
  };
  const draw = () => {
    const height = narrow.matches ? 64 : 34;
    list.style.height = chosen.length * height + "px";
    const above = -list.getBoundingClientRect().top;
    const first = Math.max(0, Math.floor(above / height) - 10);
    const last = Math.min(chosen.length, Math.max(10, Math.ceil((above + innerHeight) / height) + 10));
    for (const [id, row] of rows) {
      const stays = row.at >= first && row.at < last && chosen[row.at] === row.run && row.height === height;
      if (!stays) {
        row.remove();
        rows.delete(id);
      }
    }
    for (let at = first; at < last; at += 1) {
      const run = chosen[at];
      if (rows.has(run.id)) continue;
      const row = line(run, at, height);
      row.height = height;
      const next = [...list.children].find((other) => other.at > at);
      list.insertBefore(row, next || null);
      rows.set(run.id, row);
    }
  };
  let asked = false;
  const soon = () => {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; draw(); });
  };
  addEventListener("scroll", soon, { passive: true });
  addEventListener("resize", soon);

  const step = (by) => {
    const focused = document.activeElement.closest?.("#list li");
    const at = Math.min(chosen.length - 1, Math.max(0, focused ? focused.at + by : 0));
    if (!chosen.length) return;
    const height = narrow.matches ? 64 : 34;
    const top = list.getBoundingClientRect().top + at * height;
    if (top < 130 || top > innerHeight - 2 * height) scrollBy(0, top - innerHeight / 2);
    draw();
    rows.get(chosen[at].id)?.querySelector("a").focus({ preventScroll: true });
  };
  keys.j = () => step(1);
  keys.k = () => step(-1);
  list.addEventListener("keydown", (event) => {
    const by = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -Infinity, End: Infinity }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    step(by);
  });

  // The filters stand in the address, so that a view can be kept and is there again on the way back.
  const remember = () => {
    const kept = new URLSearchParams(fields.filter(({ value }) => value).map(({ dataset, value }) => [dataset.key, value]));
    history.replaceState(null, "", kept.size ? "?" + kept : location.pathname);
  };
  let searching = null;
  const search = async () => {
    searching?.abort();
    searching = new AbortController();
    const { q, in: where } = Object.fromEntries(fields.map(({ dataset, value }) => [dataset.key, value.trim()]));
    holding = where && q ? new Set() : null;
    filter();
    if (!holding) return;
    const own = holding;
    try {
      const answer = await ask(`/api/search/${address(page.campaign)}?q=${encodeURIComponent(q)}`, searching.signal);
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      let rest = "";
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        const lines = (rest + part.value).split("\n");
        rest = lines.pop();
        for (const id of lines) own.add(id);
        if (holding === own) filter();
      }
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  };
  document.getElementById("filters").addEventListener("input", ({ target }) => {
    remember();
    if (["q", "in"].includes(target.dataset.key)) search();
    else filter();
  });
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  const flags = fields.find(({ dataset }) => dataset.key === "flag");
  const offer = (kinds) => {
    for (const kind of kinds) if (![...flags.options].some(({ value }) => value === kind)) put(flags, new Option(kind));
  };

  // The drawing is the server's own, in which every text is escaped; nothing else is ever set as markup.
  const figures = async () => {
    document.getElementById("figures").innerHTML = await (await ask("/api/figures/" + address(page.campaign))).text();
    linked();
  };
  const linked = () => {
    for (const link of document.querySelectorAll("#figures .fig a")) {
      link.addEventListener("click", () => {
        for (const field of fields) field.value = link.dataset[field.dataset.key] || "";
        remember();
        search();
      });
    }
  };
  const under = (told) => {
    const box = document.getElementById("running");
    if (box.hidden) box.open = told.running.length <= 10;
    box.hidden = !told.running.length;
    box.querySelector("summary").textContent = "Under way: " + told.running.length;
    const table = put(make("table"), put(make("thead"), put(make("tr"), ...["step", "where", "waits for"].map((name) => make("th", "", name)))));
    const body = make("tbody");
    for (const row of told.running.slice(0, 500)) put(body, put(make("tr"), ...row.map((text) => make("td", "", text))));
    box.querySelector("div").replaceChildren(put(table, body));
    const faults = document.getElementById("faults");
    faults.hidden = !told.faults.length;
    faults.querySelector("summary").textContent = "Faults: " + told.faults.length;
    faults.querySelector("ul").replaceChildren(...told.faults.slice(0, 500).map(([run, kind, attempt, fault, where]) => {
      const link = make("a", "", run);
      link.href = "/run/" + address(page.campaign, run);
      return put(make("li"), link, ` ${kind}, attempt ${attempt}${where ? " on " + where : ""}: ${fault}`);
    }));
  };

  linked();
  let told = "";
  const asked_for = new URLSearchParams(location.search);
  live(async () => {
    const first = changes === -1;
    const news = await get(`/api/runs/${address(page.campaign)}?since=${changes}`);
    changes = news.changes;
    scored = new Set(news.scored);
    const kinds = new Set();
    for (const row of news.runs) {
      const run = take(row, runs.get(row[0])?.place ?? runs.size);
      run.flags.forEach((kind) => kinds.add(kind));
      runs.set(run.id, run);
    }
    offer([...kinds].sort());
    if (first) {
      for (const field of fields) if (asked_for.has(field.dataset.key)) field.value = asked_for.get(field.dataset.key);
      await search();
    } else if (news.runs.length) filter();
    const state = JSON.stringify(news.standing);
    if (state !== told) {
      document.querySelector(".standing").replaceChildren(...standing(news.standing));
      under(news.standing);
      told = state;
    }
    if (news.runs.length && !first) await figures();
  });
})();
