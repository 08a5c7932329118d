// #/runs: all runs, the newest first.
"use strict";
(function (p) {
  const { el, format: f } = p;

  const commitText = (r) => {
    const c = p.commits[r.commit];
    return c ? [c.sha, c.subject, c.author, (c.tags || []).join(" ")].join(" ").toLowerCase() : "";
  };

  // measured shows the time of a run; an import may have only the date of its commit.
  function measured(r) {
    if (r.start) return innerWidth < 560 ? f.date(r.start) : f.time(r.start);
    const c = p.commits[r.commit];
    return c && c.time ? el("span", { class: "muted" }, innerWidth < 560 ? "" : "commit from ", f.date(c.time)) : "unknown";
  }

  p.page("runs", {
    title: () => "Runs",
    async render(main, route) {
      const doc = await p.load("runs");
      const all = doc.list || [];
      const keyOf = p.trialKeys(doc);
      const places = new Map(all.map((r, i) => [r, i])); // the document is sorted
      if (!all.length) {
        p.clear(main, el("h1", null, "Runs"), p.empty("No run is stored yet.", "perftrack run"));
        return;
      }
      const state = { target: "", status: "", env: "", commit: "" };
      for (const k of Object.keys(state)) state[k] = route.query[k] || "";
      const place = el("div");
      const counted = el("p", { class: "muted", role: "status" });
      const targets = [...new Set(all.map((r) => r.target))].sort();
      const statuses = [...new Set(all.map((r) => r.status))].sort();
      const environments = [...new Set(all.map((r) => r.env))].filter((i) => p.index.environments[i]);
      const set = (what) => {
        Object.assign(state, what);
        p.setQuery(Object.fromEntries(Object.entries(state).map(([k, v]) => [k, v || null])), { replace: true, quiet: true });
        draw();
      };
      const select = (label, key, options) => {
        if (options.length < 2 && !state[key]) return null;
        const s = el("select", { "aria-label": label, onchange: () => set({ [key]: s.value }) }, [["", "every " + label.toLowerCase()], ...options].map(([v, text]) => el("option", { value: v, selected: v === state[key] }, text)));
        return s;
      };
      const search = el("input", { type: "search", placeholder: "Commit, subject, author (/)", "aria-label": "Search by commit", value: state.commit, oninput: () => set({ commit: search.value }) });
      const table = p.table({
        caption: "Runs", rows: all, virtual: true, rowHref: (r) => p.href("r", r.id), sort: { key: "start", direction: "descending" }, empty: "No run matches these filters.",
        columns: [
          { key: "start", title: "Measured", sort: (r) => -places.get(r), first: "descending", width: innerWidth < 560 ? "100px" : "185px", render: measured },
          { key: "target", title: "Target", sort: true, fold: 3, width: "10%", render: (r) => el("span", { dir: "auto" }, r.target) },
          { key: "commit", title: "Commit", sort: true, width: "32%", render: (r) => [p.format.commit(r.commit), r.dirty ? el("b", { class: "undecided" }, " with changes") : null] },
          { key: "status", title: "Status", sort: true, width: innerWidth < 560 ? "100px" : "110px", render: (r) => p.state({ complete: "ok" }[r.status] || r.status, r.status) },
          { key: "benchmarks", title: "Benchmarks", align: "right", sort: true, first: "descending", fold: 2, width: "110px", render: (r) => f.commas(String(r.benchmarks)) },
          { key: "rounds", title: "Rounds", align: "right", sort: true, first: "descending", fold: 2, width: "80px" },
          { key: "env", title: "Environment", sort: (r) => (p.index.environments[r.env] || {}).label, fold: 1, render: (r) => el("span", { dir: "auto" }, (p.index.environments[r.env] || { label: "unknown" }).label) },
          { key: "trial", title: "Trial", fold: 1, width: "90px", render: (r) => (r.trial ? (keyOf(r.trial) ? el("a", { href: p.href("c", keyOf(r.trial)) }, r.side || "trial") : el("span", { class: "muted", title: "Trial " + r.trial }, r.side || "trial")) : el("span", { class: "muted" }, "alone")) },
        ],
      });
      function draw() {
        const words = state.commit.toLowerCase().split(/\s+/).filter(Boolean);
        const rows = all.filter((r) => (!state.target || r.target === state.target) && (!state.status || r.status === state.status) && (!state.env || (p.index.environments[r.env] || {}).id === state.env) &&
          words.every((w) => commitText(r).includes(w) || r.id.startsWith(w)));
        counted.textContent = rows.length < all.length ? f.count(rows.length, "run") + " of " + f.commas(String(all.length)) + "." : "";
        table.update(rows);
      }
      const bad = all.filter((r) => r.status !== "complete").length;
      const newest = all.reduce((most, r) => Math.max(most, r.end || r.start), 0);
      p.append(main, el("h1", null, "Runs"),
        el("p", { class: "lead" }, f.count(all.length, "run") + " at " + f.count(new Set(all.map((r) => r.commit)).size, "commit") + (newest ? ", the newest from " + f.time(newest) : "; it is unknown when they were measured") + (bad ? "; " + bad + " partial or failed, which do not count in the history" : "") + "."),
        el("div", { class: "tools" }, search, select("Target", "target", targets.map((t) => [t, t])), select("Status", "status", statuses.map((s) => [s, s])),
          select("Environment", "env", environments.map((i) => [p.index.environments[i].id, p.index.environments[i].label]))), counted, place);
      place.append(table);
      draw();
    },
  });

  // trialKeys returns a function from trials to keys of comparisons.
  p.trialKeys = function (doc) {
    const keys = new Map();
    for (const c of doc.comparisons || []) for (const t of c.trials || []) keys.set(t, c.key);
    return (trial) => keys.get(trial);
  };
})(perftrack);
