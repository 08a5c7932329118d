// perftrack.chart draws the history of one unit: lines of several environments, never joined, over commits,
// dates or releases. uPlot has the axes, scales and cursors, paint.js draws, hand.js has the pointer and
// the keyboard.
"use strict";
(function (p) {
  const el = p.el;
  const m = p.chartMaths;
  const w = p.chartWords;
  const day = 86400;
  const live = new Set();

  // chart builds one. Options:
  //   title, lines: [{line (a Line), name, color (its number)}], commits (default those of the site)
  //   x: commit, date or release; y: absolute, percent, ratio or log
  //   zoom: [from, to] (commits) or null; point: {l, i} or null; base: another one, with which it is compared
  //   sync: charts with the same key share their cursor; height
  //   onZoom([from, to] or null), onPoint(l, i): the point that was pinned; without them it does so alone
  // The node has set(changes), which takes x, y, zoom, point and base, and says(), its text alternative.
  p.chart = function (options) {
    const state = Object.assign({ x: "commit", y: "absolute", zoom: null, point: null, base: null, height: 260, commits: p.commits, onZoom: null, onPoint: null }, options);
    state.lines = options.lines.map((l, i) => Object.assign({ name: "", color: i }, l));
    const plot = el("div", { class: "chart-plot" });
    const notes = el("p", { class: "chart-note", role: "note" });
    const legend = el("ul", { class: "chart-legend", "aria-label": "Legend" });
    const detail = el("details", { class: "chart-data" }, el("summary", null, "Table of " + p.format.count(state.lines.reduce((n, l) => n + l.line.value.length, 0), "point")));
    const node = el("figure", { class: "chart", "data-unit": state.lines[0] ? state.lines[0].line.unit : "" },
      el("figcaption", null, el("h2", null, options.title), state.lines.map((l) =>
        el("p", { class: "chart-says" }, state.lines.length > 1 ? el("b", { dir: "auto" }, l.name + ": ") : null, w.says(l.line, state.commits)))),
      legend, plot, notes, detail);
    Object.assign(state, { node, plot, notes, legend, detail, u: null, views: [], colors: null });
    node.says = () => state.lines.map((l) => w.says(l.line, state.commits)).join(" ");
    node.step = (factor, move) => p.chartHand.step(state, factor, move); // zooms in (2), out (0.5), or moves
    node.set = (changes) => change(state, changes);
    state.zoomed = (zoom) => (state.onZoom ? state.onZoom(zoom) : node.set({ zoom }));
    state.pinned = (l, i) => (state.onPoint ? state.onPoint(l, i) : node.set({ point: l < 0 ? null : { l, i } }));
    detail.addEventListener("toggle", () => detail.open && fillTable(state));
    prepare(state);
    p.chartHand.keys(state);
    live.add(state);
    settle(state);
    return node;
  };

  function change(state, changes) {
    const before = [state.x, state.y];
    Object.assign(state, changes);
    if (before[0] !== state.x || before[1] !== state.y) {
      prepare(state);
      build(state);
    } else if (state.u) scale(state);
    if (state.detail.open) fillTable(state);
    p.chartHand.pin(state);
  }

  // settle draws a chart once it has a width, and again if that changes.
  function settle(state) {
    let width = 0;
    const fit = () => {
      const now = Math.floor(state.node.clientWidth);
      if (!now || now === width) return;
      width = now;
      if (state.u) state.u.setSize({ width, height: state.height });
      else build(state);
    };
    state.seen = new ResizeObserver(() => requestAnimationFrame(fit)); // a change from within must not trigger it
    state.seen.observe(state.node);
  }

  // prepare computes the drawing; a text below the chart names the parts that cannot be shown.
  function prepare(state) {
    const said = [];
    const all = state.lines.map((l) => l.line);
    state.axis = m.axis(state.x, state.axisLines || all, state.commits);
    state.mode = state.y;
    state.views = all.map((line) => m.view(line, state.axis, state.mode));
    const shown = state.views.reduce((n, v) => n + v.x.length, 0);
    if (!shown && all.some((line) => line.value.length)) said.push(why(state));
    else if (state.x === "release") said.push("By release, only commits with a tag are shown.");
    if (shown && state.mode === "log") {
      const lost = state.views.reduce((n, v) => n + v.line.value.filter((x) => x <= 0).length, 0);
      if (lost) said.push(p.format.count(lost, "value") + " of 0 or less cannot be shown on a logarithmic scale.");
    }
    if (shown && state.mode === "ratio") said.push("Ratios are to the baseline build measured with each run. Runs without one are not shown; ratios have no intervals.");
    const levelled = new Set(all.flatMap((l) => (l.levelled || []).map((i) => l.run[i]))).size;
    if (shown && levelled && state.mode !== "ratio") said.push(p.format.count(levelled, "run") + " measured together with an anchor: " + (levelled === 1 ? "its values are" : "their values are") + " scaled to the machine's best speed by means of the anchor.");
    if (shown && state.mode === "percent") said.push("Percent from the first run, outliers skipped: " + state.views.map((v) => (v.scaled.first < 0 ? "none" : p.format.value(v.line.value[v.scaled.first], v.line.unit) + " at " + hash(state, v.line.commit[v.scaled.first]))).join("; ") + ".");
    p.clear(state.notes, said.join(" "));
    state.notes.hidden = !said.length;
    fillLegend(state);
  }
  const hash = (state, i) => ((state.commits[i] || {}).sha || "an unknown commit").slice(0, 7);

  function why(state) {
    if (state.mode === "ratio" && state.lines.every((l) => /^(B|allocs)\/op$/.test(l.line.unit))) return "Counts do not depend on the machine and have no ratio to a baseline build.";
    if (state.mode === "ratio") return "No run was measured with a baseline build, so there is no ratio. To measure one: perftrack run --anchor REV";
    if (state.x === "release") return "No measured commit has a tag. To measure one: perftrack run --rev TAG";
    if (state.mode === "log") return "All values are 0 or less and cannot be shown on a logarithmic scale.";
    if (state.mode === "percent") return "The first value is 0, so there is no percentage.";
    return "These runs have no known commit.";
  }

  // scale sets both axes to the zoomed part.
  function scale(state) {
    state.range = window_(state);
    const [x0, x1] = state.range.x;
    state.u.batch(() => {
      state.u.setScale("x", { min: x0, max: x1 });
      state.u.setScale("y", { min: state.range.y[0], max: state.range.y[1] });
    });
    state.u.redraw(); // only the points changed
  }

  function window_(state) {
    const ax = state.axis;
    let x = [ax.min - ax.pad, ax.max + ax.width + ax.pad];
    if (state.zoom) {
      const a = edge(state, state.zoom[0], false), b = edge(state, state.zoom[1], true);
      const pad = ax.kind === "date" ? Math.max((b - a) / 60, 1800) : Math.max((b - a) / 80, 0.6);
      if (b >= a) x = [a - pad, b + ax.width + pad];
    }
    const y = m.span(state.views, x[0], x[1]) || [0, 1];
    return { x, y: room(state, y) };
  }

  // room leaves space for the labels of steps above and releases below. Axes of small counts have whole
  // numbers.
  function room(state, [lo, hi]) {
    const counts = state.lines.some((l) => /^(allocs|B)\/op$/.test(l.line.unit));
    if (counts && state.mode === "absolute" && hi - lo < 4) {
      lo = Math.max((lo + hi) / 2 - 2, -0.5);
      hi = lo + 4;
    }
    const above = state.views.some((v) => (v.line.steps || []).length) ? 24 / state.height : 0;
    const below = state.axis.kind !== "release" && state.axis.tagged.length ? 14 / state.height : 0;
    if (state.mode === "log") return [lo / (hi / lo) ** below, hi * (hi / lo) ** above];
    return [lo - (hi - lo) * below, hi + (hi - lo) * above];
  }

  // edge returns the position of a commit, or of the nearest one with a position.
  function edge(state, commit, end) {
    const ax = state.axis;
    const place = ax.place(commit);
    if (!Number.isNaN(place)) return place;
    const known = ax.commits.filter((c) => (end ? c <= commit : c >= commit));
    if (!known.length) return end ? ax.max : ax.min;
    return ax.place(end ? Math.max(...known) : Math.min(...known));
  }

  function build(state) {
    const width = Math.floor(state.node.clientWidth);
    if (!width) return;
    if (state.u) state.u.destroy();
    state.range = window_(state);
    const shown = state.views.some((v) => v.x.length);
    state.plot.hidden = !shown;
    if (!shown) {
      state.u = null;
      return;
    }
    state.u = new uPlot(settings(state, width), [state.range.x.slice(), [null, null]], state.plot);
    p.chartHand.pointer(state);
    p.chartHand.pin(state);
  }

  // tickWidth returns the width of the y axis. The unit of another tool may be a word.
  const tickWidth = (ticks, least) => Math.max(least, ...(ticks || []).map((t) => 14 + 7 * String(t || "").length));

  function settings(state, width) {
    const narrow = width < 480;
    const color = (name) => () => p.theme.color(name);
    const binary = state.mode === "absolute" && p.format.scale(state.lines[0].line.unit, [4096]).prefix === "Ki";
    const axis = { stroke: color("--muted"), grid: { stroke: color("--line"), width: 1 }, ticks: { stroke: color("--line"), width: 1, size: 5 }, font: "12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif" };
    const dates = state.axis.kind === "date";
    return {
      width, height: state.height, padding: [6, 12, 0, 0],
      legend: { show: false },
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
      cursor: {
        y: false, points: { show: false }, drag: { x: true, y: false, setScale: false, dist: 5 },
        sync: state.sync ? { key: state.sync, setSeries: false, scales: ["x", null], filters: { pub: (type) => type === "mousemove" || type === "mouseleave" } } : undefined,
        bind: { dblclick: () => () => p.chartHand.twice(state) },
      },
      scales: {
        x: { time: dates, auto: false, range: () => state.range.x },
        y: { auto: false, distr: state.mode === "log" ? 3 : 1, range: () => state.range.y },
      },
      series: [{}, { scale: "y", auto: false, paths: () => null, points: { show: false } }],
      axes: [
        Object.assign({ space: narrow ? 70 : 84, size: dates ? 36 : 42 }, axis, dates ? { values: dateTicks } : { incrs: whole, values: (u, at) => at.map((x) => tick(state, x)) }),
        Object.assign({ size: (u, ticks) => tickWidth(ticks, narrow ? 66 : 78), values: (u, at) => p.chartHand.yTicks(state, at) }, binary ? { incrs: doubles } : null, axis),
      ],
      hooks: {
        drawClear: [(u) => p.chartPaint.below(u, state)],
        draw: [(u) => { state.node.dataset.drawn = String(p.chartPaint.above(u, state)); state.node.dispatchEvent(new CustomEvent("drawn")); }],
        setCursor: [(u) => p.chartHand.moved(state, u)],
        setSelect: [(u) => p.chartHand.dragged(state, u)],
      },
    };
  }
  const whole = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000];

  const doubles = Array.from({ length: 60 }, (_, i) => 2 ** i); // for bytes: 4 KiB, 8 KiB

  // tick is the label of a commit: its tag or hash, and its date.
  function tick(state, x) {
    const c = Number.isInteger(x) ? state.commits[state.axis.commits[x]] : null;
    if (!c) return "";
    const name = (c.tags || [])[0];
    return (name ? [...p.text(name)].slice(0, 12).join("") : c.sha.slice(0, 7)) + (c.time ? "\n" + p.format.date(c.time) : "");
  }

  const iso = (seconds) => new Date(seconds * 1000).toISOString();
  function dateTicks(u, at) {
    const step = at.length > 1 ? at[1] - at[0] : day;
    return at.map((s) => (step < day ? iso(s).slice(5, 10) + "\n" + iso(s).slice(11, 16) : step < 28 * day ? iso(s).slice(0, 10) : iso(s).slice(0, 7)));
  }

  function fillLegend(state) {
    const has = (what) => state.views.some((v) => v[what].size > 0);
    const c = p.chartPaint.colors();
    const item = (draw, text) => el("li", null, p.chartHand.swatch(draw), el("span", { dir: "auto" }, text));
    const items = state.lines.length > 1 ? state.lines.map((l) => item({ color: l.color, line: true }, l.name)) : [];
    if (state.views.some((v) => v.lo.some((x, k) => x < v.hi[k]))) items.push(item({ band: true }, "95 % interval"));
    if (has("hollow")) items.push(item({ hollow: true }, "carried over, not measured again"));
    const open = state.views.some((v) => [...v.outliers.values()].some((o) => o.open));
    if (state.views.some((v) => [...v.outliers.values()].some((o) => !o.open))) items.push(item({ cross: true }, "outlier, ▲ ▼ outside the scale"));
    if (open) items.push(item({ cross: true, ring: true }, "newest far off"));
    if (has("aside")) items.push(item({ aside: true }, "not counted: partial, failed or uncommitted"));
    p.clear(state.legend, items);
    state.legend.hidden = !items.length || !c;
  }

  function fillTable(state) {
    const old = state.detail.querySelector(".table");
    if (old && state.tableOf === state.y) return;
    state.tableOf = state.y;
    if (old) old.remove();
    state.detail.append(w.table(state.lines, state.commits, state.views));
  }

  // A change of theme redraws all charts of the page.
  document.addEventListener("perftrack:theme", () => {
    for (const state of live) {
      if (state.node.isConnected) {
        if (state.u) state.u.redraw(false, true);
        continue;
      }
      state.seen.disconnect();
      if (state.u) state.u.destroy();
      live.delete(state);
    }
  });
  // chartsGone forgets charts that left the page.
  p.chartsGone = () => {
    for (const state of live) {
      state.seen.disconnect();
      if (state.u) state.u.destroy();
    }
    live.clear();
  };
})(perftrack);
