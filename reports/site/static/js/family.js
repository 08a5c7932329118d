// Benchmarks that belong together, and the parameters in their names.
"use strict";
(function (p) {
  // members returns the benchmarks of an address: b=PATH~PATH, or of=PACKAGE and stem=Sort/n=*.
  p.family = function (query, all) {
    if (query.b) return query.b.split("~").map((path) => all.find((b) => b.path === path)).filter(Boolean);
    return all.filter((b) => p.rows.packageOf(b) === query.of && p.rows.stem(b.name) === query.stem);
  };

  // parameters returns the numeric parameters that differ between names: [name, Map of index to value].
  p.parameters = function (names) {
    const found = new Map();
    names.forEach((name, i) => {
      name.split("/").forEach((part, k) => {
        const m = k ? /^(?:([^=]+)=)?(-?[\d.]+)(?:e(\d+))?([kKMG]?)i?[A-Za-z]{0,3}$/.exec(part) : null;
        if (!m) return;
        const key = m[1] || "part " + k;
        if (!found.has(key)) found.set(key, new Map());
        found.get(key).set(i, Number(m[2]) * 10 ** Number(m[3] || 0) * { "": 1, k: 1e3, K: 1e3, M: 1e6, G: 1e9 }[m[4]]);
      });
    });
    return [...found].filter(([, values]) => values.size === names.length && new Set(values.values()).size > 1);
  };
})(perftrack);
