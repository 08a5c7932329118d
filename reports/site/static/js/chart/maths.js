// From the columns of a line to the drawing of a chart: positions, values, ranges. Needs no document, and
// has tests of its own.
"use strict";
(function (p) {
  const known = (x) => typeof x === "number" && Number.isFinite(x);

  // axis gives the points of lines their places on the x axis. By commit each measured commit is
  // as wide as any other, by date a place is a time, by release only tagged commits have one;
  // several runs of a commit stand beside each other within its width.
  // It returns {kind, commits (in the order of their places), place (of a commit; NaN), width (of a
  // place), min, max}.
  function axis(kind, lines, commits) {
    const used = new Set();
    for (const line of lines) for (const c of line.commit) if (c >= 0 && commits[c]) used.add(c);
    let order = [...used].sort((a, b) => a - b);
    const tagged = (c) => (commits[c].tags || []).length > 0;
    if (kind === "release") order = order.filter(tagged);
    if (kind === "date") order.sort((a, b) => commits[a].time - commits[b].time || a - b);
    const place = new Map(order.map((c, i) => [c, kind === "date" ? commits[c].time : i]));
    const at = (c) => (place.has(c) ? place.get(c) : NaN);
    const min = order.length ? at(order[0]) : 0;
    const max = order.length ? at(order[order.length - 1]) : 0;
    return {
      kind, commits: order, place: at, min, max,
      width: kind === "date" ? 0 : 0.8,
      pad: kind === "date" ? Math.max((max - min) / 60, 1800) : Math.max((max - min) / 80, 0.6),
      tagged: order.filter(tagged),
    };
  }

  // value turns measured values of a line into those of a mode: absolute and log leave them,
  // percent is the change from the first run that nothing speaks against, ratio what was
  // measured beside the baseline. {of(v), first (its point), values (of the points), band}
  function value(line, mode) {
    if (mode === "ratio") {
      const values = (line.ratio || []).map((v) => (known(v) ? v : NaN));
      return { of: () => NaN, first: -1, values: line.commit.map((_, i) => (i < values.length ? values[i] : NaN)), band: false };
    }
    let of = (v) => (known(v) ? v : NaN);
    let first = -1;
    if (mode === "log") of = (v) => (known(v) && v > 0 ? v : NaN);
    if (mode === "percent") {
      first = firstSound(line);
      const base = first < 0 ? NaN : line.value[first];
      of = (v) => (known(v) && base ? (v / base - 1) * 100 : NaN);
    }
    return { of, first, values: line.value.map(of), band: true };
  }

  function firstSound(line) {
    const odd = new Set([...(line.aside || []), ...(line.outliers || []).map((o) => o.point)]);
    for (let i = 0; i < line.value.length; i++) if (!odd.has(i) && known(line.value[i])) return i;
    return -1;
  }

  // view is a line as it is drawn: its points that have a place and a value, by place, as
  // columns: at (which point), x, y, lo, hi (NaN without), and flags by point.
  function view(line, ax, mode) {
    const scaled = value(line, mode);
    const several = runsOf(line);
    const rows = [];
    for (let i = 0; i < line.value.length; i++) {
      const of = several.get(line.commit[i]);
      const x = ax.place(line.commit[i]) + (of ? (of.seen++ / of.n) * ax.width : 0);
      if (known(x) && known(scaled.values[i])) rows.push([x, i]);
    }
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    const n = rows.length;
    const v = { line, mode, scaled, at: new Int32Array(n), x: new Float64Array(n), y: new Float64Array(n), lo: new Float64Array(n).fill(NaN), hi: new Float64Array(n).fill(NaN), place: new Map() };
    rows.forEach(([x, i], k) => {
      v.at[k] = i;
      v.x[k] = x;
      v.y[k] = scaled.values[i];
      v.place.set(i, k);
      if (!scaled.band) return;
      const lo = scaled.of(line.lo[i]), hi = scaled.of(line.hi[i]);
      if (known(lo) && known(hi)) {
        v.lo[k] = Math.min(lo, hi);
        v.hi[k] = Math.max(lo, hi);
      }
    });
    v.hollow = new Set(line.carried || []);
    v.aside = new Set(line.aside || []);
    v.outliers = new Map((line.outliers || []).map((o) => [o.point, o]));
    // The points of the curve: without excluded points and outliers.
    const joined = Int32Array.from(rows.keys()).filter((k) => !v.aside.has(v.at[k]) && !v.outliers.has(v.at[k]));
    v.stretches = stretches(joined, v.x, ax);
    return v;
  }

  // stretches splits points at long gaps in time, which a line must not bridge.
  function stretches(ks, xs, ax) {
    if (ax.kind !== "date" || ks.length < 3) return [ks];
    const gaps = Float64Array.from(ks.subarray(1), (k, j) => xs[k] - xs[ks[j]]);
    const long = Math.max(20 * gaps.slice().sort()[gaps.length >> 1], (ax.max - ax.min) / 20);
    const out = [];
    let begin = 0;
    gaps.forEach((d, j) => {
      if (d > long) out.push(ks.subarray(begin, (begin = j + 1)));
    });
    return out.concat([ks.subarray(begin)]);
  }

  // within returns the parts of stretches between two points, and one point more on either side.
  const within = (parts, begin, end) => parts.map((ks) => ks.subarray(Math.max(0, first(ks, begin) - 1), first(ks, end) + 1)).filter((ks) => ks.length);

  // runsOf counts the runs of commits with several runs.
  function runsOf(line) {
    const count = new Map();
    for (const c of line.commit) count.set(c, (count.get(c) || 0) + 1);
    const several = new Map();
    for (const [c, n] of count) if (n > 1) several.set(c, { n, seen: 0 });
    return several;
  }

  // first returns the first of sorted xs that is at least x.
  function first(xs, x) {
    let lo = 0, hi = xs.length;
    while (lo < hi) {
      const mid = (lo + hi) >> 1;
      if (xs[mid] < x) lo = mid + 1;
      else hi = mid;
    }
    return lo;
  }

  // nearest returns the index of the point closest to x, -1 without points.
  function nearest(xs, x) {
    const i = first(xs, x);
    if (i === xs.length) return i - 1;
    return i > 0 && x - xs[i - 1] <= xs[i] - x ? i - 1 : i;
  }

  // span returns the range of values between two positions. Outliers and intervals far from all other
  // values do not widen it: they become arrows at the edge.
  function span(views, x0, x1) {
    let lo = Infinity, hi = -Infinity, wideLo = Infinity, wideHi = -Infinity;
    const all = [Infinity, -Infinity];
    for (const v of views) {
      for (let k = first(v.x, x0); k < v.x.length && v.x[k] <= x1; k++) {
        const y = v.y[k];
        all[0] = Math.min(all[0], y);
        all[1] = Math.max(all[1], y);
        if (v.outliers.has(v.at[k]) || v.aside.has(v.at[k])) continue;
        lo = Math.min(lo, y);
        hi = Math.max(hi, y);
        if (v.lo[k] < wideLo) wideLo = v.lo[k];
        if (v.hi[k] > wideHi) wideHi = v.hi[k];
      }
    }
    if (lo > hi) [lo, hi] = all;
    if (lo > hi) return null;
    const log = views.some((v) => v.mode === "log");
    return log ? logSpan(lo, hi, wideLo, wideHi, all) : plainSpan(lo, hi, wideLo, wideHi, all);
  }

  function plainSpan(lo, hi, wideLo, wideHi, all) {
    const size = hi - lo;
    // Flat lines get room, so that noise does not look like a change.
    const room = Math.max(size, 0.02 * Math.max(Math.abs(lo), Math.abs(hi)), 1e-300);
    const from = Math.min(lo, Math.max(wideLo, lo - room), Math.max(all[0], lo - 0.5 * room));
    const to = Math.max(hi, Math.min(wideHi, hi + room), Math.min(all[1], hi + 0.5 * room));
    const least = Math.max(room - (to - from), 0) / 2;
    const pad = 0.08 * Math.max(to - from, room);
    return pad > 1e-299 ? [from - least - pad, to + least + pad] : [-1, 1];
  }

  function logSpan(lo, hi, wideLo, wideHi, all) {
    const from = Math.min(lo, Math.max(wideLo, lo / 2), Math.max(all[0], lo / 10));
    const to = Math.max(hi, Math.min(wideHi, hi * 2), Math.min(all[1], hi * 10));
    return [from / 1.15, to * 1.15];
  }

  // stepSpan returns the positions of a step: of its points, or of the visible points around it; null
  // outside the axis.
  function stepSpan(v, step) {
    let k0 = -1, k1 = -1;
    const exact0 = v.place.get(step.last), exact1 = v.place.get(step.first);
    if (exact0 !== undefined && exact1 !== undefined) [k0, k1] = [exact0, exact1];
    else {
      for (let k = 0; k < v.at.length; k++) {
        if (v.at[k] <= step.last) k0 = k;
        if (v.at[k] >= step.first && k1 < 0) k1 = k;
      }
    }
    if (k0 < 0 || k1 < 0) return null;
    return { k0, k1, x0: v.x[k0], x1: v.x[k1] };
  }

  // columns thins points to the resolution of a screen: of each pixel column the least, greatest and last
  // value, in their order. ks are indices in order, y their values, px(k) the pixel of a point; few points
  // are all kept.
  function columns(ks, y, px, width) {
    if (ks.length <= 4 * width) return Array.from(ks);
    const out = [];
    for (let j = 0; j < ks.length; ) {
      const column = Math.round(px(ks[j]));
      let least = ks[j], greatest = ks[j], last = ks[j];
      for (; j < ks.length && Math.round(px(ks[j])) === column; j++) {
        last = ks[j];
        if (y[last] < y[least]) least = last;
        if (y[last] > y[greatest]) greatest = last;
      }
      for (const k of [Math.min(least, greatest), Math.max(least, greatest), last]) if (k !== out[out.length - 1]) out.push(k);
    }
    return out;
  }

  // rows places labels without overlap: [{x, width, weight}] with x their middle. The weightiest come
  // first; each gets the first row with room, or -1.
  function rows(labels, count, left, right) {
    const taken = Array.from({ length: count }, () => []);
    const out = labels.map(() => ({ row: -1, x: 0 }));
    const order = labels.map((_, i) => i).sort((a, b) => labels[b].weight - labels[a].weight || a - b);
    for (const i of order) {
      const { width } = labels[i];
      if (width > right - left) continue;
      const x = Math.min(Math.max(labels[i].x - width / 2, left), right - width);
      const row = taken.findIndex((spans) => spans.every(([a, b]) => x >= b + 6 || x + width + 6 <= a));
      if (row < 0) continue;
      taken[row].push([x, x + width]);
      out[i] = { row, x };
    }
    return out;
  }

  // settle chooses a place for each label, the most important one first: the first of its boxes that
  // overlaps nothing taken before, or -1. A box is [left, top, right, bottom].
  function settle(labels, taken) {
    const boxes = [...taken];
    return labels.map((places) => {
      const i = places.findIndex(([l, t, r, b]) => boxes.every(([left, top, right, bottom]) => l >= right || r <= left || t >= bottom || b <= top));
      if (i >= 0) boxes.push(places[i]);
      return i;
    });
  }

  p.chartMaths = { axis, value, view, first, nearest, span, stepSpan, within, columns, rows, settle };
})(perftrack);
