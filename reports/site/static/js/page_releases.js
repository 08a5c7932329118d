// From release to release: the geometric mean of every package.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const lines = 8; // of the chart

  // chained multiplies the changes up, from the first release of a package on.
  function chained(of) {
    let level = null;
    return of.change.map((c, i) => {
      if (!of.measured[i]) return null;
      if (level === null) return (level = 1) - 1;
      if (c === null) return (level = 1) - 1; // no ratio: it begins anew
      return (level *= 1 + c) - 1;
    });
  }

  const worse = (c, better) => c * -better;

  function cell(of, i) {
    if (!of.measured[i]) return el("span", { class: "muted", title: "not measured" }, "·");
    if (of.change[i] === null) {
      const first = of.measured.slice(0, i).every((n) => !n);
      const why = first ? null : "no benchmark has a value above 0 at this and at the release measured before it";
    return el("span", { class: "muted", title: why }, first ? "first" : "no ratio", el("small", null, f.count(of.measured[i], "benchmark")));
    }
    const c = of.change[i];
    const matters = of.better !== 0 && Math.abs(c) >= p.index.meta.threshold;
    const tone = !matters ? null : worse(c, of.better) > 0 ? "worse" : "better";
    const sign = tone === "worse" ? "✖ " : tone === "better" ? "✚ " : "";
    return el("span", { class: tone }, sign, f.change(c, of.better, of.unit),
      el("small", { class: "muted", title: of.measured[i] + " were measured" + (of.carried[i] ? ", " + of.carried[i] + " of them carried over from the same machine code" : "") }, "of " + of.of[i]));
  }

  p.page("releases", {
    title: () => "Releases",
    async render(main, route) {
      const doc = await p.load("releases");
      const head = el("h1", null, "Releases");
      if (!doc.list.length) {
        p.clear(main, head, p.empty(doc.tagged ? "Tagged commits were measured, but none of them is on this branch." : "No tagged commit was measured. Tags are releases here; measure the last ones:",
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
      const newest = doc.list.at(-1);
      const total = packages.filter((of) => of.change.at(-1) !== null && Math.abs(of.change.at(-1)) >= p.index.meta.threshold && of.better);
      const slower = total.filter((of) => worse(of.change.at(-1), of.better) > 0).length;
      p.clear(main, head,
        el("p", { class: "lead" }, "At ", el("b", null, el("bdi", null, newest.tag)), ", the newest measured release, ",
          slower ? el("b", { class: "worse" }, f.count(slower, "package") + " became worse") : "no package became worse", " and ", f.count(total.length - slower, "package"),
          " better by ", f.percent(p.index.meta.threshold), " or more. A figure is the geometric mean of one package's benchmarks that both releases have; runs of commits with the same machine code count. The lines multiply the changes up, and begin anew where two releases share no benchmark."),
        el("div", { class: "filters" }, p.pick("Unit", units.map((u) => [u, u]), unit, (u) => p.setQuery({ unit: u })),
          p.pick("Environment", envs.map(([id, label]) => [id, label]), (p.index.environments[env] || {}).id, (id) => p.setQuery({ env: id }))),
        doc.list.length < 2 ? p.empty("There is one measured release, " + p.text(newest.tag) + ": it takes two to compare them.", "perftrack backfill TAG1..TAG2") : p.plot({
          label: unit + ", from the first release of each package on", labels: doc.list.map((r) => p.text(r.tag)), height: 240,
          format: (v) => (v === 0 ? "0 %" : f.change(v, 0, "x")),
          series: moved.slice(0, lines).map((m, i) => ({ name: name(m.of), values: m.level, tone: "c" + i })),
        }),
        moved.length > lines ? el("p", { class: "muted" }, "The " + lines + " packages that moved most are drawn; all are below.") : null,
        table(doc, packages));
    },
  });

  const extent = (m) => Math.max(0, ...m.level.filter((v) => v !== null).map((v) => Math.abs(Math.log1p(v))));
  const name = (of) => of.package || of.target || "(no package)";

  function table(doc, packages) {
    const order = doc.list.map((_, i) => i).reverse(); // the newest beside the name
    return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": "Changes by release" }, p.table({
      caption: "Change from the release before, a package", rows: packages, class: "releases",
      columns: [{ key: "package", title: "Package", sort: name, render: (of) => [el("bdi", null, name(of)), of.package && of.target ? el("small", { class: "muted" }, of.target) : null] },
        ...order.map((i) => ({ key: "r" + i, title: p.text(doc.list[i].tag), align: "right", sort: (of) => of.change[i], first: "descending", render: (of) => cell(of, i) }))],
    }));
  }
})(perftrack);
