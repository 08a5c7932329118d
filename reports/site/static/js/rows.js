// The rows of the overview: the line that represents a benchmark, filters, folds and order. Needs no
// document.
"use strict";
(function (p) {
  // The index lists the states of lines, the worst first.
  let byKey = null;
  const unknown = { rank: Infinity };
  function stateOf(key) {
    byKey = byKey || new Map(p.index.states.map((s, rank) => [s.key, { ...s, rank }]));
    return byKey.get(key) || unknown;
  }
  const telling = (key) => Boolean(stateOf(key).telling);
  const unresolved = (line) => Boolean(stateOf(line.state).unresolved);
  const worse = (line) => Boolean(stateOf(line.state).worse);

  // stem replaces the parameters of a name by *: "Sort/n=1000/map" becomes "Sort/n=*/map". The part before
  // the first slash stays.
  function stem(name) {
    return name.split("/").map((part, i) => {
      if (i === 0) return part;
      const at = part.indexOf("=");
      if (at > 0) return part.slice(0, at) + "=*";
      return /^\d[\d_.,x]*\w{0,3}$/.test(part) ? "*" : part;
    }).join("/");
  }

  // values returns the parameters of a name: "n=1000".
  function values(name) {
    const of = stem(name).split("/");
    return name.split("/").filter((part, i) => part !== of[i]).join("/");
  }

  // view reads the view from the query of an address, and query writes it.
  const list = (text) => (text ? text.split("~").filter(Boolean) : []);
  function view(query) {
    return {
      q: query.q || "", package: query.package || "", unit: query.unit || "", env: query.env || "", branch: query.branch || "",
      states: new Set(list(query.state)), sort: query.sort || "", dir: query.dir || "", open: new Set(list(query.open)),
    };
  }
  function query(v) {
    return {
      q: v.q || null, package: v.package || null, unit: v.unit || null, env: v.env || null, branch: v.branch || null,
      state: [...v.states].join("~") || null, sort: v.sort || null, dir: v.dir || null, open: [...v.open].join("~") || null,
    };
  }

  // size returns a change in the direction for the worse: doubling counts like halving, and a change from 0
  // like a half more.
  function size(line) {
    if ((line.change === null || line.change === undefined) && line.changeAt >= 0) return unresolved(line) ? 0.5 : 0;
    if (line.change === null || line.change === undefined || line.change <= -1) return 0;
    const log = Math.log(1 + line.change);
    return line.better > 0 ? -log : line.better < 0 ? log : Math.abs(log);
  }

  // changeOf formats a change.
  function changeOf(line) {
    const none = line.change === null || line.change === undefined;
    return none && line.changeAt >= 0 ? "from 0" : p.format.change(line.change, line.better, line.unit);
  }

  const packageOf = (b) => [b.target, b.package, b.suite, b.scope ? "scopes" : ""].filter(Boolean).join(" ");

  // entries returns the benchmarks of an index with the data for filters, made once.
  function entries(index) {
    const lost = new Set(index.now.lost || []);
    const stale = new Set(index.now.stale || []);
    return index.benchmarks.map((b, i) => ({
      b, i, package: packageOf(b), stem: stem(b.name), lost: lost.has(i), stale: stale.has(i),
      text: (b.name + " " + packageOf(b)).toLowerCase(),
    }));
  }

  // lineOf returns the line that represents a benchmark: its time in the environment measured last, unless
  // the user chose another line or another one regressed. A time that regressed in a check stays in front
  // of regressions in other units.
  function lineOf(b, v, environments) {
    let first = null;
    let worst = null;
    for (const line of b.lines || []) {
      if (v.unit && line.unit !== v.unit) continue;
      if (v.env && (environments[line.env] || {}).label !== v.env) continue;
      if ((line.branch || "") !== v.branch) continue;
      first = first || line;
      if (unresolved(line) && (!worst || (worst !== first && size(line) > size(worst)))) worst = line;
    }
    return first && (unresolved(first) || first.state === "checked") ? first : worst || first;
  }

  const statesOf = (e) => [e.line.state, e.lost ? "lost" : "", e.stale ? "stale" : ""];

  // select returns the entries that pass the filters, each with its line, and the number of entries of each
  // state without the filter by state.
  function select(all, v, environments) {
    const words = v.q.toLowerCase().split(/\s+/).filter(Boolean);
    const counts = { __proto__: null };
    const rows = [];
    for (const e of all) {
      if (v.package && e.package !== v.package) continue;
      if (!words.every((w) => e.text.includes(w))) continue;
      const line = lineOf(e.b, v, environments);
      if (!line) continue;
      const row = { ...e, line, size: size(line), allocs: allocsOf(e.b, line) };
      const of = statesOf(row);
      for (const s of of) if (s) counts[s] = (counts[s] || 0) + 1;
      if (v.states.size && !of.some((s) => v.states.has(s))) continue;
      rows.push(row);
    }
    return { rows, counts };
  }

  function allocsOf(b, line) {
    const of = b.lines.find((l) => l.unit === "allocs/op" && l.env === line.env && l.branch === line.branch);
    return of ? of.level : null;
  }

  const byName = (x, y) => p.compareNames(x.b.name, y.b.name) || x.i - y.i;
  function byWorst(x, y) {
    const [a, b] = [stateOf(x.line.state), stateOf(y.line.state)];
    return (a === b ? 0 : a.rank - b.rank) || (a.telling ? y.size - x.size : 0) || byName(x, y);
  }

  // The sortable columns with their values.
  const sorts = {
    __proto__: null,
    level: (e) => e.line.level, noise: (e) => e.line.noise, allocs: (e) => e.allocs,
    change: (e) => ((e.line.change === null || e.line.change === undefined) && !(e.line.changeAt >= 0) ? null : e.size),
  };

  // fold joins benchmarks that differ only in parameters into one row, represented by the worst.
  function fold(rows) {
    const groups = new Map();
    for (const row of rows) {
      const key = row.package + "\n" + (row.stem === row.b.name ? row.i : row.stem);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(row);
    }
    return [...groups.values()].map((members) => {
      if (members.length === 1) return { row: members[0], members: null };
      return { row: members.reduce((a, b) => (byWorst(b, a) < 0 ? b : a)), members };
    });
  }

  // items returns the rows of the table: {heading, of, count, worse} for a package, {row, members, open}
  // for a fold, {row, inside} for a benchmark.
  function items(rows, v) {
    const folded = fold(rows);
    const out = [];
    const put = (f) => {
      const open = f.members && (v.open.has("*") || v.open.has(f.row.stem));
      out.push({ row: f.row, members: f.members, open });
      if (open) for (const m of [...f.members].sort(byName)) out.push({ row: m, inside: true });
    };
    if (sorts[v.sort]) {
      const value = sorts[v.sort];
      const direction = v.dir === "ascending" ? 1 : -1;
      folded.map((f) => [value(f.row), f]).sort((x, y) => p.compareValues(x[0], y[0], direction) || byName(x[1].row, y[1].row)).forEach((x) => put(x[1]));
      return out;
    }
    const sections = new Map();
    for (const f of folded) {
      if (!sections.has(f.row.package)) sections.set(f.row.package, []);
      sections.get(f.row.package).push(f);
    }
    const back = v.dir === "descending" ? -1 : 1;
    const order = v.sort === "name" ? (x, y) => back * byName(x.row, y.row) : (x, y) => (v.sort === "state" ? back : 1) * byWorst(x.row, y.row);
    const list = [...sections].map(([name, of]) => ({ name, of: of.sort(order) }));
    const bad = (s) => s.of.some((f) => worse(f.row.line));
    const most = (s) => Math.max(...s.of.map((f) => (worse(f.row.line) ? f.row.size : -Infinity)));
    list.sort((x, y) => (v.sort === "name" ? 0 : bad(y) - bad(x) || (bad(x) ? most(y) - most(x) : 0)) || p.compareNames(x.name, y.name));
    for (const s of list) {
      const inside = s.of.flatMap((f) => f.members || [f.row]);
      if (list.length > 1 || s.name) out.push({ heading: s.name, of: s.of[0].row.b, count: inside.length, worse: inside.filter((r) => worse(r.line)).length });
      s.of.forEach(put);
    }
    return out;
  }

  p.rows = { telling, unresolved, worse, packageOf, changeOf, stem, values, view, query, size, entries, lineOf, select, items };
})(perftrack);
