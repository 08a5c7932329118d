// #/r/ID: the values, the environment and the failures of one run.
"use strict";
(function (p) {
  const { el, format: f } = p;

  p.page("r", {
    title: (route) => "Run " + f.hash(route.path[0]),
    async render(main, route) {
      const id = route.path[0] || "";
      const doc = await p.load("runs");
      const fits = (doc.list || []).filter((r) => r.id.startsWith(id));
      if (!id || fits.length !== 1) {
        p.clear(main, el("h1", null, "Run"), p.empty(fits.length > 1 ? f.count(fits.length, "run") + " begin with " + id + "." : "This site has no run " + (id ? f.hash(id) : "without an id") + ".", "perftrack list runs"),
          el("p", null, el("a", { href: p.href("runs") }, "All runs")));
        return;
      }
      const row = fits[0];
      const run = row.values ? await p.load("r/" + row.id) : null;
      const key = row.trial && p.trialKeys(doc)(row.trial);
      const profiles = (doc.profiles || []).filter((q) => q.commit === row.commit && q.target === row.target);
      const before = neighbour(doc.list, row);
      p.append(main, el("h1", null, "Run ", el("code", null, f.hash(row.id))),
        el("p", { class: "lead" }, sentence(row, run)),
        el("p", null, "Commit: ", p.format.commit(row.commit), author(row), row.dirty ? el("b", { class: "undecided" }, " with uncommitted changes") : null),
        el("p", { class: "links" }, [
          key ? el("a", { href: p.href("c", key) }, "Its trial: measured side by side with the " + (row.side === "base" ? "head" : "base")) : row.trial ? el("span", { class: "muted" }, "Trial " + row.trial + " (" + (row.side || "no side") + "), not a comparison of two commits") : "Measured alone",
          before ? el("a", { href: p.href("compare", "", { base: f.hash(before.id), head: f.hash(row.id) }) }, "Compare with the previous run") : null,
          profiles.map((q) => el("a", { href: p.href("p", q.id) }, "Profile (" + [q.kind, q.suite || q.benchmark].filter(Boolean).join(", ") + ")")),
        ].flat().filter(Boolean).map((x, i) => [i ? " · " : null, x])),
        failures(run), values(run, row, route), facts(run));
    },
  });

  const author = (row) => {
    const c = p.commits[row.commit];
    return c ? el("span", { class: "muted" }, " " + [c.author, f.date(c.time)].filter(Boolean).join(", ")) : null;
  };

  function sentence(row, run) {
    const took = row.end > row.start ? " in " + duration(row.end - row.start) : "";
    const failed = run ? run.failures.length : 0;
    return "Target " + p.text(row.target || "unknown") + ": " + f.count(row.benchmarks, "benchmark") + " in " + f.count(row.rounds, "round") + ", measured " + f.time(row.start) + took +
      " on " + ((p.index.environments[row.env] || {}).label || "an unknown machine") + "; " + (failed ? f.count(failed, "benchmark") + " failed" : row.status) + ".";
  }
  const duration = (s) => (s < 90 ? f.count(s, "second") : s < 5400 ? f.count(Math.round(s / 60), "minute") : f.fixed(s / 3600, 1) + " hours");

  // neighbour returns the run before it of the same target and environment that may stand in a history.
  function neighbour(list, row) {
    return list.filter((r) => r.id !== row.id && r.values && r.target === row.target && r.env === row.env && r.commit !== row.commit && r.start < row.start && r.status === "complete" && !r.dirty && row.values)
      .sort((x, y) => y.start - x.start)[0];
  }

  function failures(run) {
    if (!run || !run.failures.length) return null;
    return el("section", null, el("h2", null, "Failed"), el("div", { class: "table" }, el("table", null, el("caption", { class: "unseen" }, "Failures"),
      el("thead", null, el("tr", null, el("th", { scope: "col" }, "Benchmark"), el("th", { scope: "col" }, "Why"))),
      el("tbody", null, run.failures.map(([what, why]) => el("tr", null, el("th", { scope: "row", dir: "auto" }, what), el("td", { dir: "auto" }, el("pre", { class: "why" }, why))))))));
  }

  function values(run, row, route) {
    if (!run || !run.values.length) {
      return p.empty(!run ? "This site has no values of this run, because it keeps only those of the newest runs." : "It has no values: its code was the same as in another run, or there was no time for a round.", run ? null : "perftrack export " + f.hash(row.id));
    }
    const all = run.values.map((v) => ({ v, b: p.index.benchmarks[v.b] }));
    const place = el("div");
    const table = p.table({
      caption: "Values", rows: all, empty: "No benchmark matches the search.",
      columns: [
        { key: "name", title: "Benchmark", sort: (x) => (x.b ? x.b.name : ""), width: "40%", render: (x) => (x.b ? [el("a", { href: p.href("b", x.b.path), dir: "auto" }, x.b.name), " ", el("span", { class: "muted", dir: "auto" }, x.b.package || x.b.suite || "")] : el("span", { class: "muted" }, "not in the index")) },
        { key: "unit", title: "Unit", sort: (x) => x.v.unit, fold: 3, width: "90px", render: (x) => x.v.unit },
        { key: "center", title: "Median", align: "right", sort: (x) => x.v.center, render: (x) => f.value(x.v.center, x.v.unit) },
        { key: "range", title: "95 % interval", align: "right", fold: 2, render: (x) => (x.v.lo === null || x.v.hi === null ? el("span", { class: "muted" }, "too few samples") : x.v.lo === x.v.hi ? el("span", { class: "muted" }, "exact") : f.range(x.v.lo, x.v.hi, x.v.unit)) },
        { key: "n", title: "Samples", align: "right", sort: (x) => x.v.n, fold: 3, width: "80px", render: (x) => String(x.v.n) },
      ],
    });
    const search = el("input", { type: "search", placeholder: "Search benchmarks (/)", "aria-label": "Search benchmarks", value: route.query.q || "", oninput: draw });
    function draw() {
      const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      if (search.value !== (p.route.query.q || "")) p.setQuery({ q: search.value || null }, { replace: true, quiet: true });
      table.update(all.filter((x) => words.every((w) => ((x.b ? x.b.package + " " + x.b.name : "") + " " + x.v.unit).toLowerCase().includes(w))));
    }
    draw();
    place.append(table);
    return el("section", null, el("h2", null, "Values"), el("div", { class: "tools" }, search), place);
  }

  function facts(run) {
    if (!run || !run.facts.length) return null;
    return el("section", null, el("h2", null, "Facts"), el("dl", { class: "numbers wide" }, run.facts.map(([k, v]) => [el("dt", null, k), el("dd", { dir: "auto" }, v)])));
  }
})(perftrack);
