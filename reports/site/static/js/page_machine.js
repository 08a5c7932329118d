// Whether a runner can be trusted, by its calibrations and trials.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const marks = { yes: ["✓", "better"], partly: ["◐", "undecided"], no: ["✕", "worse"], unknown: ["?", "muted"] };
  const answers = { yes: "yes", partly: "only in part", no: "no", unknown: "unknown" };

  const mark = (state) => {
    const [sign, tone] = marks[state] || marks.unknown;
    return el("span", { class: "mark " + tone, role: "img", "aria-label": answers[state] || "unknown" }, sign);
  };

  function verdict(trust, env) {
    return el("section", { class: "trust " + trust.state },
      el("p", { class: "answer" }, mark(trust.state), " ", el("b", null, trust.sentence)),
      el("p", { class: "muted" }, "In the environment ", el("bdi", null, env.label), ". Rules, each for the newest 10 calibrations and trials:"),
      el("ul", { class: "rules" }, trust.reasons.map((r) => el("li", null, mark(r.state), p.words(r.text)))),
      trust.command ? el("p", null, "To find out more: ", p.copy(trust.command)) : null);
  }

  function calibrations(doc, list) {
    const head = el("h2", null, "Calibrations");
    if (!list.length) {
      return [head, p.empty("No calibration was run here. It takes a few minutes and shows how small a change a check can find:", "perftrack calibrate")];
    }
    const threshold = p.index.meta.threshold;
    const targets = [...new Set(list.map((c) => c.target))];
    return [head,
      el("p", { class: "lead" }, "A calibration measures one source against itself, so every difference is noise. Pair noise is the scatter of the change between rounds. Both sides of a round share most disturbances, so it is smaller than the noise between whole runs, "
        + "which the overview shows. Detects is the smallest change that 99 of 100 checks find within " + doc.rounds + " rounds, in half of the benchmarks."),
      targets.map((target) => {
        const of = list.filter((c) => c.target === target);
        return of.length < 2 ? null : p.plot({
          label: "Pair noise and detected change" + (targets.length > 1 ? ", " + target : ""), labels: of.map((c) => f.date(c.time)), zero: true, format: f.percent,
          series: [{ name: "detects", values: of.map((c) => c.detects), tone: "c0" }, { name: "pair noise", values: of.map((c) => c.noise), tone: "c1" }, { name: "floor", values: of.map((c) => c.floor), tone: "c2" }],
          rule: { value: threshold, name: "threshold of checks" },
        });
      }),
      p.table({
        caption: "Calibrations, newest first", rows: list.slice().reverse(), columns: [
          { key: "time", title: "Measured", sort: true, render: (c) => f.time(c.time) },
          { key: "target", title: "Target", sort: true, fold: 3, render: (c) => el("bdi", null, c.target) },
          { key: "detects", title: "Detects", align: "right", sort: true, render: (c) => (c.detects === null ? "none" : f.percent(c.detects)) },
          { key: "noise", title: "Pair noise", align: "right", sort: true, render: (c) => f.percent(c.noise) },
          { key: "worst", title: "Worst", align: "right", sort: true, fold: 2, render: (c) => f.percent(c.worst) },
          { key: "floor", title: "Floor", align: "right", sort: true, fold: 2, render: (c) => (c.floor === null ? el("span", { class: "muted" }, "unknown") : f.percent(c.floor)) },
          { key: "flagged", title: "Seem to differ", align: "right", sort: true, render: (c) => [c.flagged + " of " + c.rows.length, el("small", null, c.expected.toFixed(1) + " by chance")] },
          { key: "measured", title: "Rounds", align: "right", sort: true, fold: 3 },
          { key: "load", title: "Load", align: "right", sort: true, fold: 1, render: (c) => (c.load === null ? f.dash : c.load.toFixed(2)) },
        ],
      }), worst(list.at(-1))];
  }

  // worst returns the rows of the newest calibration in which a check finds least.
  function worst(c) {
    return [el("h3", null, "Noisiest benchmarks in the newest calibration"), p.table({
      caption: "Benchmarks in the newest calibration", sort: { key: "detects", direction: "descending" }, rows: c.rows, columns: [
        { key: "name", title: "Benchmark", sort: true, render: (r) => el("bdi", null, r.name) },
        { key: "unit", title: "Unit", sort: true, fold: 3 },
        { key: "detects", title: "Detects", align: "right", sort: (r) => (r.detects === null ? Infinity : r.detects), first: "descending", render: (r) => (r.detects === null ? el("span", { class: "undecided" }, "no change") : f.percent(r.detects)) },
        { key: "noise", title: "Pair noise", align: "right", sort: true, first: "descending", fold: 3, render: (r) => f.percent(r.noise) },
        { key: "flagged", title: "Seems to differ", sort: (r) => (r.flagged ? 1 : 0), first: "descending", render: (r) => (r.flagged ? p.state("suspect", "a false alarm") : "") },
      ],
    })];
  }

  function trials(list) {
    const head = el("h2", null, "Trials");
    if (!list.length) {
      return [head, p.beside(p.index.meta, "No trial was measured here. A trial measures two commits side by side, as a pull request's check does.")];
    }
    const share = (t) => (t.rows ? t.inconclusive / t.rows : null);
    return [head, el("p", { class: "lead" }, "The share of tested rows that stayed undecided, and their pair noise: the scatter of the change between rounds."),
      list.length < 2 ? null : p.plot({
        label: "Undecided rows and pair noise", labels: list.map((t) => f.date(t.time)), zero: true, format: f.percent,
        series: [{ name: "undecided rows", values: list.map(share), tone: "c3" }, { name: "pair noise", values: list.map((t) => t.noise), tone: "c1" }],
        href: (i) => p.href("c", [list[i].key]),
      }),
      p.table({
        caption: "Trials, newest first", rows: list.slice().reverse(), rowHref: (t) => p.href("c", [t.key]), columns: [
          { key: "time", title: "Measured", sort: true, render: (t) => f.time(t.time) },
          { key: "target", title: "Target", sort: true, fold: 3, render: (t) => el("bdi", null, t.target) },
          { key: "undecided", title: "Undecided", align: "right", sort: share, first: "descending", render: (t) => f.percent(share(t)) + " of " + t.rows },
          { key: "noise", title: "Pair noise", align: "right", sort: true, render: (t) => f.percent(t.noise) },
          { key: "load", title: "Load", align: "right", sort: true, fold: 3, render: (t) => (t.load === null ? f.dash : t.load.toFixed(2)) },
        ],
      })];
  }

  // environments lists the machines over time with their differences.
  function environments(runs) {
    const all = p.index.environments;
    const times = all.map((_, e) => {
      // An import may have only the time of its commit.
      const of = runs.list.filter((r) => r.env === e).map((r) => r.start || (p.commits[r.commit] || {}).time || 0).filter((x) => x > 0).sort((a, b) => a - b);
      return { runs: of.length, first: of[0], last: of.at(-1) };
    });
    const begin = Math.min(...times.filter((t) => t.runs).map((t) => t.first));
    const span = Math.max(1, Math.max(...times.filter((t) => t.runs).map((t) => t.last)) - begin);
    const rows = all.map((e, i) => ({ e, i, t: times[i] })).filter((r) => r.t.runs);
    const common = new Map();
    for (const { e } of rows) for (const [k, v] of e.values) common.set(k + "\0" + v, (common.get(k + "\0" + v) || 0) + 1);
    const own = (e) => e.values.filter(([k, v]) => common.get(k + "\0" + v) < rows.length);
    return [el("h2", null, "Environments over time"),
      el("p", { class: "lead" }, f.count(rows.length, "environment"), rows.length > 1 ? ": numbers from different environments are never compared." : "."),
      el("div", { class: "spans" }, rows.map(({ e, i, t }) => el("div", { class: "span" },
        el("a", { href: p.href("machine", [], { env: i ? e.id : null }) }, el("bdi", null, e.label)),
        el("div", { class: "track", "aria-hidden": "true" }, el("span", { style: { left: Math.min(99, (100 * (t.first - begin)) / span) + "%", width: Math.max(0.6, (100 * (t.last - t.first)) / span) + "%" } })),
        el("span", { class: "muted" }, f.date(t.first), t.last - t.first > 86400 ? " to " + f.date(t.last) : "", ", ", f.count(t.runs, "run")),
        own(e).length ? el("p", { class: "muted own" }, own(e).map(([k, v], n) => [n ? ", " : "", k, " ", el("bdi", null, v)])) : null)))];
  }

  p.page("machine", {
    title: () => "Machine",
    async render(main, route) {
      const [doc, runs] = await Promise.all([p.load("machine"), p.load("runs")]);
      const head = el("h1", null, "Can I trust this runner?");
      const all = p.index.environments;
      if (!all.length || !doc.trust.length) {
        p.clear(main, head, p.empty("No machine has measured yet.", "perftrack calibrate"));
        return;
      }
      const chosen = Math.max(0, all.findIndex((e) => e.id === route.query.env));
      const trust = doc.trust.find((t) => t.env === chosen) || doc.trust[0];
      p.clear(main, head, verdict(trust, all[chosen]),
        el("div", { class: "filters" }, p.pick("Environment", all.map((e) => [e.id, e.label]), all[chosen].id, (id) => p.setQuery({ env: id === all[0].id ? null : id }))),
        calibrations(doc, doc.calibrations.filter((c) => c.env === chosen)),
        trials(doc.trials.filter((t) => t.env === chosen)),
        environments(runs));
    },
  });
})(perftrack);
