// Steps of several benchmarks between the same commits, shown as one change.
"use strict";
(function (p) {
  const { el, format: f } = p;

  // size returns how much worse a step is: doubling counts like halving, a step from 0 like a half more.
  function size(r) {
    if (r.change === null || r.change <= -1) return r.change === null ? Math.log(1.5) : 0;
    const log = Math.log1p(r.change);
    return r.better > 0 ? -log : r.better < 0 ? log : Math.abs(log);
  }
  const bySize = (x, y) => size(y) - size(x) || x.b - y.b;

  // groups puts steps with the same commits, environment and state together, the worst first, or by date
  // the newest first.
  function groups(list, sort) {
    const all = new Map();
    for (const r of list) {
      const key = [r.after, r.upTo, r.env, r.state, r.found || "", r.drift > 0].join(" ");
      if (!all.has(key)) all.set(key, []);
      all.get(key).push(r);
    }
    const out = [...all.values()].map((rows) => rows.sort(bySize));
    const newest = (x, y) => y[0].upTo - x[0].upTo;
    return out.sort((x, y) => (sort === "date" ? newest(x, y) || bySize(x[0], y[0]) : bySize(x[0], y[0]) || newest(x, y)));
  }

  const benchmark = (r) => p.index.benchmarks[r.b] || { path: "", name: "?", package: "" };

  // row shows a step of one benchmark on a line, followed by proof.
  function row(r, proof) {
    const b = benchmark(r);
    const tone = r.state === "open" ? "worse" : r.state === "improved" ? "better" : null;
    const interval = r.lo === null || r.hi === null || r.lo === r.hi ? null : "(" + f.between(r.change, r.lo, r.hi, r.better, r.unit) + ")";
    const now = r.now === null || Math.abs(r.now - r.change) < 5e-4 ? null : [el("span", { class: "muted" }, "now "), f.change(r.now, r.better, r.unit)];
    return el("li", { id: "r-" + r.id }, el("a", { href: p.href("b", b.path) }, el("bdi", null, b.path || b.name)), " ", el("span", { class: "muted" }, r.unit), " ",
      el("b", { class: tone }, r.change === null ? (r.state === "open" ? "worse" : "changed") : f.change(r.change, r.better, r.unit)), " ",
      interval ? el("span", { class: "muted" }, interval, " ") : null, el("span", { class: "from" }, f.value(r.from, r.unit), " → ", f.value(r.to, r.unit)), now ? [" ", now] : null, proof ? [" ", proof] : null);
  }

  // list shows the rows of steps, and folds a long list.
  function list(rows, proof) {
    const some = 8;
    const items = rows.map((r) => row(r, proof && proof(r)));
    return [el("ul", { class: "changes" }, items.slice(0, some)),
      items.length > some ? el("details", null, el("summary", null, f.count(items.length - some, "more", "more")), el("ul", { class: "changes" }, items.slice(some))) : null];
  }

  const benchmarks = (rows) => new Set(rows.map((r) => r.b)).size;

  p.changes = { groups, size, list, benchmark, benchmarks };
})(perftrack);
