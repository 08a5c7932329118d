// The page of a benchmark: its history in every unit, its steps, and a chosen point.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;
  const b = p.benchmarks;
  const xs = { commit: "Commit", date: "Date", release: "Release" };
  const ys = { absolute: "Absolute", percent: "% from first", ratio: "Ratio to baseline", log: "Log" };

  async function render(main, route) {
    p.chartsGone();
    const path = route.path.join("/");
    const found = b.find(path, p.index.benchmarks);
    if (!found.row) return p.clear(main, unknown(path, found));
    const { row } = found;
    if (found.shortened) history.replaceState(null, "", p.href("b", row.path, route.query));
    const doc = await p.load("b/" + row.id);
    if (!main.isConnected) return; // another page was requested meanwhile
    p.leave(p.chartsGone);
    const view = { row, doc, query: p.parse(location.hash).query, charts: [], lines: [], runs: null };
    p.clear(main, heading(view), doc.lines.length ? body(view) : p.empty("No run has values of this benchmark yet, or none of its runs counts in the history.", "perftrack run" + b.option("bench", row.name)));
    if (view.query.point) pinFromAddress(view);
  }

  // unknown helps with a shortened, ambiguous or mistyped address.
  function unknown(path, { several, near }) {
    const list = several || near;
    return [
      el("h1", null, several ? "Several benchmarks have this name" : "No benchmark has this name"),
      el("p", null, several ? f.count(several.length, "benchmark has", "benchmarks have") + " the name " : "This site has no benchmark with the path ", el("code", { dir: "auto" }, path || "(none)"), several ? ": which one?" : list.length ? ". Similar names:" : ". It may have been renamed, or belong to another site."),
      list.length ? el("ul", { class: "nearest" }, list.slice(0, 50).map((r) => el("li", null, el("a", { href: p.href("b", r.path), dir: "auto" }, r.path), " ", el("span", { class: "muted" }, [r.suite, r.package, r.target].filter(Boolean).join(" · "))))) : null,
      list.length > 50 ? el("p", { class: "muted" }, "And " + (list.length - 50) + " more.") : null,
      el("p", null, el("a", { href: "#/" }, "All benchmarks")),
    ];
  }

  function heading({ row }) {
    const place = [["Package", row.package], ["Suite", row.suite], ["Target", row.target]].filter(([, v]) => v);
    return el("div", { class: "bench-head" }, el("h1", { dir: "auto" }, row.name),
      el("p", { class: "lead" }, place.map(([k, v], i) => [i ? " · " : "", k + " ", el("span", { dir: "auto" }, v)])));
  }

  // body builds the controls, charts, steps and levels.
  function body(view) {
    view.at = { top: el("div"), charts: el("div"), point: el("div"), below: el("div") };
    fill(view);
    return [view.at.top, view.at.charts, view.at.below];
  }

  // choices returns the possible and the actual choices.
  function choices({ doc, query }) {
    const branches = [...new Set(doc.lines.map((l) => l.branch || ""))].sort();
    const branch = branches.includes(query.branch || "") ? query.branch || "" : branches[0];
    const here = doc.lines.filter((l) => (l.branch || "") === branch);
    const envs = [...new Set(here.map((l) => l.env))].sort((a, c) => a - c);
    const named = envs.find((e) => (p.index.environments[e] || {}).id === query.env);
    const env = query.env === "all" ? -1 : named === undefined ? envs[0] : named;
    const units = [...new Set(here.map((l) => l.unit))];
    const unit = units.includes(query.unit) ? query.unit : "";
    return { branches, branch, envs, env, units, unit, x: xs[query.x] ? query.x : "commit", y: ys[query.y] ? query.y : "absolute" };
  }

  // fill shows the choices of the address.
  function fill(view) {
    const c = (view.chosen = choices(view));
    const lines = view.doc.lines.filter((l) => (l.branch || "") === c.branch && (c.env < 0 || l.env === c.env) && (!c.unit || l.unit === c.unit));
    const name = (l) => (p.index.environments[l.env] || { label: "unknown environment" }).label;
    view.lines = lines.map((line) => ({ line, name: c.env < 0 && c.envs.length > 1 ? name(line) : "", color: c.envs.indexOf(line.env) }));
    const zoom = zoomOf(view);
    p.chartsGone();
    const units = c.units.filter((u) => !c.unit || u === c.unit);
    view.charts = units.map((unit, i) => p.chart({
      title: unit, lines: view.lines.filter((l) => l.line.unit === unit), axisLines: lines, x: c.x, y: c.y, zoom, sync: "benchmark", height: i ? 190 : 300,
      onZoom: (range) => zoomTo(view, range),
      onPoint: (l, k) => pin(view, l < 0 ? null : view.lines.filter((at) => at.line.unit === unit)[l].line, k),
    }));
    p.clear(view.at.top, lead(view), controls(view));
    p.clear(view.at.charts, view.charts, view.at.point);
    p.clear(view.at.point);
    p.clear(view.at.below, b.steps(view.lines, (step, line) => zoomAround(view, step, line)), b.levels(view.lines), elsewhere(view));
  }

  // lead describes the state of the benchmark in one sentence, by its first unit.
  function lead({ lines, chosen, doc }) {
    const [first] = lines;
    const row = first && { line: first.line, step: first.line.steps[first.line.steps.length - 1] };
    if (!row) return el("p", null, "Nothing was measured here.");
    const worse = lines.filter((l) => l.line.steps.some((s) => s.state === "regressed"));
    const state = worse.length ? p.state("regressed", "worse, unresolved") : row.step ? p.state(row.step.state, p.chartWords.states[row.step.state]) : first.line.outliers.some((o) => o.open) ? p.state("inconclusive", "newest far off its level") : !first.line.enough ? p.state("too-few") : p.state("steady", "no step found");
    const last = first.line.value.length - 1;
    return el("p", { class: "bench-lead" }, state, " ", el("b", null, f.value(first.line.value[last], first.line.unit)), " at ", f.commit(first.line.commit[last], { short: true }),
      ", ", f.count(new Set(lines.flatMap((l) => l.line.run)).size, "run"), " of ", f.count(new Set(lines.flatMap((l) => l.line.commit)).size, "commit"), chosen.branch ? [" on branch ", el("b", { dir: "auto" }, chosen.branch), ", which is not this site's branch"] : null,
      worse.length > 1 || (worse.length && worse[0] !== first) ? ", worse in " + worse.map((l) => l.line.unit).filter((u, i, all) => all.indexOf(u) === i).join(", ") : "", doc.lines.length ? "." : "");
  }

  function controls(view) {
    const c = view.chosen;
    const set = (changes) => {
      p.setQuery(changes, { replace: true, quiet: true });
      view.query = p.route.query;
      fill(view);
      refocus(view, Object.keys(changes)[0]);
    };
    const pick = (key, label, options, value) => options.length < 2 ? null : el("label", { class: "pick" }, el("span", null, label),
      el("select", { "data-key": key, onchange: (e) => set({ [key]: e.target.value || null, point: key === "env" || key === "branch" ? null : p.route.query.point }) },
        options.map(([v, text]) => el("option", { value: v, selected: v === value }, text))));
    const buttons = (key, label, options, value, usual) => el("div", { class: "pick", role: "group", "aria-label": label }, el("span", { "aria-hidden": "true" }, label),
      el("span", { class: "segments" }, Object.entries(options).map(([v, text]) => el("button", { type: "button", "data-key": key + v, "aria-pressed": String(v === value), onclick: () => mode(view, key, v === usual ? null : v, v) }, text))));
    const label = (e) => (p.index.environments[e] || { label: "unknown" }).label;
    const id = (e) => (p.index.environments[e] || { id: String(e) }).id;
    return el("div", { class: "controls" },
      pick("env", "Environment", [...c.envs.map((e) => [id(e), label(e)]), ...(c.envs.length > 1 ? [["all", "all " + c.envs.length + ", each as its own line"]] : [])], c.env < 0 ? "all" : id(c.env)),
      pick("unit", "Unit", [["", "all"], ...c.units.map((u) => [u, u])].slice(c.units.length > 1 ? 0 : 1), c.unit),
      pick("branch", "Branch", c.branches.map((name) => [name, name || (p.index.meta.branch || "main line")]), c.branch),
      buttons("x", "x", xs, c.x, "commit"), buttons("y", "y", ys, c.y, "absolute"),
      el("div", { class: "pick", role: "group", "aria-label": "Zoom" }, el("span", { "aria-hidden": "true" }, "Zoom"), el("span", { class: "segments" },
        [["‹", "Older", 1, -0.5], ["−", "Zoom out", 0.5, 0], ["All", "Show all", 0, 0], ["+", "Zoom in", 2, 0], ["›", "Newer", 1, 0.5]].map(([sign, words, factor, move]) =>
          el("button", { type: "button", "aria-label": words, title: words, onclick: () => (factor ? view.charts[0] && view.charts[0].step(factor, move) : zoomTo(view, null)) }, sign)))));
  }

  function refocus(view, key) {
    const again = [...view.at.top.querySelectorAll("[data-key]")].find((n) => n.dataset.key === key);
    if (again) again.focus({ preventScroll: true });
  }

  // mode changes an axis without rebuilding the page.
  function mode(view, key, value, shown) {
    p.setQuery({ [key]: value }, { replace: true, quiet: true });
    view.query = p.route.query;
    view.chosen[key] = shown;
    for (const chart of view.charts) chart.set({ [key]: shown });
    for (const button of view.at.top.querySelectorAll("[data-key^='" + key + "']")) if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(button.dataset.key === key + shown));
  }

  // zoomOf returns the range in the address, one end of which may be open.
  function zoomOf({ query, doc }) {
    if (!query.from && !query.to) return null;
    const used = doc.lines.flatMap((l) => l.commit).filter((c) => c >= 0);
    const from = query.from ? b.commit(query.from, p.commits) : used.reduce((x, y) => Math.min(x, y), Infinity);
    const to = query.to ? b.commit(query.to, p.commits) : used.reduce((x, y) => Math.max(x, y), -1);
    return from >= 0 && to >= 0 && used.length ? [from, to] : null;
  }

  function zoomTo(view, range) {
    const [from, to] = range ? range.map((i) => b.commitName(i, p.commits)) : [null, null];
    p.setQuery({ from, to }, { replace: true, quiet: true });
    view.query = p.route.query;
    for (const chart of view.charts) chart.set({ zoom: range });
  }

  // zoomAround shows a step with some runs on both sides.
  function zoomAround(view, step, line) {
    const at = (i) => line.commit[Math.min(Math.max(i, 0), line.commit.length - 1)];
    const around = Math.max(10, step.first - step.last + step.drift);
    zoomTo(view, [at(step.last - around), at(step.first + around)]);
    const chart = view.charts.find((node) => node.dataset.unit === line.unit);
    if (chart) {
      chart.scrollIntoView({ block: "center" });
      chart.querySelector(".chart-plot").focus({ preventScroll: true });
    }
  }

  // pin shows a point and puts it into the address; without a line it clears the choice. base is the point
  // to compare with, -1 for no point.
  function pin(view, line, i, base = -1) {
    const name = line ? b.commitName(line.commit[i], p.commits) : null;
    p.setQuery({ point: name, base: base < 0 ? null : view.query.base }, { replace: true, quiet: true });
    view.query = p.route.query;
    for (const chart of view.charts) {
      const own = view.lines.filter((l) => l.line.unit === chart.dataset.unit);
      const l = line ? own.findIndex((at) => at.line.env === line.env) : -1;
      const same = (i) => {
        const k = l < 0 || i < 0 ? -1 : own[l].line === line ? i : b.sameRun(own[l].line, line, i);
        return k < 0 ? null : { l, i: k };
      };
      chart.set({ point: same(i), base: same(base) });
    }
    const close = () => pin(view, null, -1);
    if (!line) return p.clear(view.at.point);
    view.charts.find((chart) => chart.dataset.unit === line.unit).after(view.at.point); // near the choice
    const show = () => p.clear(view.at.point, b.point(view.row, view.doc.lines, line, i, view.runs, close, base));
    show();
    if (view.runs) return;
    p.load("runs").then((runs) => {
      view.runs = runs;
      if (view.query.point === name && view.at.point.isConnected) show();
    }, () => {}); // only the links to runs are missing then
  }

  function pinFromAddress(view) {
    const commit = b.commit(view.query.point, p.commits), base = b.commit(view.query.base, p.commits);
    for (const { line } of view.lines) {
      const i = line.commit.lastIndexOf(commit);
      if (commit >= 0 && i >= 0) return pin(view, line, i, base < 0 ? -1 : line.commit.lastIndexOf(base));
    }
    p.clear(view.at.point, el("p", { class: "muted" }, "The address names a point at ", el("code", null, view.query.point), ", which was not measured here."));
  }

  // elsewhere lists the parts of the benchmark outside the charts.
  function elsewhere({ chosen, doc, row }) {
    const others = chosen.branches.filter((name) => name !== chosen.branch);
    const family = row.name.split("/")[0];
    const stem = (r) => r.name.replace(/(\/[^/=]+=)[^/]*/g, "$1*");
    const of = [row.target, row.package, row.suite].filter(Boolean).join(" ");
    const like = p.index.benchmarks.filter((r) => r !== row && r.package === row.package && r.target === row.target && r.suite === row.suite && (stem(r) === stem(row) || r.name.split("/")[0] === family && !stem(row).includes("*")));
    return [
      others.length ? [el("h2", null, "Other branches"), el("p", null, "Unpaired, and never joined to this line: ", others.map((name, i) => [i ? ", " : "",
        el("a", { href: p.href("b", row.path, { branch: name }), dir: "auto" }, name || p.index.meta.branch || "the main line"), " (" + f.count(new Set(doc.lines.filter((l) => (l.branch || "") === name).flatMap((l) => l.run)).size, "run") + ")"]), ".")] : null,
      like.length ? [el("h2", null, stem(row) === row.name ? "Beside it" : "Same benchmark, other parameters"),
        stem(row) === row.name ? null : el("p", null, el("a", { href: p.href("family", "", { of, stem: stem(row) }) }, "All in one chart")), el("ul", { class: "nearest" }, like.slice(0, 40).map((r) => el("li", null, el("a", { href: p.href("b", r.path), dir: "auto" }, r.name))))] : null,
    ];
  }

  p.page("b", { title: (route) => p.text(route.path.join("/").slice(0, 120)) || "Benchmark", render });
})(perftrack);
