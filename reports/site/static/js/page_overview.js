// The overview: how things stand.
"use strict";
(function (p) {
  p.page("overview", {
    title: () => "Overview",
    render(main) {
      p.clear(main, p.el("h1", null, "Overview"), p.table({
        caption: "Benchmarks",
        columns: [{ key: "name", title: "Name", sort: true }],
        rows: p.index.benchmarks, rowHref: (b) => p.href("b", b.path),
      }));
    },
  });
})(perftrack);
