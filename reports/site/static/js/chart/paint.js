// Drawing on the canvas of a chart: steps and releases below its grid, levels, intervals, lines and points
// above. Sizes are in CSS pixels times the density of the screen.
"use strict";
(function (p) {
  const m = p.chartMaths;

  // colors reads the colours for each drawing, so that a change of theme needs only a redraw.
  function colors() {
    const of = p.theme.color;
    const palette = [1, 2, 3, 4, 5, 6].map((i) => of("--chart-" + i));
    return { fg: of("--fg"), muted: of("--muted"), bg: of("--bg"), line: of("--line"), worse: of("--worse"), better: of("--better"), undecided: of("--undecided"), palette };
  }
  const stepColor = (c, state) => ({ regressed: c.worse, improved: c.better, changed: c.undecided })[state] || c.muted;
  const stepMark = { regressed: "✖ ", improved: "✚ ", changed: "◆ ", accepted: "✓ ", recovered: "↺ " };
  const colorOf = (c, i) => c.palette[i % c.palette.length];

  const font = (size, weight) => (weight || "") + " " + size * uPlot.pxRatio + "px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";

  function clipped(u, draw) {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    draw(ctx, bbox);
    ctx.restore();
  }

  // below draws the bands of steps, and releases.
  function below(u, state) {
    const r = uPlot.pxRatio;
    const c = (state.colors = colors());
    clipped(u, (ctx, box) => {
      releases(u, state, ctx, box, c, r);
      for (const s of stepsOf(u, state)) {
        ctx.fillStyle = stepColor(c, s.step.state);
        ctx.globalAlpha = s.drift ? 0.08 : 0.16;
        const [top, height] = s.alone ? [box.top, box.height] : [s.top, s.height];
        ctx.fillRect(s.left, top, s.right - s.left, height);
        if (s.step.state === "accepted" || s.step.state === "recovered") hatch(ctx, s.left, top, s.right - s.left, height, r);
        ctx.globalAlpha = 0.75;
        ctx.fillRect(s.right - r, top, r, height);
        ctx.globalAlpha = 1;
      }
    });
  }

  function hatch(ctx, x, y, w, h, r) {
    ctx.save();
    ctx.beginPath();
    ctx.rect(x, y, w, h);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle;
    ctx.globalAlpha = 0.35;
    ctx.lineWidth = r;
    for (let at = y - w; at < y + h; at += 7 * r) {
      ctx.beginPath();
      ctx.moveTo(x, at + w);
      ctx.lineTo(x + w, at);
      ctx.stroke();
    }
    ctx.restore();
  }

  // releases draws vertical lines.
  function releases(u, state, ctx, box, c, r) {
    for (const [x] of tagged(u, state, box)) {
      ctx.fillStyle = c.muted;
      ctx.globalAlpha = 0.35;
      ctx.fillRect(Math.round(x), box.top, r, box.height);
      ctx.globalAlpha = 0.8;
      ctx.fillRect(Math.round(x), box.top + box.height - 7 * r, r, 7 * r);
    }
    ctx.globalAlpha = 1;
  }
  // tags returns the labels of releases, which stand at the bottom.
  function tags(u, state, ctx, box, c, r) {
    ctx.font = font(10.5);
    const y = box.top + box.height - 7 * r;
    return tagged(u, state, box).map(([x, i]) => {
      const text = clip(p.text(state.commits[i].tags[0]), 14);
      const width = ctx.measureText(text).width;
      const left = Math.min(x + 3 * r, box.left + box.width - width - 2 * r);
      const put = ([l, t, right, b]) => {
        ctx.globalAlpha = 0.8;
        ctx.fillStyle = c.bg;
        ctx.fillRect(l, t, right - l, b - t);
        ctx.globalAlpha = 1;
        ctx.fillStyle = c.muted;
        ctx.font = font(10.5);
        ctx.fillText(text, left, y);
      };
      return { boxes: [[left - r, y - 6.5 * r, left + width + 4 * r, y + 6.5 * r]], put };
    });
  }
  function tagged(u, state, box) {
    if (state.axis.kind === "release") return []; // each position is one
    return state.axis.tagged.map((i) => [u.valToPos(state.axis.place(i), "x", true), i]).filter(([x]) => x >= box.left - 1 && x <= box.left + box.width + 1);
  }
  const clip = (s, n) => ([...s].length > n ? [...s].slice(0, n - 1).join("") + "…" : s);

  // stepsOf returns the visible steps in pixels, at least three wide.
  function stepsOf(u, state) {
    const r = uPlot.pxRatio;
    const { bbox: box } = u;
    const out = [];
    for (const v of state.views) {
      for (const step of v.line.steps || []) {
        const span = m.stepSpan(v, step);
        if (!span) continue;
        let left = u.valToPos(span.x0, "x", true), right = u.valToPos(span.x1, "x", true);
        if (right < box.left || left > box.left + box.width) continue;
        if (right - left < 3 * r) left = right - 3 * r;
        const y0 = u.valToPos(finite(v.scaled.of(step.from), v.y[span.k0]), "y", true), y1 = u.valToPos(finite(v.scaled.of(step.to), v.y[span.k1]), "y", true);
        const top = Math.min(y0, y1) - 10 * r;
        out.push({ v, step, left, right, y0, y1, top, height: Math.max(y0, y1) + 10 * r - top, alone: state.views.length === 1, drift: step.drift > 0, newest: span.k1 });
      }
    }
    return out;
  }
  const finite = (x, or) => (Number.isFinite(x) ? x : or);

  // above draws the lines.
  function above(u, state) {
    const r = uPlot.pxRatio;
    const c = state.colors;
    const from = u.scales.x.min, to = u.scales.x.max;
    let drawn = 0;
    const marks = { taken: [], words: [] }; // the boxes of outliers, and what is to be written beside them
    clipped(u, (ctx, box) => {
      if (state.mode === "percent" || state.mode === "ratio") zero(u, ctx, box, c, r, state.mode === "ratio" ? 1 : 0);
      for (let l = state.views.length - 1; l >= 0; l--) { // the first on top
        const v = state.views[l];
        const color = colorOf(c, state.lines[l].color);
        const begin = Math.max(0, m.first(v.x, from) - 1), end = Math.min(v.x.length, m.first(v.x, to) + 1);
        const parts = m.within(v.stretches, begin, end);
        drawn += end - begin;
        const px = (k) => u.valToPos(v.x[k], "x", true), py = (y) => u.valToPos(y, "y", true);
        for (const ks of parts) band(ctx, v, ks, px, py, color, r, box);
        levels(ctx, v, px, py, color, r, box);
        for (const ks of parts) line(ctx, v, ks, px, py, color, r, box);
        points(ctx, v, begin, end, px, py, color, c, r, box, state.lines[l].color, marks);
      }
      write(ctx, marks.taken, [...labels(u, state, ctx, box, c, r), ...said(marks.words, ctx, box, c, r), ...tags(u, state, ctx, box, c, r)]);
    });
    return drawn;
  }

  // write writes labels, the most important one first. A label that would overlap an earlier one or an
  // outlier is left out; the label of a step has its own background and gives way to labels of steps only.
  function write(ctx, taken, all) {
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    const first = all.filter((l) => l.first), rest = all.filter((l) => !l.first);
    m.settle(rest.map((l) => l.boxes), [...first.map((l) => l.boxes[0]), ...taken]).forEach((at, i) => at >= 0 && rest[i].put(rest[i].boxes[at]));
    for (const l of first) l.put(l.boxes[0]);
  }

  function zero(u, ctx, box, c, r, at) {
    const y = Math.round(u.valToPos(at, "y", true));
    ctx.fillStyle = c.muted;
    ctx.globalAlpha = 0.6;
    ctx.fillRect(box.left, y, box.width, r);
    ctx.globalAlpha = 1;
  }

  // band fills the 95 % intervals; a single one becomes a whisker.
  function band(ctx, v, ks, px, py, color, r, box) {
    ctx.fillStyle = ctx.strokeStyle = color;
    ctx.lineWidth = 1.5 * r;
    let stretch = [];
    const flush = () => {
      if (stretch.length === 1) {
        const [k] = stretch;
        ctx.globalAlpha = 0.4;
        ctx.beginPath();
        ctx.moveTo(px(k), py(v.lo[k]));
        ctx.lineTo(px(k), py(v.hi[k]));
        ctx.stroke();
      } else if (stretch.length) {
        ctx.globalAlpha = 0.18;
        ctx.beginPath();
        m.columns(stretch, v.hi, px, box.width / 4).forEach((k, i) => (i ? ctx.lineTo(px(k), py(v.hi[k])) : ctx.moveTo(px(k), py(v.hi[k]))));
        for (const k of m.columns(stretch, v.lo, px, box.width / 4).reverse()) ctx.lineTo(px(k), py(v.lo[k]));
        ctx.fill();
      }
      stretch = [];
    };
    for (const k of ks) {
      if (Number.isNaN(v.lo[k])) flush();
      else stretch.push(k);
    }
    flush();
    ctx.globalAlpha = 1;
  }

  // levels draws thin strokes at the center of each level.
  function levels(ctx, v, px, py, color, r, box) {
    ctx.strokeStyle = color;
    ctx.lineWidth = r;
    ctx.globalAlpha = 0.8;
    ctx.setLineDash([5 * r, 4 * r]);
    for (const level of v.line.levels || []) {
      const y = py(v.scaled.of(level.center));
      if (!Number.isFinite(y)) continue;
      let left = NaN, right = NaN;
      for (const [i, side] of [[level.first, 0], [level.end - 1, 1]]) {
        const k = v.place.get(i);
        if (k === undefined) continue;
        if (side) right = px(k);
        else left = px(k);
      }
      if (Number.isNaN(left) || Number.isNaN(right)) continue;
      ctx.beginPath();
      ctx.moveTo(Math.max(left, box.left), y);
      ctx.lineTo(Math.min(right, box.left + box.width), y);
      ctx.stroke();
    }
    ctx.setLineDash([]);
    ctx.globalAlpha = 1;
  }

  function line(ctx, v, ks, px, py, color, r, box) {
    ctx.strokeStyle = color;
    const dense = ks.length > (2 * box.width) / r;
    ctx.lineWidth = (dense ? 1 : 1.75) * r;
    ctx.globalAlpha = dense ? 0.75 : 1;
    ctx.lineJoin = "round";
    ctx.beginPath();
    m.columns(ks, v.y, px, box.width / 2).forEach((k, i) => (i ? ctx.lineTo(px(k), py(v.y[k])) : ctx.moveTo(px(k), py(v.y[k]))));
    ctx.stroke();
    ctx.globalAlpha = 1;
  }

  // points draws all points if there is room, and special points always.
  function points(ctx, v, begin, end, px, py, color, c, r, box, kind, marks) {
    const room = (box.width / r) / Math.max(end - begin, 1);
    for (let k = begin; k < end; k++) {
      const i = v.at[k];
      const outlier = v.outliers.get(i);
      const special = outlier || v.aside.has(i) || (v.hollow.has(i) && room > 2);
      if (!special && room < 5) continue;
      const x = px(k);
      let y = py(v.y[k]);
      const newest = k === v.at.length - 1;
      if (outlier && (y < box.top || y > box.top + box.height)) {
        const way = y < box.top ? 1 : -1;
        y = way > 0 ? box.top + 2 * r : box.top + box.height - 2 * r;
        arrow(ctx, x, y, way, c.undecided, r);
        marks.taken.push([x - 5 * r, Math.min(y, y + way * 8 * r), x + 5 * r, Math.max(y, y + way * 8 * r)]);
        const value = p.format.value(v.line.value[i], v.line.unit);
        const text = outlier.open ? (newest ? farOff(v, outlier, value) : "") : room > 30 ? value : "";
        if (text) marks.words.push({ text, x, y: y + way * 4 * r, way, open: outlier.open });
        continue;
      }
      const size = (room > 14 ? 3.2 : 2.4) * r;
      if (outlier) {
        cross(ctx, x, y, outlier.open, c, r);
        marks.taken.push([x - 5 * r, y - 5 * r, x + 5 * r, y + 5 * r]);
        if (outlier.open && newest) marks.words.push({ text: farOff(v, outlier), x, y, way: y < box.top + box.height / 2 ? 1 : -1, open: true });
      }
      else if (v.aside.has(i)) shape(ctx, x, y, 2.6 * r, 1, null, c.muted, r);
      else shape(ctx, x, y, size, kind, v.hollow.has(i) ? null : color, color, r, c.bg);
    }
  }

  // shape draws the mark of a line, which differs from the marks of other lines besides its colour.
  function shape(ctx, x, y, s, kind, fill, stroke, r, behind) {
    path(ctx, x, y, s, kind);
    ctx.fillStyle = fill || behind || "transparent";
    ctx.strokeStyle = stroke;
    ctx.lineWidth = 1.4 * r;
    if (fill || behind) ctx.fill();
    if (!fill) ctx.stroke();
  }
  function path(ctx, x, y, s, kind) {
    ctx.beginPath();
    switch (kind % 4) {
      case 0: ctx.arc(x, y, s, 0, 2 * Math.PI); break;
      case 1: ctx.rect(x - s * 0.9, y - s * 0.9, s * 1.8, s * 1.8); break;
      case 2: ctx.moveTo(x, y - s * 1.25); ctx.lineTo(x + s * 1.15, y + s * 0.85); ctx.lineTo(x - s * 1.15, y + s * 0.85); ctx.closePath(); break;
      default: ctx.moveTo(x, y - s * 1.35); ctx.lineTo(x + s * 1.35, y); ctx.lineTo(x, y + s * 1.35); ctx.lineTo(x - s * 1.35, y); ctx.closePath();
    }
  }

  // cross marks an outlier, with a ring if it is the newest point.
  function cross(ctx, x, y, open, c, r) {
    const s = 3.6 * r;
    ctx.strokeStyle = c.undecided;
    ctx.lineWidth = 1.8 * r;
    ctx.beginPath();
    ctx.moveTo(x - s, y - s);
    ctx.lineTo(x + s, y + s);
    ctx.moveTo(x + s, y - s);
    ctx.lineTo(x - s, y + s);
    ctx.stroke();
    if (!open) return;
    ctx.setLineDash([3 * r, 2.5 * r]);
    ctx.beginPath();
    ctx.arc(x, y, 8 * r, 0, 2 * Math.PI);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  // farOff returns the words for the newest run if it is far off its level; the last of several such runs
  // has them.
  function farOff(v, outlier, value) {
    const change = Number.isFinite(outlier.change) ? p.format.change(outlier.change, v.line.better, v.line.unit) : "";
    return [value, "newest far off", change].filter(Boolean).join(", ");
  }

  // said returns the labels of outliers, the newest one first. Each stands to the left of its outlier, else
  // to the right or in the next row.
  function said(words, ctx, box, c, r) {
    ctx.font = font(11, 600);
    return words.sort((a, b) => b.open - a.open || b.x - a.x).map(({ text, x, y, way }) => {
      const width = ctx.measureText(text).width;
      const at = (left, y) => [left - 2 * r, y - 7 * r, left + width + 2 * r, y + 7 * r];
      const left = x - 12 * r - width, under = y + way * 15 * r;
      const boxes = [at(left, y), at(x + 12 * r, y), at(left, under), at(x + 12 * r, under), at(left, under + way * 15 * r)];
      const put = ([l, t]) => {
        ctx.fillStyle = c.undecided;
        ctx.font = font(11, 600);
        ctx.fillText(text, l + 2 * r, t + 7 * r);
      };
      return { boxes: boxes.filter(([l, t, right, b]) => l >= box.left && right <= box.left + box.width && b <= box.top + box.height && t >= box.top - 7 * r), put };
    });
  }

  function arrow(ctx, x, y, way, color, r) {
    ctx.fillStyle = color;
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x - 4.5 * r, y + way * 8 * r);
    ctx.lineTo(x + 4.5 * r, y + way * 8 * r);
    ctx.fill();
  }

  // labels returns the labels of the steps, with interval and reason if there is room, the greatest first.
  function labels(u, state, ctx, box, c, r) {
    const found = stepsOf(u, state);
    ctx.font = font(11.5, 600);
    const narrow = box.width / r < 520;
    const long = found.length <= (narrow ? 1 : 6);
    const boxes = found.map((s) => {
      const text = stepMark[s.step.state] + (long ? p.chartWords.size(s.step, s.v.line) : p.chartWords.size({ ...s.step, lo: null }, s.v.line));
      const reason = long && !narrow && s.step.reason ? " accepted: " + clip(p.text(s.step.reason), 28) : "";
      return { text: text + reason, x: (s.left + s.right) / 2, width: ctx.measureText(text + reason).width + 8 * r, weight: s.newest / 1e9 + Math.abs(Math.log(s.step.to / s.step.from) || 1) };
    });
    return m.rows(boxes, 3, box.left + 2 * r, box.left + box.width - 2 * r).flatMap((at, i) => {
      if (at.row < 0) return [];
      const y = box.top + (3 + 19 * at.row) * r;
      const put = ([left, top, right, bottom]) => {
        ctx.globalAlpha = 0.88;
        ctx.fillStyle = c.bg;
        ctx.fillRect(left, top, right - left, bottom - top);
        ctx.globalAlpha = 1;
        ctx.fillStyle = stepColor(c, found[i].step.state);
        ctx.font = font(11.5, 600);
        ctx.fillText(boxes[i].text, left + 4 * r, (top + bottom) / 2);
      };
      return [{ first: true, boxes: [[at.x, y, at.x + boxes[i].width, y + 17 * r]], put }];
    });
  }

  p.chartPaint = { below, above, path, colors, colorOf, shape };
})(perftrack);
