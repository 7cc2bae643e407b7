"use strict";
// One run in full, and two of them beside each other.
(() => {
  const { page, get, address, number, money, span, copier, keys, live } = viewer;
  const { make, put, parts, pairs, evaluation, patch, diff, turn } = shown;

  const cell = (kind, text) => make("td", kind, text);
  const side = (body, left, right) => put(body, put(make("tr"), cell("at", left ? left[0] : ""), cell(left ? left[2] : "gap", left ? left[1] : ""), cell("at", right ? right[0] : ""), cell(right ? right[2] : "gap", right ? right[1] : "")));
  // What is taken out at the left, what is put in at the right; lines that follow each other stand beside each other.
  const hunks = (lines) => {
    const body = make("tbody");
    let [old, fresh, inside, out, into] = [0, 0, false, [], []];
    const flush = () => {
      for (let at = 0; at < Math.max(out.length, into.length); at += 1) side(body, out[at], into[at]);
      [out, into] = [[], []];
    };
    for (const text of lines) {
      const head = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)/.exec(text);
      if (head) {
        flush();
        [old, fresh, inside] = [Number(head[1]), Number(head[2]), true];
        const row = cell("hunk", text);
        row.colSpan = 4;
        put(body, put(make("tr"), row));
      } else if (inside && text[0] === "-") out.push([old++, text.slice(1), "del"]);
      else if (inside && text[0] === "+") into.push([fresh++, text.slice(1), "add"]);
      else if (inside && text[0] === " ") {
        flush();
        side(body, [old++, text.slice(1), ""], [fresh++, text.slice(1), ""]);
      }
    }
    flush();
    const columns = put(make("colgroup"), make("col"), make("col"), make("col"), make("col"));
    return put(make("table", "sides"), columns, body);
  };
  const files = (text) => {
    const made = make("div");
    const lines = text.replace(/\n$/, "").split("\n");
    const starts = lines.flatMap((line, at) => (line.startsWith("diff --git ") ? [at] : []));
    if (!starts.length) return diff(text);
    starts.forEach((start, at) => {
      const own = lines.slice(start, starts[at + 1]);
      const count = (sign) => own.filter((line) => line[0] === sign && !/^(---|\+\+\+) /.test(line)).length;
      const fold = make("details", "file");
      const name = own[0].replace(/^diff --git a\/(.*) b\/.*$/, "$1");
      put(fold, put(make("summary"), make("b", "", name), make("small", "", ` +${count("+")} −${count("-")}`)));
      fold.addEventListener("toggle", () => {
        if (!fold.open || fold.children.length > 1) return;
        const box = put(make("div", "wide"), hunks(own));
        box.tabIndex = 0;
        box.setAttribute("role", "region");
        box.setAttribute("aria-label", "Changes to " + name);
        put(fold, own.some((line) => line.startsWith("@@")) ? box : make("pre", "", own.join("\n")));
      });
      fold.open = lines.length < 3000;
      put(made, fold);
    });
    return made;
  };

  const BLOCK = 20;
  const used = ({ number: which, after, took, tokens: [input, output, cached], usd, spent }) => {
    const told = ["turn " + number(which)];
    if (after !== null) told.push("at " + span(after));
    if (took) told.push("took " + span(took));
    if (input !== null || output !== null) told.push(`${number(input ?? 0)} tokens in${cached ? ` (${number(cached)} cached)` : ""}, ${number(output ?? 0)} out`);
    if (usd !== null) told.push(`$${usd.toFixed(4)}, so far $${spent.toFixed(3)}`);
    return told.join(" · ");
  };
  // Turns come in blocks: one that comes near is fetched, one that is far away is let go and keeps its height.
  const trajectory = (path, run, linked) => {
    const made = put(make("section", "trajectory"), make("h2", "", "Trajectory"));
    if (run.untold) return put(made, put(make("p", "note", run.untold + " "), raw(run.whole + "/trajectory.json", "trajectory.json")));
    if (!run.turns) return put(made, make("p", "note", run.is_gold ? "Gold hands in what is in the vault." : "There is none."));
    const fetched = (from, to) => get(`/api/turns/${path}?attempt=${run.attempt}&from=${from}&to=${to}`);
    const one = (told) => {
      const more = (left) => {
        const button = make("button", "", "… " + number(left) + " characters more: show all");
        button.type = "button";
        button.addEventListener("click", async () => { box.replaceWith(one((await fetched(told.number - 1, told.number))[0])); });
        return button;
      };
      const box = turn(told.who, told.texts, more, used(told));
      if (linked) {
        box.id = "turn-" + told.number;
        const link = make("a", "here", "#");
        link.href = "#" + box.id;
        link.setAttribute("aria-label", "Link to turn " + told.number);
        box.querySelector("b").append(" ", link);
      }
      return box;
    };
    const blocks = [];
    const load = (block) => {
      block.loading ??= fetched(block.from, block.to).then((turns) => {
        block.replaceChildren(...turns.map(one));
        block.style.minHeight = "";
      }, () => { block.loading = null; });
      return block.loading;
    };
    const release = (block) => {
      if (!block.loading || block.contains(document.activeElement) || block.querySelector("details[open]")) return;
      block.style.minHeight = block.offsetHeight + "px";
      block.replaceChildren();
      block.loading = null;
    };
    const near = new IntersectionObserver((seen) => { for (const { target, isIntersecting } of seen) (isIntersecting ? load : release)(target); }, { rootMargin: "1500px 0px" });
    const turns = make("div", "turns");
    for (let from = 0; from < run.turns; from += BLOCK) {
      const block = make("div", "block");
      Object.assign(block, { from, to: Math.min(run.turns, from + BLOCK), loading: null });
      block.style.minHeight = (block.to - from) * 120 + "px";
      near.observe(block);
      blocks.push(block);
      put(turns, block);
    }
    const go = async (which) => {
      const at = Math.min(blocks.length - 1, Math.max(0, Math.floor((which - 1) / BLOCK)));
      blocks[at].scrollIntoView();
      await Promise.all(blocks.slice(Math.max(0, at - 1), at + 2).map(load));
      const target = blocks[at].children[(which - 1) % BLOCK];
      target?.scrollIntoView();
      target?.classList.add("target");
    };
    const jump = make("form", "filters jump");
    const field = make("input");
    Object.assign(field, { type: "number", min: 1, max: run.turns, value: 1 });
    put(jump, put(make("label", "", "turn "), field), make("span", "", "of " + number(run.turns)), put(make("button", "", "Go")), raw(run.whole + "/trajectory.json", "the file"));
    jump.addEventListener("submit", (event) => { event.preventDefault(); go(Number(field.value)); });
    if (linked) {
      keys.g = () => { field.scrollIntoView({ block: "center" }); field.focus(); };
      const move = (by) => {
        const tops = [...turns.querySelectorAll(".turn")].map((each) => [each.getBoundingClientRect().top, each]);
        const next = by > 0 ? tops.find(([top]) => top > 61) : tops.filter(([top]) => top < 59).pop();
        next?.[1].scrollIntoView();
      };
      Object.assign(keys, { j: () => move(1), k: () => move(-1) });
      const follow = () => { const found = /^#turn-(\d+)$/.exec(location.hash); if (found) go(Number(found[1])); };
      addEventListener("hashchange", follow);
      setTimeout(follow);
    }
    return put(made, jump, turns);
  };

  const raw = (path, label) => {
    const link = make("a", "", label);
    link.href = path;
    return link;
  };
  const within = (box) => {
    const made = make("nav", "within");
    made.setAttribute("aria-label", "Parts");
    for (const title of box.querySelectorAll("h2")) {
      title.id = title.textContent.toLowerCase().replaceAll(" ", "-");
      put(made, raw("#" + title.id, title.textContent));
    }
    return made;
  };
  const titled = (title, ...children) => put(make("section"), make("h2", "", title), ...children);
  const show = (box, campaign, name, run, linked) => {
    const path = address(campaign, name);
    const head = put(make("p", "verdict"), make("span", "o o-" + run.outcome.replace(" ", "_"), run.outcome), run.detail);
    const facts = pairs([...(run.usd === null ? [] : [["cost", "$" + run.usd.toFixed(4)]]), ...(run.seconds === null ? [] : [["time", span(run.seconds)]]), ...run.facts]);
    for (const [kind, evidence] of run.flags) put(facts, make("dt", "no", "flag: " + kind), make("dd", "", evidence));
    for (const fault of run.faults) put(facts, make("dt", "no", "fault of the system"), make("dd", "", fault));
    const where = put(make("p", "path"), make("code", "", run.folder), " ", copier("Copy path", run.folder), " ", copier("Copy link", location.origin + "/run/" + path));
    box.replaceChildren(head, where, put(make("div", "body"), facts));
    const curve = linked && document.getElementById("curve");
    if (curve) put(box, curve);
    if (run.claim.length) put(box, titled("Claim and result", pairs(run.claim)));
    if (run.evaluations.length) put(box, titled("Evaluations", ...run.evaluations.map((found) => evaluation(found, run.whole))));
    if (run.attempt) {
      const wide = !matchMedia("(max-width: 760px)").matches && linked;
      const changes = patch(run, wide ? files : diff);
      changes.firstChild.replaceWith(make("h2", "", "Patch"));
      if (run.patch) put(changes, raw(run.whole + "/patch.diff", "the file"));
      put(box, changes, trajectory(path, run, linked));
    }
    if (linked) where.after(within(box));
  };
  const load = async (box, campaign, name, linked) => {
    try {
      show(box, campaign, name, await get("/api/run/" + address(campaign, name)), linked);
    } catch (error) {
      box.replaceChildren(make("p", "callout warning", error.message));
    }
  };

  if (page.page === "run") {
    const box = document.getElementById("run");
    const unfinished = ["waiting", "running", "not judged", "fault"];
    let told = "";
    live(async () => {
      if (told && !unfinished.includes(JSON.parse(told).outcome)) return;
      const run = await get("/api/run/" + address(page.campaign, page.run));
      if (JSON.stringify(run) === told) return;
      told = JSON.stringify(run);
      show(box, page.campaign, page.run, run, true);
    });
  }

  if (page.page === "beside") {
    const pair = document.querySelector("div.pair");
    const form = document.getElementById("pair");
    const named = new URLSearchParams(location.search).getAll("run").slice(0, 2);
    const split = (name) => [name.slice(0, name.indexOf("/")), name.slice(name.indexOf("/") + 1)];
    const column = (title) => put(make("div", "whole"), make("h2", "", title));
    if (named.length === 2) {
      form.hidden = true;
      pair.replaceChildren(...named.map((name) => {
        const [campaign, run] = split(name);
        const box = make("div");
        load(box, campaign, run, false);
        return put(put(make("div", "whole"), put(make("h2"), raw("/run/" + address(campaign, run), name))), box);
      }));
    } else {
      const selects = [...form.querySelectorAll("select")];
      const asked = new URLSearchParams(location.search);
      const side = async (who, task, hints) => {
        const [campaign, agent] = split(who);
        const { runs } = await get(`/api/runs/${address(campaign)}?since=-1`);
        const own = runs.filter(([id]) => { const parts = id.split("/"); return parts[0] === agent && parts[1] === task && (!hints || parts[2] === hints); });
        const solved = own.filter(([, outcome]) => outcome === "success").length;
        const made = put(column(who), make("p", "note", own.length ? solved + " of " + own.length + " runs succeed" : "no runs"));
        for (const [id, outcome, score, usd] of own) {
          const fold = make("details", "run");
          const told = [id.split("/").slice(2).join(" · "), score === null ? "" : "score " + score.toFixed(2), usd === null ? "" : money(usd)].filter(Boolean).join(" · ");
          const box = make("div", "body");
          fold.addEventListener("toggle", () => { if (fold.open && !box.children.length) load(box, campaign, id, false); });
          put(made, put(fold, put(make("summary"), make("span", "o o-" + outcome.replace(" ", "_"), outcome), " " + told), box));
        }
        return made;
      };
      const lay = async () => {
        const want = Object.fromEntries(selects.map(({ dataset, value }) => [dataset.key, value]));
        history.replaceState(null, "", "?" + new URLSearchParams(want));
        pair.replaceChildren(...await Promise.all([want.first, want.second].map((who) => side(who, want.task, want.hints))));
      };
      const second = selects.find(({ dataset }) => dataset.key === "second");
      if (second.options.length > 1) second.selectedIndex = 1;
      for (const select of selects) if (asked.has(select.dataset.key)) select.value = asked.get(select.dataset.key);
      form.addEventListener("input", lay);
      form.addEventListener("submit", (event) => event.preventDefault());
      lay();
    }
  }
})();
