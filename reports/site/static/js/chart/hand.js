// Pointer and keyboard of a chart: a text describes the point under them, Enter or a click pins it, a drag
// zooms. The keyboard moves through points as through the values of a slider, for screen readers.
"use strict";
(function (p) {
  const el = p.el;
  const m = p.chartMaths;
  const w = p.chartWords;

  // nearest returns the point closest to a position, of all lines: {l, k}.
  function nearest(state, u, left, top) {
    const x = u.posToVal(left, "x");
    let best = null;
    state.views.forEach((v, l) => {
      const k = m.nearest(v.x, x);
      if (k < 0) return;
      const dx = u.valToPos(v.x[k], "x") - left, dy = top === null ? 0 : u.valToPos(v.y[k], "y") - top;
      const far = dx * dx * 9 + dy * dy;
      if (!best || far < best.far) best = { l, k, far };
    });
    return best;
  }

  // moved follows the cursor of uPlot, its own or that of a synchronised chart.
  function moved(state, u) {
    const { left, top } = u.cursor;
    if (left < 0 || state.keyboard) {
      if (left < 0 && !state.keyboard) show(state, null);
      return;
    }
    show(state, nearest(state, u, left, u.cursor.event ? top : null), Boolean(u.cursor.event));
  }

  // show rings a point, draws its samples and describes it.
  function show(state, at, said) {
    state.hover = at;
    overlay(state);
    const { tip } = state;
    if (!tip) return;
    tip.hidden = !at || !said;
    if (tip.hidden) return;
    const v = state.views[at.l];
    const { line } = v;
    const i = v.at[at.k];
    const c = state.commits[line.commit[i]] || {};
    p.clear(tip,
      state.lines.length > 1 ? el("span", { class: "muted", dir: "auto" }, state.lines[at.l].name) : null,
      el("b", null, state.mode === "percent" || state.mode === "ratio" ? w.y(v.y[at.k], state.mode, line.unit) + " · " : "", p.format.value(line.value[i], line.unit)),
      el("span", null, w.interval(line, i) + ", n=" + line.n[i]),
      el("span", { dir: "auto", class: "chart-subject" }, (c.sha || "unknown").slice(0, 7) + " " + (c.subject || "")),
      el("span", { class: "muted" }, [c.author, p.format.date(c.time)].filter(Boolean).join(", ")),
      w.marks(line, i).map((mark) => el("span", { class: "undecided" }, mark)));
    place(state, state.u.valToPos(v.x[at.k], "x"), state.u.valToPos(v.y[at.k], "y"));
  }

  function place(state, x, y) {
    const { tip, u } = state;
    const width = u.over.clientWidth;
    const own = Math.min(tip.offsetWidth, width);
    const left = x + 14 + own < width ? x + 14 : x - 14 - own > 0 ? x - 14 - own : Math.max(0, (width - own) / 2);
    tip.style.left = u.over.offsetLeft + left + "px";
    tip.style.top = u.over.offsetTop + Math.max(0, Math.min(y - tip.offsetHeight / 2, u.over.clientHeight - tip.offsetHeight)) + "px";
  }

  // overlay draws the ring and the samples on a canvas of their own.
  function overlay(state) {
    const { over, u } = state;
    if (!over || !u) return;
    const r = devicePixelRatio || 1;
    const width = Math.round(u.over.clientWidth * r), height = Math.round(u.over.clientHeight * r);
    if (over.width !== width || over.height !== height) [over.width, over.height] = [width, height];
    const ctx = over.getContext("2d");
    ctx.clearRect(0, 0, width, height);
    const c = state.colors || p.chartPaint.colors();
    const sides = [[drawn(state, state.base), "base", 4 * r], [pinned(state), "head", 0]];
    const two = sides.every(([at]) => at);
    for (const [at, word, dash] of sides) if (at) upright(state, ctx, c, at, two ? word : "", dash, r, height);
    state.node.dataset.sides = two ? "base head" : "";
    if (state.hover) ring(state, ctx, c, state.hover.l, state.hover.k, r, false);
  }

  // upright marks a chosen point with a vertical line, and with base or head if two are compared.
  function upright(state, ctx, c, at, word, dash, r, height) {
    const x = Math.round(state.u.valToPos(state.views[at.l].x[at.k], "x") * r);
    ctx.globalAlpha = 0.55;
    ctx.strokeStyle = c.fg;
    ctx.lineWidth = r;
    ctx.setLineDash(dash ? [dash, dash] : []);
    ctx.beginPath();
    ctx.moveTo(x + r / 2, 0);
    ctx.lineTo(x + r / 2, height);
    ctx.stroke();
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
    ring(state, ctx, c, at.l, at.k, r, true);
    ctx.font = "600 " + 11 * r + "px system-ui, sans-serif";
    ctx.textBaseline = "bottom";
    ctx.textAlign = word === "base" ? "right" : "left"; // away from each other
    ctx.fillStyle = c.fg;
    ctx.fillText(word, x + (word === "base" ? -4 : 5) * r, height - 18 * r); // above the names of releases
    ctx.textAlign = "left";
  }

  function ring(state, ctx, c, l, k, r, pinned) {
    const { u } = state;
    const v = state.views[l];
    const color = p.chartPaint.colorOf(c, state.lines[l].color);
    const x = u.valToPos(v.x[k], "x") * r, py = (y) => u.valToPos(y, "y") * r;
    if (!Number.isNaN(v.lo[k])) {
      ctx.strokeStyle = color;
      ctx.lineWidth = 2 * r;
      ctx.beginPath();
      ctx.moveTo(x, py(v.lo[k]));
      ctx.lineTo(x, py(v.hi[k]));
      ctx.stroke();
    }
    ctx.fillStyle = color;
    samples(v, k).forEach((y, s, all) => {
      ctx.globalAlpha = 0.6;
      ctx.beginPath(); // in the order of rounds, so that a drift within the run shows
      ctx.arc(x + (all.length > 1 ? s / (all.length - 1) - 0.5 : 0) * Math.min(44, 6 * all.length) * r, py(y), 2 * r, 0, 2 * Math.PI);
      ctx.fill();
    });
    ctx.globalAlpha = 1;
    ctx.strokeStyle = pinned ? c.fg : color;
    ctx.fillStyle = c.bg;
    ctx.lineWidth = 2 * r;
    ctx.beginPath();
    ctx.arc(x, py(v.y[k]), 5 * r, 0, 2 * Math.PI);
    ctx.fill();
    ctx.stroke();
  }

  // samples returns the samples of a point in the mode of the axis; only the newest runs have any.
  function samples(v, k) {
    const { line } = v;
    const at = v.at[k] - (line.value.length - (line.samples || []).length);
    if (!v.scaled.band || at < 0 || !line.samples[at]) return [];
    return line.samples[at].map(v.scaled.of).filter((y) => !Number.isNaN(y));
  }

  // pointer is called for each uPlot.
  function pointer(state) {
    const { u } = state;
    state.over = el("canvas", { class: "chart-over", "aria-hidden": "true" });
    state.tip = state.tip || el("div", { class: "chart-tip", hidden: true });
    u.over.append(state.over);
    state.plot.append(state.tip);
    for (const canvas of state.plot.querySelectorAll("canvas")) canvas.setAttribute("aria-hidden", "true");
    let from = null;
    u.over.addEventListener("mousedown", (e) => (from = [e.clientX, e.clientY]));
    u.over.addEventListener("mousemove", () => (state.keyboard = false));
    u.over.addEventListener("click", (e) => {
      if (from && Math.abs(from[0] - e.clientX) > 4) return; // the end of a drag
      const box = u.over.getBoundingClientRect();
      const at = nearest(state, u, e.clientX - box.left, e.clientY - box.top);
      if (e.detail === 1) state.before = state.point;
      if (at && e.detail === 1) state.pinned(at.l, state.views[at.l].at[at.k]);
    });
  }

  // dragged zooms to the selection.
  function dragged(state, u) {
    const { left, width } = u.select;
    if (width < 6) return;
    const range = [u.posToVal(left, "x"), u.posToVal(left + width, "x")];
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    zoomTo(state, range);
  }

  // zoomTo zooms to the commits within a range of positions.
  function zoomTo(state, [from, to]) {
    const within = state.axis.commits.filter((c) => state.axis.place(c) + state.axis.width >= from && state.axis.place(c) <= to);
    if (within.length) state.zoomed([within[0], within[within.length - 1]]);
  }

  // twice shows all, and removes the pin of the first click.
  function twice(state) {
    if (!state.before) state.pinned(-1, -1);
    state.zoomed(null);
  }

  // step zooms in (2), out (0.5) or moves by a part of the view.
  function step(state, factor, move) {
    if (!state.u) return;
    const { min, max } = state.u.scales.x;
    const ax = state.axis;
    const middle = (min + max) / 2 + (move || 0) * (max - min), half = (max - min) / 2 / factor;
    if (middle - half <= ax.min - ax.pad && middle + half >= ax.max + ax.width + ax.pad) return state.zoomed(null);
    const shift = Math.max(ax.min - (middle - half), 0) + Math.min(ax.max + ax.width - (middle + half), 0);
    zoomTo(state, [middle - half + shift, middle + half + shift]);
  }

  // pin announces the chosen point to screen readers.
  function pin(state) {
    overlay(state);
    slider(state, pinned(state));
  }

  // pinned returns the chosen point if it is drawn, else null.
  const pinned = (state) => drawn(state, state.point);
  function drawn(state, point) {
    const k = point && state.views[point.l] ? state.views[point.l].place.get(point.i) : undefined;
    return k === undefined ? null : { l: point.l, k };
  }

  function slider(state, at) {
    const { plot } = state;
    const v = state.views[at ? at.l : 0];
    const n = v ? v.x.length : 0;
    plot.setAttribute("aria-valuemin", n ? "1" : "0");
    plot.setAttribute("aria-valuemax", String(n));
    plot.setAttribute("aria-valuenow", String(at ? at.k + 1 : n));
    plot.setAttribute("aria-valuetext", !n ? "no points" : !at ? "no point chosen: choose one with the arrow keys" : (state.lines.length > 1 ? state.lines[at.l].name + ": " : "") + w.point(v.line, v.at[at.k], state.commits, state.mode, v.y[at.k]));
  }

  // keys moves between points and lines, pins and zooms.
  function keys(state) {
    const { plot } = state;
    plot.tabIndex = 0;
    plot.setAttribute("role", "slider");
    plot.setAttribute("aria-label", state.title + ": arrow keys move between points, up and down between lines, Enter pins one, plus and minus zoom, 0 shows all");
    pin(state);
    plot.addEventListener("blur", () => {
      state.keyboard = false;
      show(state, null);
    });
    plot.addEventListener("keydown", (e) => {
      if (e.ctrlKey || e.metaKey || e.altKey || !state.u) return;
      const now = current(state);
      const move = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[e.key];
      if (move) go(state, now.l, now.k + move);
      else if (e.key === "ArrowUp" || e.key === "ArrowDown") other(state, now, e.key === "ArrowUp" ? -1 : 1);
      else if (e.key === "Enter" || e.key === " ") state.pinned(now.l, state.views[now.l].at[now.k]);
      else if (e.key === "Escape") state.pinned(-1, -1);
      else if (e.key === "+" || e.key === "=") step(state, 2);
      else if (e.key === "-") step(state, 0.5);
      else if (e.key === "0") state.zoomed(null);
      else return;
      e.preventDefault();
      e.stopPropagation();
    });
  }

  function current(state) {
    if (state.hover && state.keyboard) return state.hover;
    const at = pinned(state);
    if (at) return at;
    const l = Math.max(0, state.views.findIndex((v) => v.x.length));
    return { l, k: state.views[l].x.length - 1 };
  }

  function go(state, l, k) {
    const v = state.views[l];
    const at = { l, k: Math.min(Math.max(k, 0), v.x.length - 1) };
    state.keyboard = true;
    const { min, max } = state.u.scales.x;
    const x = v.x[at.k];
    if (x < min || x > max) step(state, 1, (x - (min + max) / 2) / (max - min));
    state.u.setCursor({ left: state.u.valToPos(x, "x"), top: state.u.valToPos(v.y[at.k], "y") });
    show(state, at, true);
    slider(state, at);
  }

  function other(state, now, by) {
    const count = state.views.length;
    const x = state.views[now.l].x[now.k];
    for (let l = now.l + by; l >= 0 && l < count; l += by) {
      if (state.views[l].x.length) return go(state, l, m.nearest(state.views[l].x, x));
    }
  }

  // yTicks formats the values of the y axis with a common prefix and precision.
  function yTicks(state, at) {
    const known = at.filter((y) => y !== null);
    if (!known.length) return at;
    const { unit } = state.lines[0].line;
    if (state.mode === "percent") return at.map((y) => (y === null ? "" : (y > 0 ? "+" : y < 0 ? "−" : "") + trim(Math.abs(y), spacing(known)) + " %"));
    if (state.mode === "ratio") return at.map((y) => (y === null ? "" : trim(y, spacing(known)) + "x"));
    const logs = state.mode === "log";
    const largest = Math.max(...known.map(Math.abs));
    return at.map((y) => {
      if (y === null) return "";
      const s = p.format.scale(unit, [logs ? y : largest]);
      const text = s.factor === 1 && largest >= 1e7 ? y.toExponential(1) : logs ? String(Number((y / s.factor).toPrecision(3))) : trim(y / s.factor, spacing(known) / s.factor);
      return (text + " " + p.format.beside(s.prefix, unit)).trim();
    });
  }
  const spacing = (at) => (at.length > 1 ? Math.abs(at[1] - at[0]) : Math.abs(at[0]) || 1);
  function trim(x, step) {
    const digits = Math.min(Math.max(Math.ceil(-Math.log10(step || 1) - 1e-9), 0), 12);
    const text = x.toFixed(digits);
    return text.replace("-", "−");
  }

  // swatch is a sign of the legend.
  function swatch({ color, line, band, hollow, cross, ring, aside }) {
    const stroke = cross ? "undecided" : aside ? "muted" : "chart-" + (((color || 0) % 6) + 1);
    const parts = [];
    const shape = ["M8 5.2a2.8 2.8 0 1 0 .01 0", "M5.4 5.4h5.2v5.2H5.4z", "M8 4.2l3.6 6.4H4.4z", "M8 3.8l4 4.2-4 4.2-4-4.2z"][(color || 0) % 4];
    if (band) parts.push(p.svg("rect", { x: 0, y: 4, width: 16, height: 8, class: "chart-fill" }));
    if (line) parts.push(p.svg("path", { d: "M0 8H16", class: "chart-stroke" }), p.svg("path", { d: shape, class: "chart-dot" }));
    if (hollow) parts.push(p.svg("circle", { cx: 8, cy: 8, r: 3.5, class: "chart-stroke" }));
    if (aside) parts.push(p.svg("rect", { x: 4.5, y: 4.5, width: 7, height: 7, class: "chart-stroke" }));
    if (cross) parts.push(p.svg("path", { d: "M5 5L11 11M11 5L5 11", class: "chart-stroke" }));
    if (ring) parts.push(p.svg("circle", { cx: 8, cy: 8, r: 7, class: "chart-stroke chart-dashed" }));
    return p.svg("svg", { width: 16, height: 16, viewBox: "0 0 16 16", class: "chart-swatch c-" + stroke, "aria-hidden": "true" }, parts);
  }

  p.chartHand = { pointer, keys, twice, moved, dragged, pin, step, yTicks, swatch };
})(perftrack);
