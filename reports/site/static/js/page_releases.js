// The geometric mean of every package from release to release.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const lines = 8; // in the chart

  // chained multiplies the changes from the first release of a package on.
  function chained(of) {
    let level = null;
    return of.change.map((c, i) => {
      if (!of.measured[i]) return null;
      if (level === null) return (level = 1) - 1;
      if (c === null) return (level = 1) - 1; // no ratio: a new beginning
      return (level *= 1 + c) - 1;
    });
  }

  const worse = (c, better) => c * -better;

  const tagOf = (doc, i) => (doc.list[i].now ? "since " + p.text(doc.list[i - 1].tag) : p.text(doc.list[i].tag));

  // tone is worse or better for a change beyond the threshold whose interval excludes 0.
  function tone(of, c, lo, hi) {
    if (!of.better || c === null || Math.abs(c) < p.index.meta.threshold || lo === null || hi === null || lo * hi <= 0) return null;
    return worse(c, of.better) > 0 ? "worse" : "better";
  }
  const toneAt = (of, i) => tone(of, of.change[i], of.lo[i], of.hi[i]);

  function cell(of, i, route) {
    if (!of.measured[i]) return el("span", { class: "muted", title: "not measured" }, "·");
    if (of.change[i] === null) {
      const first = of.measured.slice(0, i).every((n) => !n);
      const why = first ? null : "no benchmark has a value above 0 at both this release and the one measured before";
      return el("span", { class: "muted", title: why }, first ? "first" : "no ratio", el("small", null, f.count(of.measured[i], "benchmark")));
    }
    const moved = (of.moved || []).filter((m) => m.release === i).length;
    const said = toneAt(of, i);
    const text = [said === "worse" ? "✖ " : said === "better" ? "✚ " : "", f.change(of.change[i], of.better, of.unit)];
    return el("span", { class: said }, moved ? el("a", { href: p.href("releases", "", { ...route.query, of: place(of), at: i }) }, text) : text,
      el("small", { class: "muted", title: of.measured[i] + " were measured" + (of.carried[i] ? ", " + of.carried[i] + " of them carried over from the same machine code" : "") },
        of.lo[i] === null ? "no interval" : f.between(of.change[i], of.lo[i], of.hi[i], of.better, of.unit)),
      el("small", { class: "muted" }, (moved ? moved + " moved, " : "") + "of " + of.of[i]));
  }
  const place = (of) => [of.target, of.package].filter(Boolean).join(" ");

  // movedAt lists the benchmarks that moved in the package and release of the address, the worst first.
  function movedAt(doc, packages, route) {
    const i = Number(route.query.at);
    const of = packages.find((x) => place(x) === route.query.of);
    if (!of || !doc.list[i]) return null;
    const rows = (of.moved || []).filter((m) => m.release === i).sort((x, y) => worse(y.change, of.better || -1) - worse(x.change, of.better || -1));
    const before = of.measured.slice(0, i).findLastIndex((n) => n > 0);
    const hash = (r) => f.hash((p.commits[doc.list[r].commit] || {}).sha);
    return el("section", { id: "moved" }, el("h2", null, "Changes in ", el("bdi", null, name(of)), ", ", tagOf(doc, i)),
      el("p", { class: "muted" }, f.count(rows.length, "benchmark") + " of " + of.of[i] + " by " + f.percent(p.index.meta.threshold) + " or more. ",
        before < 0 ? null : el("a", { href: p.href("compare", "", { base: hash(before), head: hash(i) }) }, "Compare both commits"), " · ", el("a", { href: p.href("releases", "", { ...route.query, of: null, at: null }) }, "Close")),
      p.table({ caption: "Changes", rows, columns: [
        { key: "b", title: "Benchmark", sort: (m) => p.index.benchmarks[m.b].path, render: (m) => el("a", { href: p.href("b", p.index.benchmarks[m.b].path) }, el("bdi", null, p.index.benchmarks[m.b].path)) },
        { key: "change", title: "Change", align: "right", sort: true, first: "descending", render: (m) => el("span", { class: tone(of, m.change, m.lo, m.hi) }, f.change(m.change, of.better, of.unit)) },
        { key: "range", title: "95 % interval", align: "right", fold: 2, render: (m) => (m.lo === null ? "no interval: too few runs" : f.between(m.change, m.lo, m.hi, of.better, of.unit)) },
      ] }));
  }

  p.page("releases", {
    title: () => "Releases",
    async render(main, route) {
      const doc = await p.load("releases");
      const head = el("h1", null, "Releases");
      if (!doc.list.length) {
        p.clear(main, head, p.empty(doc.tagged ? "The measured tagged commits are not on this branch." : "No tagged commit was measured. Tags count as releases. To measure the last ones:",
          doc.tagged ? null : "perftrack backfill TAG1..TAG2"));
        return;
      }
      const units = [...new Set(doc.packages.map((x) => x.unit))];
      const unit = units.includes(route.query.unit) ? route.query.unit : units.includes("sec/op") ? "sec/op" : units[0];
      const used = new Set(doc.packages.map((x) => x.env));
      const envs = p.index.environments.map((e, i) => [e.id, e.label, i]).filter(([, , i]) => used.has(i));
      const env = (envs.find(([id]) => id === route.query.env) || envs[0] || ["", "", 0])[2];
      const packages = doc.packages.filter((x) => x.unit === unit && x.env === env);
      const moved = packages.map((of) => ({ of, level: chained(of) })).sort((a, b) => extent(b) - extent(a));
      const released = doc.list.filter((r) => !r.now).length;
      p.clear(main, head,
        el("p", { class: "lead" }, "At ", el("b", null, el("bdi", null, doc.list[released - 1].tag)), ", the newest measured release, ", changed(packages, released - 1),
          released < doc.list.length ? ["; since then ", changed(packages, released)] : null, ". ", el("span", { class: "muted" }, "A package is shown as a geometric mean over its benchmarks, each with the median of the release's run and its neighbours on the same level, with a 95 % interval. ",
            "Changes of ", f.percent(p.index.meta.threshold), " or more are coloured. The lines multiply the changes.")),
        el("div", { class: "filters" }, p.pick("Unit", units.map((u) => [u, u]), unit, (u) => p.setQuery({ unit: u })),
          p.pick("Environment", envs.map(([id, label]) => [id, label]), (p.index.environments[env] || {}).id, (id) => p.setQuery({ env: id }))),
        released < 2 ? p.empty("Only one release was measured, " + p.text(doc.list[0].tag) + ": comparing takes two.", "perftrack backfill TAG1..TAG2") : p.plot({
          label: unit + ", since each package's first release", labels: doc.list.map((r) => (r.now ? "now" : p.text(r.tag))), height: 240,
          format: (v) => (v === 0 ? "0 %" : f.change(v, 0, "x")),
          series: moved.slice(0, lines).map((m, i) => ({ name: name(m.of), values: m.level, tone: "c" + i })),
        }),
        moved.length > lines ? el("p", { class: "muted" }, "The " + lines + " packages with the largest changes are drawn; all are in the table.") : null,
        movedAt(doc, packages, route), table(doc, packages, route));
    },
  });

  // changed counts the packages that a release made worse and better.
  function changed(packages, i) {
    const count = (word) => packages.filter((of) => toneAt(of, i) === word).length;
    const slower = count("worse"), faster = count("better");
    const some = new Set(packages.flatMap((of) => (of.moved || []).filter((m) => m.release === i && tone(of, m.change, m.lo, m.hi) === "worse").map((m) => m.b))).size;
    return [slower ? el("b", { class: "worse" }, f.count(slower, "package") + " became worse") : faster ? null : "no package changed", slower && faster ? " and " : null, faster ? f.count(faster, "package") + " better" : null,
      some ? [", ", el("b", { class: "worse" }, f.count(some, "benchmark") + " slower")] : null];
  }

  const extent = (m) => Math.max(0, ...m.level.filter((v) => v !== null).map((v) => Math.abs(Math.log1p(v))));
  const name = (of) => of.package || of.target || "(no package)";

  function table(doc, packages, route) {
    const order = doc.list.map((_, i) => i).reverse(); // the newest first
    return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Changes by release" }, p.table({
      caption: "Change from the previous release, by package", rows: packages, class: "releases",
      columns: [{ key: "package", title: "Package", sort: name, render: (of) => [el("bdi", null, name(of)), of.package && of.target ? el("small", { class: "muted" }, of.target) : null] },
        ...order.map((i) => ({ key: "r" + i, title: tagOf(doc, i), align: "right", sort: (of) => of.change[i], first: "descending", render: (of) => cell(of, i, route) }))],
    }));
  }
})(perftrack);
