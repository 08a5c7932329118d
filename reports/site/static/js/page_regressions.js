// What became slower and is, was or may be so: every step for the worse, and what to do about it.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const step = 50; // regressions shown at once

  const states = [["open", "In force"], ["accepted", "Accepted"], ["recovered", "Recovered"], ["all", "All"]];

  function count(doc, state) {
    return state === "all" ? doc.list.length : doc.list.filter((r) => r.state === state).length;
  }

  // lead says how things stand, and never calls good what nobody could see.
  function lead(doc) {
    const open = count(doc, "open");
    const of = new Set(doc.list.filter((r) => r.state === "open").map((r) => r.b)).size;
    const branch = p.index.meta.branch ? [" on ", el("bdi", null, p.index.meta.branch)] : "";
    const blind = doc.tooFew ? [" ", el("b", { class: "undecided" }, f.count(doc.tooFew, "line") + " of " + f.commas(String(doc.lines))),
      doc.tooFew === 1 ? " has" : " have", " too few runs to tell."] : " All " + f.count(doc.lines, "line") + " have enough runs to tell.";
    const now = doc.tooFew === doc.lines ? ["Nothing can be said yet", branch, "."]
      : open ? [el("b", { class: "worse" }, (of < open ? f.count(of, "benchmark") + " with " : "") + f.count(open, "regression") + " in force"), branch, "."] : ["No regression in force", branch, "."];
    return el("p", { class: "lead" }, now, blind, " A line is one unit of a benchmark in one environment; a step in it is a reason to measure both of its sides together, not a proof.");
  }

  function feeds() {
    return el("p", { class: "feeds" }, "Follow: ", el("a", { href: "feed.atom", type: "application/atom+xml" }, "Atom feed"), " · ",
      el("a", { href: "regressions.json" }, "JSON"));
  }

  const benchmark = (r) => p.index.benchmarks[r.b] || { path: "", name: "?", package: "" };
  const environment = (r) => p.index.environments[r.env];

  function range(r) {
    const date = p.commits[r.upTo] ? f.date(p.commits[r.upTo].time) : null;
    const many = r.commits ? f.count(r.commits, "commit") : "its commits are not in this repository";
    const found = r.found ? ["By ", el("code", null, r.found.slice(0, 12)), ", as a bisection found. "] : null;
    const where = r.drift ? "Little by little over " + f.count(r.drift, "run") + ", after " : r.commits === 1 ? "By " : "After ";
    return el("p", { class: "range" }, found, where,
      r.commits === 1 && !r.drift ? f.commit(r.upTo) : [f.commit(r.after), " up to ", f.commit(r.upTo)],
      el("span", { class: "muted" }, [r.commits === 1 ? null : many, date].filter(Boolean).map((t) => " · " + t)),
      r.authors && r.authors.length ? el("span", { class: "muted" }, " · ", r.authors.map((a, i) => [i ? ", " : "", el("bdi", null, a)])) : null);
  }

  function size(r) {
    const interval = r.lo === null || r.hi === null ? null : "(" + f.between(r.change, r.lo, r.hi, r.better, r.unit) + ")";
    const now = r.now === null ? null : el("span", null, el("span", { class: "muted" }, "now "), f.change(r.now, r.better, r.unit));
    return el("p", { class: "size" },
      el("b", { class: r.state === "open" ? "worse" : null }, r.change === null ? "worse" : f.change(r.change, r.better, r.unit)),
      interval ? el("span", { class: "muted" }, interval) : null, el("span", null, f.value(r.from, r.unit), " → ", f.value(r.to, r.unit)), now);
  }

  function commands(r) {
    const why = r.found ? "See why" : r.drift ? "Measure both ends together" : r.commits === 1 ? "See why" : "Find the commit";
    const rows = [r.bisect ? [why, r.bisect] : null, r.state === "open" && r.accept ? ["Accept it, with a reason", r.accept] : null].filter(Boolean);
    return rows.length ? el("dl", { class: "commands" }, rows.map(([word, command]) => [el("dt", null, word), el("dd", null, p.copy(command, "Copy: " + word))])) : null;
  }

  function card(r) {
    const b = benchmark(r);
    const env = environment(r);
    return el("article", { class: "regression " + r.state, id: "r-" + r.id },
      el("header", null, p.state(r.state), el("h2", null, el("a", { href: p.href("b", b.path) }, el("bdi", null, b.path || b.name))),
        el("span", { class: "muted" }, r.unit, env && p.index.environments.length > 1 ? [" · ", el("bdi", null, env.label)] : null)),
      size(r), range(r),
      r.state === "accepted" ? el("p", { class: "reason" }, "Accepted: ", el("q", { dir: "auto" }, r.reason || "no reason given")) : null,
      r.state === "recovered" ? el("p", { class: "reason" }, "Recovered", r.until >= 0 ? [" at ", f.commit(r.until)] : null, ".") : null,
      commands(r));
  }

  function nothing(doc, state) {
    if (doc.tooFew === doc.lines) {
      const again = p.again(p.index.meta, 30);
      return p.empty("No line has enough runs for a step to be found. " + again.does + ":", again.command);
    }
    if (state === "open") {
      return p.empty(f.count(doc.lines - doc.tooFew, "line") + " searched, and none of them is worse than before a step that nobody accepted."
        + (doc.tooFew ? " Of " + f.count(doc.tooFew, "line") + " nothing is known." : ""));
    }
    return p.empty({ accepted: "Nothing was accepted. An intended change is accepted with:", recovered: "Nothing became slower and recovered since." }[state] || "No step for the worse was found.",
      state === "accepted" ? 'perftrack accept BENCHMARK --commit REVISION --reason ""' : null);
  }

  p.page("regressions", {
    title: () => "Regressions",
    async render(main, route) {
      const doc = await p.load("regressions");
      const head = el("h1", null, "Regressions");
      if (!doc.lines) {
        p.clear(main, head, p.empty("Nothing was measured on this branch, so that nothing can be said of it.", "perftrack run"));
        return;
      }
      const wanted = states.some(([s]) => s === route.query.state) ? route.query.state : count(doc, "open") || !doc.list.length ? "open" : "all";
      const env = p.index.environments.findIndex((e) => e.id === route.query.env);
      const list = doc.list.filter((r) => (wanted === "all" || r.state === wanted) && (env < 0 || r.env === env));
      const cards = el("div", { class: "regressions" });
      const more = el("button", { type: "button", onclick: () => show() });
      function show() {
        const from = cards.children.length;
        cards.append(...list.slice(from, from + step).map(card));
        const left = list.length - cards.children.length;
        more.hidden = left <= 0;
        more.textContent = "Show " + f.count(Math.min(step, left), "more", "more") + " of " + f.commas(String(left));
      }
      show();
      p.clear(main, head, lead(doc), feeds(),
        el("div", { class: "filters" },
          p.choose("State", states.map(([s, word]) => [s, word, count(doc, s)]), wanted, (state) => p.setQuery({ state })),
          p.pick("Environment", [["", "all"], ...p.index.environments.map((e) => [e.id, e.label])].slice(0, p.index.environments.length > 1 ? undefined : 1),
            route.query.env || "", (id) => p.setQuery({ env: id }))),
        list.length ? [cards, more] : nothing(doc, wanted));
    },
  });
})(perftrack);
