"use strict";
// What every page of the viewer has: asking the server, keys, copying, where a campaign stands.
const viewer = (() => {
  const { make, put } = shown;
  const page = document.body.dataset;

  const ask = async (path, signal) => {
    const answer = await fetch(path, { signal });
    if (!answer.ok) throw new Error(await answer.text());
    return answer;
  };
  const get = async (path) => (await ask(path)).json();
  const address = (...parts) => parts.map((part) => part.split("/").map(encodeURIComponent).join("/")).join("/");

  // Asks again a second after each answer, and not at all while nobody looks.
  const live = async (look) => {
    const lost = put(make("p", "callout warning"), "The viewer does not answer; what is shown is what it last said.");
    lost.setAttribute("role", "alert");
    for (;;) {
      try {
        if (!document.hidden) await look();
        lost.remove();
      } catch (error) {
        if (!lost.isConnected) document.getElementById("main").prepend(lost);
      }
      await new Promise((wake) => setTimeout(wake, 1000));
    }
  };

  const number = (value) => value.toLocaleString("en");
  const money = (value) => "$" + value.toFixed(value < 10 ? 2 : 0);
  const span = (seconds) => {
    if (seconds < 99.5) return (seconds < 9.95 && seconds % 1 ? seconds.toFixed(1) : Math.round(seconds)) + " s";
    return seconds < 5940 ? Math.round(seconds / 60) + " min" : (seconds / 3600).toFixed(1) + " h";
  };

  const drawn = (tag, values) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(values)) made.setAttribute(name, value);
    return made;
  };
  const bar = (outcomes, total, done) => {
    const chart = drawn("svg", { class: "fig bar", viewBox: `0 0 ${Math.max(1, total)} 1`, preserveAspectRatio: "none", role: "img", "aria-label": `${done} of ${total} runs have a verdict` });
    let x = 0;
    for (const [name, count] of outcomes) {
      const part = drawn("rect", { class: "o-" + name.replace(" ", "_"), x, width: count, height: 1 });
      put(chart, put(part, put(drawn("title", {}), `${name}: ${count}`)));
      x += count;
    }
    return chart;
  };
  const ORDER = ["success", "below_gold", "wrong_result", "broken_base", "bad_artifact", "execution_failed", "timeout", "patch_rejected", "empty_patch", "damaged", "fault", "not judged", "running", "waiting"];
  const standing = (told) => {
    const outcomes = ORDER.filter((name) => told.outcomes[name]).map((name) => [name, told.outcomes[name]]);
    const facts = [["runs", number(told.done) + " of " + number(told.total) + " have a verdict"]];
    facts.push(["state", told.live ? "running" : told.done === told.total ? "complete" : "not running"]);
    const cost = money(told.usd) + (told.unpriced ? " and " + told.unpriced + " runs of unknown cost" : "");
    const more = told.done === told.total ? "" : told.expected === null ? ", expected: not known yet" : ", expected " + money(told.expected);
    facts.push(["cost", cost + more + (told.budget ? ", budget " + money(told.budget) : "")]);
    if (told.live) facts.push(["under way", told.running.length + ", queued " + told.queued]);
    if (told.held_back) facts.push(["held back", told.held_back + " runs, since the budget is used up"]);
    if (told.faults.length) facts.push(["faults", told.faults.length + " of the system"]);
    const legend = make("p", "legend");
    for (const [name, count] of outcomes) put(legend, put(make("span"), put(drawn("svg", { class: "fig", viewBox: "0 0 1 1", "aria-hidden": "true" }), drawn("rect", { class: "o-" + name.replace(" ", "_"), width: 1, height: 1 })), name + " " + number(count)), " ");
    return [bar(outcomes, told.total, told.done), legend, shown.pairs(facts)];
  };

  const copy = async (button) => {
    const before = button.textContent;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
    } catch (error) {
      prompt("Copy:", button.dataset.copy);
    }
    setTimeout(() => { button.textContent = before; }, 1500);
  };
  const copier = (label, text) => {
    const button = make("button", "copy", label);
    button.type = "button";
    button.dataset.copy = text;
    return button;
  };
  document.addEventListener("click", (event) => { if (event.target.matches("button[data-copy]")) copy(event.target); });

  const help = document.getElementById("help");
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  // A page adds its own keys.
  const keys = {
    "/": () => document.querySelector("input[type=search]")?.focus(),
    "?": () => help.showModal(),
    u: () => document.getElementById("up")?.click(),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });

  if (page.page === "home") {
    live(async () => {
      for (const told of await get("/api/campaigns")) {
        const card = [...document.querySelectorAll(".card")].find(({ dataset }) => dataset.campaign === told.name);
        const state = JSON.stringify(told);
        if (card && card.told !== state) card.querySelector(".standing").replaceChildren(...standing(told));
        if (card) card.told = state;
      }
    });
  }
  return { page, ask, get, address, live, number, money, span, standing, copier, keys };
})();
