// What a comparison says of its rows, for the pages that show one: names, groups, order.
"use strict";
(function (p) {
  const f = p.format;

  // Groups of rows: what a reader asks for. The order is that of the chips. A row that only one of
  // several trials left open is settled, one that shows the change of another nested: both are
  // there, and not counted.
  const groups = [
    { key: "regressed", word: "regressed", shown: true },
    { key: "accepted", word: "accepted", shown: true },
    { key: "changed", word: "changed", shown: true },
    { key: "suspect", word: "suspect", shown: true },
    { key: "moved", word: "differ, no verdict", one: "no verdict", why: "beyond the threshold", state: "", shown: true },
    { key: "improved", word: "improved", shown: true },
    { key: "not checked", word: "not checked" },
    { key: "not comparable", word: "not comparable" },
    { key: "inconclusive", word: "inconclusive" },
    { key: "settled", word: "decided by another trial", one: "decided by another trial", state: "" },
    { key: "unchanged", word: "unchanged" },
    { key: "alike", word: "within the threshold, no verdict", one: "no verdict", why: "within the threshold", state: "" },
    { key: "derived", word: "follow from the time", one: "no verdict", why: "follows from the time", state: "" },
  ];
  const rank = Object.fromEntries(groups.map((g, i) => [g.key, i]));

  function groupOf(d, row) {
    if (row.settled) return "settled";
    if (row.verdict === "regressed" && row.accepted) return "accepted";
    if (row.verdict) return row.verdict;
    if (row.derived) return "derived";
    const far = row.change === null || row.absolute || Math.abs(Math.log1p(row.change)) >= Math.log1p(row.threshold);
    return row.change !== null && far && !(row.absolute && row.change === 0) ? "moved" : "alike";
  }

  // size is a change as a distance: twice and half are equally far. What has no ratio is farthest.
  function size(row) {
    if (row.absolute) return row.change === 0 ? 0 : Math.sign(row.change) * Infinity;
    if (row.change === null || row.change <= -1) return row.change === null ? null : -Infinity;
    return Math.log1p(row.change);
  }

  // worse is the size with its sign turned so that more is worse.
  const worse = (row) => (size(row) === null ? null : size(row) * (row.better > 0 ? -1 : 1));

  const orders = {
    worst: { word: "worst first", by: (x, y) => bucket(x) - bucket(y) || far(y) - far(x) },
    change: { word: "largest change", by: (x, y) => far(y) - far(x) },
    certainty: { word: "surest first", by: (x, y) => certainty(y.row) - certainty(x.row) },
    name: { word: "name", by: (x, y) => p.compareValues(x.package + " " + x.name, y.package + " " + y.name, 1) },
  };
  const bucket = (x) => (rank[x.group] <= rank.moved ? Math.min(rank[x.group], rank.changed) : rank[x.group]);
  function far(x) {
    const of = Math.abs(size(x.row) === null ? 0 : size(x.row));
    return Number.isFinite(of) ? of : 1e9;
  }
  // certainty is how many half-widths of its interval a change lies from no change; a change that
  // repeats exactly is surest.
  function certainty(row) {
    if (row.exact || row.lo === null || row.hi === null) return row.exact && row.change ? 1e9 : -1;
    const half = (row.hi - row.lo) / 2;
    return half > 0 ? Math.abs(row.change) / half : row.change ? 1e9 : 0;
  }

  // rowsOf are the rows of a comparison with what the index knows of them.
  function rowsOf(d) {
    return d.rows.map((row, i) => {
      if (row.threshold === undefined) row.threshold = d.threshold;
      const b = row.b >= 0 ? p.index.benchmarks[row.b] : null;
      const of = b || row;
      return { i, row, benchmark: b, name: of.name || "", package: of.package || "", target: of.target || "", suite: of.suite || "", group: groupOf(d, row) };
    });
  }

  // short is the package without what all have in common.
  function shortener(rows) {
    const all = [...new Set(rows.map((r) => r.package).filter(Boolean))];
    if (all.length < 2) return () => "";
    let root = all[0];
    for (const one of all) {
      while (!one.startsWith(root)) root = root.slice(0, Math.max(0, root.lastIndexOf("/", root.length - 2) + 1));
    }
    return (name) => name.slice(root.endsWith("/") ? root.length : 0) || name;
  }

  // shown is a number of a row as the terminal writes it, with the unit that it has there in the
  // head of the table: 1.718µ of sec/op is 1.718 µs.
  function shown(text, unit) {
    const m = /^(-?[\d.]+(?:e[+-]\d+)?)([TGMKkmµn]?i?)( .*)?$/.exec(text || "");
    if (!m) return text || f.dash;
    return (m[1] + " " + f.behind(m[2], unit)).trim() + (m[3] || "");
  }

  // trialName is the end of a trial's id, which tells it from others.
  const trialName = (of) => "trial " + of.replace(/^\d{8}T(\d{6})/, "$1");

  // changeOf is the change of a row, with the unit where it has no ratio, and its interval.
  function changeOf(row) {
    const text = row.shown.change || "";
    const at = text.search(/ [[(]/);
    const [estimate, interval] = at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
    return [row.absolute && estimate && f.unit(row.unit) ? estimate + " " + f.unit(row.unit) : estimate, interval];
  }

  p.comparison = { groups, groupOf, orders, rowsOf, shortener, shown, trialName, changeOf, size, worse, rank };
})(perftrack);
