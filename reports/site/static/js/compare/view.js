// The page of a comparison: the sides, the summary, the rows, and the benchmarks without a verdict.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const c = p.comparison;

  // comparisonView fills main with a comparison. The query of the address has its state: show (groups),
  // sort, unit, q and open.
  p.comparisonView = function (main, d, route) {
    const rows = c.rowsOf(d);
    p.clear(main,
      el("h1", null, "Comparison"),
      lead(d),
      el("div", { class: "sides" }, side("Base", d.base, d), swap(d), side("Head", d.head, d)),
      unpaired(d), warnings(d), caveats(d),
      rows.length ? list(d, rows, route.query) : d.trial && d.tone === "good" ? null : p.empty("No benchmark was measured on both sides.", d.command),
      notJudged(d), geomeans(d), about(d));
    if (rows.length && route.query.open) {
      const opened = main.querySelector("tr.is-open");
      if (opened) opened.scrollIntoView({ block: "start" });
    }
  };

  const marks = { bad: ["✖", "worse"], good: ["=", "better"], warn: ["?", "undecided"], muted: ["=", "muted"] };

  function lead(d) {
    const [mark, tone] = d.tone === "muted" && !d.trial ? ["·", "muted"] : marks[d.tone] || marks.muted;
    const summary = d.summary.charAt(0).toUpperCase() + d.summary.slice(1);
    return el("p", { class: "summary " + tone }, el("span", { "aria-hidden": "true", class: "mark" }, mark), " ", el("b", null, summary + "."), " ",
      el("span", { class: "muted" }, d.trial && d.rules ? "Measured side by side" + (d.several ? " in " + d.trials.length + " trials, each decided separately" : "") + "; " + d.rules + "." : ""));
  }

  function side(name, s, d) {
    const commit = p.commits[s.commit];
    const runs = s.runs || [];
    const sessions = d.trial && !d.several && runs.length > 1 ? " in " + f.count(runs.length, "run") : "";
    const url = p.commitURL(s.sha);
    const hash = s.sha ? el("code", null, f.hash(s.sha)) : null;
    return el("section", { class: "side", "aria-label": name },
      el("h2", null, name, s.label && s.label !== s.sha && !(s.sha || "").startsWith(s.label) ? el("span", { class: "label", dir: "auto" }, s.label) : null),
      el("p", { class: "what" }, hash ? (url ? el("a", { href: url, rel: "noopener noreferrer" }, hash) : hash) : el("span", { class: "muted" }, "no commit"),
        commit && commit.tags ? commit.tags.map((t) => [" ", el("span", { class: "tag", dir: "auto" }, t)]) : null,
        commit && commit.subject ? [" ", el("span", { dir: "auto" }, commit.subject)] : null),
      el("p", { class: "muted" }, commit ? [commit.author ? [el("span", { dir: "auto" }, commit.author), ", "] : null, f.date(commit.time), ". "] : null,
        s.start ? ["Measured ", f.time(s.start), sessions, ". "] : null, s.dirty ? el("b", { class: "undecided" }, "With uncommitted changes. ") : null,
        runs.length ? el("a", { href: p.href("runs", "", s.sha ? { commit: f.hash(s.sha) } : {}), class: "runs" }, runs.length === 1 ? "Its run" : f.count(runs.length, "run")) : null));
  }

  // swap links the comparison of the swapped sides, which no trial decided.
  function swap(d) {
    if (!d.base.sha || !d.head.sha) return null;
    return el("a", { class: "swap", href: p.href("compare", "", { base: f.hash(d.head.sha), head: f.hash(d.base.sha) }), title: "Swap sides, or choose others", "aria-label": "Swap sides" }, "⇄");
  }

  function unpaired(d) {
    if (d.trial) return null;
    return el("div", { class: "notice" }, el("p", null, el("b", null, "Unpaired: no verdict. "), "The sides were not measured side by side, so a difference may come from the machine. ",
      d.command ? ["Measure them side by side with: ", p.copy(d.command)] : null));
  }

  // caveats stand above the rows, as they limit the verdicts.
  const caveats = (d) => (d.caveats || []).map((t) => el("p", { class: "notice quiet", dir: "auto" }, "Note: ", p.words(t)));

  const grave = new Set(["failed", "failed-in-both", "lost", "starved", "missing", "rewritten"]);

  // warnings list the benchmarks that should have a verdict, above the rows.
  function warnings(d) {
    const left = (d.notJudged || []).filter((n) => grave.has(n.kind));
    if (!left.length) return null;
    return el("p", { class: "notice" }, el("b", null, "Not everything was judged: "), left.map((n) => n.what.length + " " + words[n.kind]).join(", "), ". ",
      el("a", { href: location.hash, onclick: (e) => { e.preventDefault(); document.getElementById("not-judged").scrollIntoView(); } }, "Show the list with reasons"));
  }
  const words = { failed: "failed", lost: "lost", starved: "without a round", missing: "missing in head", rewritten: "rewritten" };

  function list(d, rows, query) {
    const units = [...new Set(rows.map((r) => r.row.unit))];
    const present = c.groups.filter((g) => rows.some((r) => r.group === g.key));
    const open = new Set((query.open || "").split(",").filter(Boolean));
    const keyOf = (r) => [r.benchmark ? r.benchmark.id : r.name, r.row.unit].join(":") + (r.row.of ? ":" + r.row.of.split(",")[0] : "");
    const node = el("div", { class: "rows" });
    const state = { show: query.show || "", sort: c.orders[query.sort] ? query.sort : "worst", unit: units.includes(query.unit) ? query.unit : "", q: query.q || "" };
    const place = el("div");
    const note = el("p", { class: "hidden-rows", role: "status" });

    function chosen() {
      if (state.show === "all") return new Set(present.map((g) => g.key));
      if (state.show) return new Set(state.show.split(","));
      return new Set(c.groups.filter((g) => g.shown).map((g) => g.key));
    }
    function change(what) {
      Object.assign(state, what);
      p.setQuery({ show: state.show || null, sort: state.sort === "worst" ? null : state.sort, unit: state.unit || null, q: state.q || null }, { replace: true, quiet: true });
      draw();
    }
    const chips = present.map((g) => {
      const n = rows.filter((r) => r.group === g.key && !r.row.with).length;
      const nested = rows.filter((r) => r.group === g.key).length - n;
      return el("button", { type: "button", class: "chip", "data-group": g.key, title: nested ? f.count(nested, "more row") + " show the same change" : null,
        onclick: () => {
          const set = chosen();
          if (state.show === "" || state.show === "all") {
            const only = set.has(g.key) && state.show === "all" ? [g.key] : set.has(g.key) ? [...set].filter((k) => k !== g.key) : [...set, g.key];
            change({ show: only.filter((k) => present.some((one) => one.key === k)).join(",") || "all" });
            return;
          }
          if (set.has(g.key)) set.delete(g.key);
          else set.add(g.key);
          change({ show: [...set].join(",") || "all" });
        } }, p.state(g.key, g.word), " ", el("b", null, f.commas(String(n))));
    });
    const all = el("button", { type: "button", class: "chip", onclick: () => change({ show: state.show === "all" ? "" : "all" }) });
    const search = el("input", { type: "search", placeholder: "Search benchmarks (/)", "aria-label": "Search benchmarks", value: state.q, oninput: () => change({ q: search.value }) });
    const select = (label, options, value, on) => {
      const s = el("select", { "aria-label": label, onchange: () => on(s.value) }, options.map(([v, text]) => el("option", { value: v, selected: v === value }, text)));
      return s;
    };

    function draw() {
      const set = chosen();
      const words_ = state.q.toLowerCase().split(/\s+/).filter(Boolean);
      const fits = rows.filter((r) => (!state.unit || r.row.unit === state.unit) && words_.every((w) => (r.package + " " + r.name + " " + r.suite + " " + r.target).toLowerCase().includes(w)));
      const shown = fits.filter((r) => set.has(r.group)).sort(c.orders[state.sort].by);
      for (const chip of chips) chip.setAttribute("aria-pressed", String(set.has(chip.dataset.group)));
      all.setAttribute("aria-pressed", String(state.show === "all"));
      all.textContent = state.show === "all" ? "only changes" : "all " + f.count(rows.length, "row");
      const hidden = fits.length - shown.length;
      const of = present.map((g) => [fits.filter((r) => r.group === g.key && !set.has(g.key)).length, g.word]).filter(([n]) => n);
      const nothing = nothingOf(d, fits, of);
      p.clear(note, !shown.length && hidden ? [el("b", null, nothing), " ", el("button", { type: "button", class: "small", onclick: () => change({ show: "all" }) }, "Show " + (hidden === 1 ? "it" : "them"))] : hidden ? [f.count(hidden, "row is", "rows are") + " hidden: " + of.map(([n, word]) => n + " " + word).join(", ") + ". ",
        el("button", { type: "button", class: "small", onclick: () => change({ show: "all" }) }, "Show all")] : fits.length < rows.length ? f.count(fits.length, "row fits", "rows fit") + " the search." : "");
      p.clear(place, !shown.length && hidden ? null : p.comparisonTable(d, shown, {
        all: rows, order: state.sort, sort: (key) => change({ sort: key }), open, keyOf, empty: nothing,
        opened: (key, yes) => {
          if (yes) open.add(key);
          else open.delete(key);
          p.setQuery({ open: [...open].join(",") || null }, { replace: true, quiet: true });
        },
      }));
    }
    const tools = el("div", { class: "tools" }, search,
      select("Sort by", Object.entries(c.orders).map(([k, o]) => [k, o.word]), state.sort, (v) => change({ sort: v })),
      units.length > 1 ? select("Unit", [["", "all units"], ...units.map((u) => [u, u])], state.unit, (v) => change({ unit: v })) : null);
    draw();
    node.append(el("h2", { id: "rows" }, "Rows"), el("div", { class: "chips", role: "group", "aria-label": "Rows shown" }, chips, all), tools, note, place);
    return node;
  }

  // nothingOf says that no shown row changed, and counts the open rows, which may have.
  function nothingOf(d, fits, of) {
    if (!fits.length) return "No row fits the search.";
    if (!d.trial) return "No difference reaches the threshold: " + of.map(([n, word]) => f.commas(String(n)) + " " + word).join(", ") + ".";
    const unknown = c.groups.filter((g) => g.open).map((g) => [fits.filter((r) => r.group === g.key).length, g.word]).filter(([n]) => n);
    const rest = of.filter(([, word]) => !unknown.some(([, other]) => other === word));
    const list = (all) => all.map(([n, word]) => f.commas(String(n)) + " " + word).join(", ");
    return (rest.length ? "No decided row changed: " + list(rest) + "." : "No row was decided.") + (unknown.length ? " Undecided: " + list(unknown) + "." : "");
  }

  function notJudged(d) {
    const all = d.notJudged || [];
    if (!all.length) return null;
    return el("section", { id: "not-judged" }, el("h2", null, "Not judged, and why"), all.map((n) =>
      el("details", { open: grave.has(n.kind) && n.what.length <= 20 }, el("summary", null, el("span", { class: grave.has(n.kind) ? "undecided" : "muted" }, n.why.charAt(0).toUpperCase() + n.why.slice(1)), " (" + n.what.length + ")"),
        el("ul", null, n.what.map((w) => el("li", { dir: "auto" }, w))))));
  }

  function geomeans(d) {
    const all = d.geomeans || [];
    if (!all.length) return null;
    const targets = new Set(all.map((g) => g.target)).size > 1;
    const units = [...new Set(all.map((g) => g.unit))];
    const rows = [];
    for (const g of all) {
      let row = rows.find((one) => one.package === g.package && one.target === g.target);
      if (!row) rows.push((row = { package: g.package, target: g.target, of: {} }));
      row.of[g.unit] = g;
    }
    const cell = (g) => (!g ? f.dash : g.change === null ? el("span", { class: "muted" }, g.rows ? "unknown: " + g.rows + " of " + g.of + " decided" : "none decided") : [f.change(g.change, g.better, g.unit), el("span", { class: "muted" }, g.rows < g.of ? " " + g.rows + " of " + g.of : " of " + g.of)]);
    return el("section", null, el("h2", null, "Geometric means"),
      el("p", { class: "muted" }, d.trial ? "Over the decided rows, with their number. Undecided rows are not included." : "Over all rows with both sides, without a verdict."),
      p.table({ caption: "Geometric means of the changes", virtual: false, rows, columns: [
        { key: "package", title: "Package", sort: true, render: (r) => [targets ? r.target + " " : null, r.package || "(none)"] },
        ...units.map((u) => ({ key: u, title: u, align: "right", sort: (r) => (r.of[u] ? r.of[u].change : null), first: "descending", render: (r) => cell(r.of[u]) })),
      ] }));
  }

  function about(d) {
    const environments = (d.envs || []).map((i) => p.index.environments[i]).filter(Boolean);
    return el("section", { class: "about" }, el("h2", null, "How it was measured"),
      (d.legend || []).map((t) => el("p", null, t.charAt(0).toUpperCase() + t.slice(1) + ".")),
      environments.length ? el("p", null, "On ", environments.map((e, i) => [i ? "; " : "", el("span", { dir: "auto" }, e.label)]), ".") : null,
      (d.trials || []).length ? el("p", { class: "muted" }, (d.trials.length > 1 ? "Trials " : "Trial "), d.trials.map((t, i) => [i ? ", " : "", el("code", null, t)]), ".") : null,
      d.command && d.trial ? el("p", null, "Measure it again: ", p.copy(d.command)) : null);
  }
})(perftrack);
