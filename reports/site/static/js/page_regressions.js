// Every step for the worse, unresolved or not, with the next command.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const step = 50; // cards shown at once

  const states = [["open", "Unresolved"], ["accepted", "Accepted"], ["recovered", "Recovered"], ["all", "All"]];

  function count(doc, state) {
    return state === "all" ? doc.list.length : doc.list.filter((r) => r.state === state).length;
  }

  // lead describes the state, and never calls an unknown state good.
  function lead(doc) {
    const open = count(doc, "open");
    const of = new Set(doc.list.filter((r) => r.state === "open").map((r) => r.b)).size;
    const branch = p.index.meta.branch ? [" on ", el("bdi", null, p.index.meta.branch)] : "";
    const blind = doc.tooFew ? [" ", el("b", { class: "undecided" }, f.count(doc.tooFew, "line") + " of " + f.commas(String(doc.lines))),
      doc.tooFew === 1 ? " has" : " have", " too few runs to tell."] : " All " + f.count(doc.lines, "line") + " have enough runs to tell.";
    const now = doc.tooFew === doc.lines ? ["Unknown so far", branch, "."]
      : open ? [el("b", { class: "worse" }, (of < open ? f.count(of, "benchmark") + " with " : "") + f.count(open, "unresolved regression")), branch, "."] : ["No unresolved regression", branch, "."];
    return el("p", { class: "lead" }, now, blind, " A line is one unit of a benchmark in one environment. A step is a reason to measure both of its sides together, not a proof.");
  }

  function feeds() {
    return el("p", { class: "feeds" }, "Follow: ", el("a", { href: "feed.atom", type: "application/atom+xml" }, "Atom feed"), " · ",
      el("a", { href: "regressions.json" }, "JSON"));
  }

  const environment = (r) => p.index.environments[r.env];

  function range(r) {
    const date = p.commits[r.upTo] ? f.date(p.commits[r.upTo].time) : null;
    const many = r.commits ? f.count(r.commits, "commit") : "its commits are not in this repository";
    const found = r.found ? ["A bisection found the cause, ", el("code", null, r.found.slice(0, 12)), ". "] : null;
    const where = r.drift ? "Gradually over " + f.count(r.drift, "run") + ", after " : r.commits === 1 ? "By " : "After ";
    return el("p", { class: "range" }, found, where,
      r.commits === 1 && !r.drift ? f.commit(r.upTo) : [f.commit(r.after), " up to ", f.commit(r.upTo)],
      el("span", { class: "muted" }, [r.commits === 1 ? null : many, date].filter(Boolean).map((t) => " · " + t)),
      r.authors && r.authors.length ? el("span", { class: "muted" }, " · ", r.authors.map((a, i) => [i ? ", " : "", el("bdi", null, a)])) : null);
  }

  // commands find or explain the worst of a card, and accept each.
  function commands(rows) {
    const [r] = rows;
    const why = r.found ? "See why" : r.drift ? "Measure both ends together" : r.commits === 1 ? "See why" : "Find the commit";
    const accept = r.state === "open" ? [...new Set(rows.map((x) => x.accept).filter(Boolean))] : [];
    const first = [r.bisect ? [why, r.bisect] : null, accept.length ? ["Accept it, with a reason", accept[0]] : null].filter(Boolean);
    const dl = (list) => el("dl", { class: "commands" }, list.map(([word, command]) => [el("dt", null, word), el("dd", null, p.copy(command, "Copy: " + word))]));
    return [first.length ? dl(first) : null,
      accept.length > 1 ? el("details", null, el("summary", null, "Accept the others"), dl(accept.slice(1).map((c, i) => [String(i + 2), c]))) : null];
  }

  // card shows the benchmarks that changed between the same commits.
  function card(rows) {
    const [r] = rows;
    const env = environment(r);
    const n = p.changes.benchmarks(rows);
    const sha = p.commits[r.upTo] && (r.found || p.commits[r.upTo].sha);
    return el("article", { class: "regression " + r.state },
      el("header", null, p.state(r.state), el("h2", null, n === 1 ? el("bdi", null, p.changes.benchmark(r).path || p.changes.benchmark(r).name) : f.count(n, "benchmark")),
        env && p.index.environments.length > 1 ? el("span", { class: "muted" }, el("bdi", null, env.label)) : null),
      range(r), p.changes.list(rows),
      r.state === "recovered" ? el("p", { class: "reason" }, "Recovered", r.until >= 0 ? [" at ", f.commit(r.until)] : null, ".") : null,
      [...new Set(rows.filter((x) => x.state === "accepted").map((x) => x.reason || "no reason given"))].map((why) => el("p", { class: "reason" }, "Accepted: ", el("q", { dir: "auto" }, why))),
      sha ? el("p", null, el("a", { href: p.href("commit", f.hash(sha)) }, "All changes at this commit")) : null,
      commands(rows));
  }

  function nothing(doc, state) {
    if (doc.tooFew === doc.lines) {
      const again = p.again(p.index.meta, 30);
      return p.empty("No line has enough runs to find a step. " + again.does + ":", again.command);
    }
    if (state === "open") {
      return p.empty(f.count(doc.lines - doc.tooFew, "line") + " searched: there is no unresolved regression."
        + (doc.tooFew ? " Unknown for " + f.count(doc.tooFew, "line") + "." : ""));
    }
    return p.empty({ accepted: "No regression was accepted. To accept an intended change:", recovered: "No regression has recovered." }[state] || "No step for the worse was found.",
      state === "accepted" ? 'perftrack ci accept BENCHMARK --commit REVISION --reason ""' : null);
  }

  p.page("regressions", {
    title: () => "Regressions",
    async render(main, route) {
      const doc = await p.load("regressions");
      const head = el("h1", null, "Regressions");
      if (!doc.lines) {
        p.clear(main, head, p.empty("This branch has no measurements.", "perftrack run"));
        return;
      }
      const wanted = states.some(([s]) => s === route.query.state) ? route.query.state : count(doc, "open") || !doc.list.length ? "open" : "all";
      const env = p.index.environments.findIndex((e) => e.id === route.query.env);
      const list = doc.list.filter((r) => (wanted === "all" || r.state === wanted) && (env < 0 || r.env === env));
      const groups = p.changes.groups(list, route.query.sort);
      const cards = el("div", { class: "regressions" });
      const more = el("button", { type: "button", onclick: () => show() });
      function show() {
        const from = cards.children.length;
        cards.append(...groups.slice(from, from + step).map(card));
        const left = groups.length - cards.children.length;
        more.hidden = left <= 0;
        more.textContent = "Show " + f.count(Math.min(step, left), "more", "more") + " of " + f.commas(String(left));
      }
      show();
      p.clear(main, head, lead(doc), feeds(),
        el("div", { class: "filters" },
          p.choose("State", states.map(([s, word]) => [s, word, count(doc, s)]), wanted, (state) => p.setQuery({ state })),
          p.pick("Order", [["", "largest first"], ["date", "newest first"]], route.query.sort === "date" ? "date" : "", (sort) => p.setQuery({ sort: sort || null })),
          p.pick("Environment", [["", "all"], ...p.index.environments.map((e) => [e.id, e.label])].slice(0, p.index.environments.length > 1 ? undefined : 1),
            route.query.env || "", (id) => p.setQuery({ env: id }))),
        list.length ? [cards, more] : nothing(doc, wanted));
    },
  });
})(perftrack);
