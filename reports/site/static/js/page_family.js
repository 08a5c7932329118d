// #/family: several benchmarks in one chart: those with different parameters, or those in the address.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const most = 16; // lines that are still distinct

  const level = (line) => (line.levels.length ? line.levels.at(-1).center : line.value.at(-1));
  const first = (line) => (line.levels.length ? line.levels[0].center : line.value[0]);

  // byCommit returns the lines over the commits, as change from the first run or as values.
  function byCommit(members, percent) {
    const places = [...new Set(members.flatMap((m) => m.line.commit))].filter((i) => i >= 0).sort((a, b) => a - b);
    const at = new Map(places.map((c, i) => [c, i]));
    return {
      labels: places.map((i) => (p.commits[i].tags || [])[0] || p.commits[i].sha.slice(0, 7)),
      series: members.slice(0, most).map((m, k) => {
        const values = places.map(() => null);
        m.line.commit.forEach((c, i) => {
          const v = m.line.value[i];
          if (at.has(c) && v !== null && !(m.line.aside || []).includes(i)) values[at.get(c)] = percent ? v / first(m.line) - 1 : v;
        });
        return { name: m.short, values, tone: "c" + (k % 8) };
      }),
    };
  }

  // byParameter returns a line for the benchmarks that differ only in this parameter, now and at first.
  function byParameter(members, [key, values]) {
    const labels = [...new Set(members.map((m) => values.get(m.i)))].sort((a, b) => a - b);
    const groups = new Map();
    for (const m of members) {
      const rest = m.b.name.split("/").filter((part, k) => k && "part " + k !== key && !part.startsWith(key + "=")).join("/");
      if (!groups.has(rest)) groups.set(rest, []);
      groups.get(rest).push(m);
    }
    const log = (v) => (v > 0 ? Math.log10(v) : null);
    const line = (list, of) => labels.map((x) => { const m = list.find((y) => values.get(y.i) === x); return m ? log(of(m.line)) : null; });
    return {
      labels: labels.map((x) => f.commas(String(x))),
      series: [...groups].slice(0, most / 2).flatMap(([rest, list], k) => [
        { name: (rest ? rest + ", " : "") + "now", values: line(list, level), tone: "c" + (2 * k) % 8 },
        { name: (rest ? rest + ", " : "") + "at first", values: line(list, first), tone: "c" + (2 * k + 1) % 8 }]),
    };
  }

  p.page("family", {
    title: (route) => p.text(route.query.stem || "Several benchmarks"),
    async render(main, route) {
      const q = route.query;
      const of = p.family(q, p.index.benchmarks);
      const head = el("h1", { dir: "auto" }, q.stem || "Several benchmarks");
      if (!of.length) return p.clear(main, head, p.empty("This site has no benchmark for this address."), el("p", null, el("a", { href: "#/" }, "All benchmarks")));
      const docs = await Promise.all(of.slice(0, 60).map((b) => p.load("b/" + b.id)));
      const lines = docs.map((d) => d.lines.filter((l) => !l.branch));
      const units = [...new Set(lines.flatMap((ls) => ls.map((l) => l.unit)))];
      const unit = units.includes(q.unit) ? q.unit : units.includes("sec/op") ? "sec/op" : units[0];
      const envs = [...new Set(lines.flatMap((ls) => ls.map((l) => l.env)))].sort((a, b) => a - b);
      const env = (envs.map((e) => [e, p.index.environments[e]]).find(([, e]) => e && e.id === q.env) || [envs[0]])[0];
      const parameters = p.parameters(of.slice(0, 60).map((b) => b.name));
      const x = parameters.find(([name]) => name === q.x);
      const short = (b) => (q.stem ? p.rows.values(b.name) : b.path) || b.name;
      const members = of.slice(0, 60).map((b, i) => ({ b, i, short: short(b), line: lines[i].find((l) => l.unit === unit && l.env === env) })).filter((m) => m.line && m.line.value.length)
        .sort((a, b) => p.compareNames(a.b.name, b.b.name));
      const better = members.length ? members[0].line.better : 0;
      const percent = q.y !== "absolute";
      const drawn = x ? byParameter(members, x) : byCommit(members, percent);
      const format = x ? (v) => f.value(10 ** v, unit) : percent ? (v) => (v === 0 ? "0 %" : f.change(v, better, "x")) : (v) => f.value(v, unit);
      p.clear(main, head,
        el("p", { class: "lead" }, f.count(members.length, "benchmark"), q.stem ? [" of ", el("bdi", null, q.of)] : null, ", ", unit,
          x ? [" by ", x[0], ", now and in the first run, on a logarithmic scale"] : percent ? ", change from the first level" : "", members.length > most && !x ? "; only the first " + most + " are drawn" : "", "."),
        el("div", { class: "filters" }, p.pick("x", [["", "commit"], ...parameters.map(([name]) => [name, name])], x ? x[0] : "", (v) => p.setQuery({ x: v || null })),
          x ? null : p.pick("y", [["", "% from first"], ["absolute", "absolute"]], percent ? "" : "absolute", (v) => p.setQuery({ y: v || null })),
          p.pick("Unit", units.map((u) => [u, u]), unit, (u) => p.setQuery({ unit: u })),
          p.pick("Environment", envs.filter((e) => p.index.environments[e]).map((e) => [p.index.environments[e].id, p.index.environments[e].label]), (p.index.environments[env] || {}).id, (id) => p.setQuery({ env: id }))),
        members.length ? p.plot({ label: unit + (x ? " by " + x[0] : ""), labels: drawn.labels, height: 320, format, series: drawn.series }) : p.empty("None of them has this unit in this environment."),
        p.table({ caption: "Benchmarks", rows: members, columns: [
          { key: "name", title: "Benchmark", sort: (m) => m.b.name, render: (m) => el("a", { href: p.href("b", m.b.path) }, el("bdi", null, m.short)) },
          { key: "now", title: "Level now", align: "right", sort: (m) => level(m.line), render: (m) => f.value(level(m.line), unit) },
          { key: "first", title: "At first", align: "right", fold: 3, sort: (m) => first(m.line), render: (m) => f.value(first(m.line), unit) },
          { key: "change", title: "Change", align: "right", sort: (m) => level(m.line) / first(m.line), first: "descending", render: (m) => f.change(level(m.line) / first(m.line) - 1, m.line.better, unit) },
          { key: "steps", title: "Steps", align: "right", fold: 2, sort: (m) => m.line.steps.length, render: (m) => String(m.line.steps.length) },
        ] }));
    },
  });
})(perftrack);
