// A comparison: #/c/KEY with a key of the list, the id of a trial, or on a live site any BASE..HEAD.
"use strict";
(function (p) {
  p.page("c", {
    title: () => "Comparison",
    async render(main, route) {
      const key = route.path.join("/");
      const runs = await p.load("runs");
      const row = (runs.comparisons || []).find((r) => r.key === key) || (runs.comparisons || []).find((r) => (r.trials || []).includes(key));
      const range = /^([^.].*?)\.\.([^.].*)$/.exec(key);
      if (row || p.index.meta.live) {
        p.comparisonView(main, await p.load("c/" + (row ? row.key : key)), route);
        return;
      }
      if (range) {
        location.replace(p.href("compare", "", { base: range[1], head: range[2] }));
        return;
      }
      const run = (runs.list || []).find((r) => r.trial === key);
      p.clear(main, p.el("h1", null, "Comparison"), p.empty(run ? "The trial " + p.text(key) + " is not a comparison of two commits but a calibration, a bisection or a baseline, or this site is limited to newer trials."
        : "This site has no comparison called " + p.text(key.slice(0, 80)) + ". The comparison may be newer than the site, or the site omits it.", /^[\w.-]+$/.test(key) ? "perftrack compare " + key : null));
    },
  });
})(perftrack);
