// The pictures of a comparison: a forest plot for each row on a common scale, and the samples of both sides
// by round.
"use strict";
(function (p) {
  const c = p.comparison;
  const svg = p.svg;
  const width = 240, height = 26, edge = 12; // of a forest plot, with room for arrows

  // Possible ends of the scale as ratios. The scale is symmetric: twice as slow is as far out as twice as
  // fast.
  const ends = [1.02, 1.05, 1.1, 1.2, 1.5, 2, 4, 10, 100];
  const percent = (x) => String(Math.round(x * 1000) / 10).replace(/^(\d\d+)\.\d$/, "$1") + "%";
  const up = (ratio) => (ratio >= 2 ? ratio + "x" : "+" + percent(ratio - 1));
  const down = (ratio) => (ratio >= 2 ? "1/" + ratio : "−" + percent(1 - 1 / ratio));

  // scale returns a scale that fits nine tenths of the rows and twice their threshold.
  function scale(rows) {
    const sizes = rows.map((r) => Math.abs(c.size(r.row) || 0)).filter(Number.isFinite).sort((x, y) => x - y);
    const most = sizes.length ? sizes[Math.min(sizes.length - 1, Math.floor(sizes.length * 0.9))] : 0;
    const threshold = Math.max(0, ...rows.map((r) => Math.log1p(r.row.threshold || 0)));
    const need = Math.max(most * 1.15, threshold * 2);
    const ratio = ends.find((e) => Math.log(e) >= need) || ends.at(-1);
    const end = Math.log(ratio);
    const x = (size) => width / 2 + (size / end) * (width / 2 - edge);
    return { end, ratio, x, clamp: (size) => Math.min(width - edge, Math.max(edge, x(size))) };
  }

  // ticks returns the positions of the grid: both ends, halfway to them, and no change.
  function ticks(s) {
    const half = Math.exp(s.end / 2);
    const round = half >= 1.5 ? Math.round(half * 10) / 10 : 1 + Math.round((half - 1) * 1000) / 1000;
    return [[-s.end, down(s.ratio)], [-Math.log(round), down(round)], [0, "0"], [Math.log(round), up(round)], [s.end, up(s.ratio)]];
  }

  // axis returns the head of the column.
  function axis(s) {
    return svg("svg", { class: "forest axis", viewBox: "0 0 " + width + " 14", width, height: 14, "aria-hidden": "true" },
      ticks(s).map(([at, text], i) => svg("text", { x: i === 0 ? 0 : i === 4 ? width : s.x(at), y: 11, "text-anchor": i === 0 ? "start" : i === 4 ? "end" : "middle" }, text)));
  }

  // plot draws the forest plot of a row: the band of the threshold, the interval, the estimate, and arrows
  // beyond the scale.
  function plot(r, s) {
    const row = r.row;
    const mid = height / 2;
    const t = Math.log1p(row.threshold || 0);
    const node = svg("svg", { class: "forest " + c.toneOf(r), viewBox: "0 0 " + width + " " + height, width, height, role: "img", "aria-label": words(row) },
      ticks(s).map(([at]) => svg("line", { class: "grid", x1: s.x(at), x2: s.x(at), y1: 0, y2: height })),
      svg("rect", { class: "band", x: s.clamp(-t), y: 3, width: Math.max(0, s.clamp(t) - s.clamp(-t)), height: height - 6 }),
      svg("line", { class: "zero", x1: s.x(0), x2: s.x(0), y1: 1, y2: height - 1 }));
    const at = c.size(row);
    if (at === null) return node;
    const arrow = (side) => {
      const x = side > 0 ? width - 2 : 2;
      return svg("path", { class: "arrow", d: "M" + x + " " + mid + "l" + -side * 7 + " -4.5v9z" });
    };
    if (!row.absolute && row.lo !== null && row.hi !== null) {
      const lo = row.lo <= -1 ? -Infinity : Math.log1p(row.lo);
      const hi = Math.log1p(row.hi);
      const x1 = s.clamp(lo), x2 = s.clamp(hi);
      if (x2 > x1) node.append(svg("line", { class: "interval", x1, x2, y1: mid, y2: mid }));
      for (const [x, beyond] of [[x1, lo < -s.end], [x2, hi > s.end]]) {
        if (!beyond && x2 - x1 > 12) node.append(svg("line", { class: "interval", x1: x, x2: x, y1: mid - 4, y2: mid + 4 }));
      }
      if (lo < -s.end) node.append(arrow(-1));
      if (hi > s.end) node.append(arrow(1));
    }
    if (Math.abs(at) > s.end * 1.001) {
      if (row.lo === null || row.hi === null || row.absolute) node.append(arrow(Math.sign(at)));
      return node;
    }
    const x = s.clamp(at);
    node.append(row.exact ? svg("path", { class: "estimate", d: "M" + x + " " + (mid - 5) + "l5 5l-5 5l-5 -5z" }) : svg("circle", { class: "estimate", cx: x, cy: mid, r: 4 }));
    return node;
  }

  // words describe the plot for screen readers.
  function words(row) {
    return (row.shown.change || "no estimate") + "; threshold " + p.format.percent(row.threshold);
  }

  // room returns the width of a picture of samples at which its text has the size of the text around.
  const room = () => Math.max(300, Math.min(720, innerWidth - 40));

  // strip draws the samples of both sides by round, joined by a line: a disturbance of the machine moves
  // both ends.
  function strip(row, paired) {
    const [base, head] = row.samples.map((side, i) => (side.length === 1 && row.n[i] > 1 ? Array(Math.max(row.rounds || 0, row.n[i])).fill(side[0]) : side));
    const all = [...base, ...head].filter((v) => v !== null);
    if (all.length < 2) return null;
    const w = room(), h = 150, left = 74, right = 8, top = 8;
    let lo = Math.min(...all), hi = Math.max(...all);
    const pad = (hi - lo) * 0.06 || Math.abs(hi) * 0.02 || 1;
    lo -= pad;
    hi += pad;
    const n = paired ? Math.max(base.length, head.length) : base.length + head.length;
    const x = (i) => left + ((i + 0.5) / n) * (w - left - right);
    const y = (v) => top + ((hi - v) / (hi - lo)) * (h - top - 20);
    const value = (v) => p.format.value(v, row.unit);
    const at = (side, i) => x(paired || side === 0 ? i : base.length + i);
    const r = n > 80 ? 1.8 : n > 40 ? 2.4 : 3.2;
    const node = svg("svg", { class: "strip", viewBox: "0 0 " + w + " " + h, role: "img", "aria-label": "Samples of both sides in the order of " + (paired ? "rounds" : "measurement") + "; the table below shows the same" });
    for (const v of [hi - pad, (lo + hi) / 2, lo + pad]) {
      node.append(svg("line", { class: "grid", x1: left, x2: w - right, y1: y(v), y2: y(v) }), svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, value(v)));
    }
    [row.baseCenter, row.headCenter].forEach((v, side) => {
      if (v === null) return;
      const from = paired ? left : at(side, -0.5), to = paired ? w - right : at(side, (side ? head : base).length - 0.5);
      node.append(svg("line", { class: "center side" + side, x1: from, x2: to, y1: y(v), y2: y(v) }));
    });
    if (paired) {
      base.forEach((v, i) => {
        if (v !== null && head[i] !== null && head[i] !== undefined) node.append(svg("line", { class: "pair", x1: x(i), x2: x(i), y1: y(v), y2: y(head[i]) }));
      });
    }
    [base, head].forEach((side, k) => side.forEach((v, i) => {
      if (v === null) return;
      const mark = k ? svg("circle", { class: "side1", cx: at(k, i), cy: y(v), r }) : svg("rect", { class: "side0", x: at(k, i) - r, y: y(v) - r, width: 2 * r, height: 2 * r });
      mark.append(svg("title", null, (k ? "head" : "base") + ", " + (paired ? "round " : "sample ") + (i * (row.every || 1) + 1) + ": " + value(v)));
      node.append(mark);
    }));
    node.append(svg("text", { x: x(0), y: h - 4, "text-anchor": "middle" }, "1"));
    if (n > 1) node.append(svg("text", { x: x(n - 1), y: h - 4, "text-anchor": "middle" }, String(paired ? (n - 1) * (row.every || 1) + 1 : head.length)));
    return node;
  }

  // ratios draws the change of each round, with the estimate and its interval.
  function ratios(row, r) {
    const [base, head] = row.samples;
    if (row.absolute || row.exact || base.length !== head.length || base.length < 2) return null;
    const list = base.map((v, i) => (v > 0 && head[i] > 0 ? Math.log(head[i] / v) : null));
    const all = list.filter((v) => v !== null);
    if (all.length < 2) return null;
    const t = Math.log1p(row.threshold || 0);
    const w = room(), h = 110, left = 74, right = 8, top = 8;
    let lo = Math.min(0, -t, ...all), hi = Math.max(0, t, ...all);
    const pad = (hi - lo) * 0.06;
    lo -= pad;
    hi += pad;
    const x = (i) => left + ((i + 0.5) / list.length) * (w - left - right);
    const y = (v) => top + ((hi - v) / (hi - lo)) * (h - top - 8);
    const text = (v) => p.format.change(Math.expm1(v), row.better, row.unit).replace(/ as .*/, "");
    const node = svg("svg", { class: "strip ratios " + c.toneOf(r), viewBox: "0 0 " + w + " " + h, role: "img", "aria-label": "Change in each round, from base to head" },
      svg("rect", { class: "band", x: left, width: w - left - right, y: y(t), height: Math.max(0, y(-t) - y(t)) }));
    if (row.lo !== null && row.hi !== null && row.lo > -1) {
      node.append(svg("rect", { class: "between", x: left, width: w - left - right, y: y(Math.log1p(row.hi)), height: Math.max(1, y(Math.log1p(row.lo)) - y(Math.log1p(row.hi))) }));
    }
    const lines = [[0, "zero"]];
    if (row.change !== null && row.change > -1) lines.push([Math.log1p(row.change), "interval"]);
    const labels = [];
    for (const [v, cls] of lines) {
      node.append(svg("line", { class: cls, x1: left, x2: w - right, y1: y(v), y2: y(v) }));
      if (labels.every((other) => Math.abs(other - y(v)) > 13)) {
        labels.push(y(v));
        node.append(svg("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, text(v)));
      }
    }
    list.forEach((v, i) => {
      if (v === null) return;
      const mark = svg("circle", { class: "estimate", cx: x(i), cy: y(v), r: list.length > 60 ? 2 : 3 });
      mark.append(svg("title", null, "round " + (i * (row.every || 1) + 1) + ": " + text(v)));
      node.append(mark);
    });
    return node;
  }

  p.forest = { scale, axis, plot, strip, ratios };
})(perftrack);
