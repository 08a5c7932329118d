// The rows of a comparison: names, groups, order.
"use strict";
(function (p) {
  const f = p.format;

  // The index lists the groups of rows, the worst first.
  let byKey = null;
  function groupCalled(key) {
    byKey = byKey || new Map(p.index.groups.map((g, rank) => [g.key, { ...g, rank }]));
    return byKey.get(key) || { key, word: key, tone: "muted", rank: byKey.size };
  }
  // toneOf returns the tone of a row's change: plain unless its group is shown at first.
  const toneOf = (r) => (groupCalled(r.group).shown && groupCalled(r.group).tone !== "muted" ? groupCalled(r.group).tone : "plain");

  function groupOf(d, row) {
    if (row.settled) return "settled";
    if (row.verdict) return row.verdict;
    if (row.derived) return "derived";
    const far = row.change === null || row.absolute || Math.abs(Math.log1p(row.change)) >= Math.log1p(row.threshold);
    return row.change !== null && far && !(row.absolute && row.change === 0) ? "moved" : "alike";
  }

  // size returns a change as a distance: twice and half are equally far, a change without a ratio is
  // farthest.
  function size(row) {
    if (row.absolute) return row.change === 0 ? 0 : Math.sign(row.change) * Infinity;
    if (row.change === null || row.change <= -1) return row.change === null ? null : -Infinity;
    return Math.log1p(row.change);
  }

  // worse is the size with the sign for the worse.
  const worse = (row) => (size(row) === null ? null : size(row) * (row.better > 0 ? -1 : 1));

  const orders = {
    worst: { word: "worst first", by: (x, y) => groupCalled(x.group).rank - groupCalled(y.group).rank || far(y) - far(x) },
    change: { word: "largest change", by: (x, y) => far(y) - far(x) },
    certainty: { word: "most certain first", by: (x, y) => certainty(y.row) - certainty(x.row) },
    name: { word: "name", by: (x, y) => p.compareValues(x.package + " " + x.name, y.package + " " + y.name, 1) },
  };
  function far(x) {
    const of = Math.abs(size(x.row) === null ? 0 : size(x.row));
    return Number.isFinite(of) ? of : 1e9;
  }
  // certainty returns how many half-widths of its interval a change is from 0. An exact change is surest.
  function certainty(row) {
    if (row.exact || row.lo === null || row.hi === null) return row.exact && row.change ? 1e9 : -1;
    const half = (row.hi - row.lo) / 2;
    return half > 0 ? Math.abs(row.change) / half : row.change ? 1e9 : 0;
  }

  // rowsOf returns the rows of a comparison with their data of the index.
  function rowsOf(d) {
    return d.rows.map((row, i) => {
      if (row.threshold === undefined) row.threshold = d.threshold;
      const b = row.b >= 0 ? p.index.benchmarks[row.b] : null;
      const of = b || row;
      return { i, row, benchmark: b, name: of.name || "", package: of.package || "", target: of.target || "", suite: of.suite || "", group: groupOf(d, row) };
    });
  }

  // shortener returns a function that removes the common beginning of the packages.
  function shortener(rows) {
    const all = [...new Set(rows.map((r) => r.package).filter(Boolean))];
    if (all.length < 2) return () => "";
    let root = all[0];
    for (const one of all) {
      while (!one.startsWith(root)) root = root.slice(0, Math.max(0, root.lastIndexOf("/", root.length - 2) + 1));
    }
    return (name) => name.slice(root.endsWith("/") ? root.length : 0) || name;
  }

  // shown turns a number of the terminal, whose unit is in the column's head, into one with its unit:
  // 1.718µ of sec/op is 1.718 µs.
  function shown(text, unit) {
    const m = /^(-?[\d.]+(?:e[+-]\d+)?)([TGMKkmµn]?i?)( .*)?$/.exec(text || "");
    if (!m) return text || f.dash;
    return (m[1] + " " + f.behind(m[2], unit)).trim() + (m[3] || "");
  }

  // trialName returns the end of a trial's id, the part that differs.
  const trialName = (of) => "trial " + of.replace(/^\d{8}T(\d{6})/, "$1");

  // changeOf returns the change of a row, with the unit if it has no ratio, and its interval.
  function changeOf(row) {
    const text = row.shown.change || "";
    const at = text.search(/ [[(]/);
    const [estimate, interval] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    return [row.absolute && estimate && f.unit(row.unit) ? estimate + " " + f.unit(row.unit) : estimate, interval];
  }

  p.comparison = { get groups() { return p.index.groups; }, groupCalled, toneOf, groupOf, orders, rowsOf, shortener, shown, trialName, changeOf, size, worse };
})(perftrack);
