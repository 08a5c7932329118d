// What to measure next, and how: rules over what the index knows, each with its reason.
"use strict";
(function (p) {
  // kinds in the order of their weight: what is not known at all comes before what is blurred.
  const kinds = {
    lost: "Lost: the newest run of the target does not have them",
    stale: "Stale: not measured for the newest 10 commits that were",
    few: "Too few runs to find a step",
    noisy: "Noisy: runs differ by more than the threshold",
  };

  // next returns the benchmarks to measure, at most one entry each: {kind, row, why, command}.
  function next(index, commits, format) {
    const out = [];
    const lost = new Set(index.now.lost), stale = new Set(index.now.stale);
    const { threshold } = index.meta;
    index.benchmarks.forEach((row, i) => {
      const [line] = row.lines;
      const few = row.lines.find((l) => l.state === "too-few");
      const noisy = row.lines.filter((l) => l.noise > threshold).sort((a, b) => b.noise - a.noise)[0];
      if (lost.has(i)) out.push({ kind: "lost", row, why: line ? last(line, commits, format) : "never measured", command: run(row) });
      else if (stale.has(i)) out.push({ kind: "stale", row, why: line ? last(line, commits, format) : "never measured", command: run(row) });
      else if (few) out.push({ kind: "few", row, why: format.count(few.runs, "run") + " of " + few.unit, command: measured(row, commits, index.meta) });
      else if (noisy) out.push({ kind: "noisy", row, why: noisy.unit + " differs by " + format.percent(noisy.noise) + " from run to run, the threshold is " + format.percent(threshold), command: calibrate(row) });
    });
    const order = Object.keys(kinds);
    return out.map((entry, i) => [order.indexOf(entry.kind), i, entry]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((e) => e[2]);
  }

  const last = (line, commits, format) => {
    const c = commits[line.last];
    return c ? "last at " + c.sha.slice(0, 7) + " of " + format.date(c.time) : "last at an unknown commit";
  };

  // pattern is what --bench takes for exactly this one: it is held against the function's name.
  const pattern = (name) => ("Benchmark" + name).split("/").map((part) => "^" + part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$").join("/");
  // A scope is measured with the profile of its whole target.
  const of = (row) => (row.scope || row.name === undefined ? "" : p.benchmarks.option("bench", pattern(row.name))) + (row.target ? " " + p.benchmarks.quote(row.target) : "");
  const run = (row) => "perftrack run" + of(row);
  const calibrate = (row) => "perftrack calibrate" + of(row);
  const commands = { lost: run, stale: run, few: measured, noisy: calibrate };

  // measured is between the first and the last commit that were; of one alone, before it. Where
  // nothing is left there, it is measured again.
  function measured(row, commits, meta) {
    const on = commits.filter((c) => !c.off);
    if (on.length > 1 && on.length < meta.depth) return "perftrack backfill " + on[0].sha.slice(0, 12) + ".." + on[on.length - 1].sha.slice(0, 12) + " --steps 20" + of(row);
    const again = on.length < meta.depth ? p.again(meta, 20).command + " --steps 20" : "perftrack run";
    return again + of(row);
  }

  // grouped has one command for a whole target of which there is much to measure: a list of
  // {target, list, command}.
  function grouped(entries, commits, meta) {
    const targets = new Map();
    for (const entry of entries) targets.set(entry.row.target, (targets.get(entry.row.target) || []).concat([entry]));
    return [...targets].flatMap(([target, list]) => list.length > 5
      ? [{ target, list, command: commands[list[0].kind]({ target }, commits, meta) }]
      : list.map((entry) => ({ target, list: [entry], command: entry.command })));
  }

  const flops = /^[KMGT]?FLOPS?(\/s)?$/i;

  // kernelRows are the benchmarks that the models' document has as kernels with a speed.
  function kernelRows(index, doc) {
    const names = new Set();
    for (const s of doc.suites || []) for (const k of s.kernels || []) if (k.gflops) names.add(s.package + " " + k.name);
    return index.benchmarks.filter((row) => !row.scope && names.has(row.package + " " + row.name));
  }

  // outline is a line of a benchmark's document in the form of one of the index.
  function outline(line) {
    const values = line.value.filter((v) => v !== null).slice(-40);
    const least = Math.min(...values), most = Math.max(...values);
    const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return { unit: line.unit, better: 1, runs: line.value.length, marks: [], level: values[values.length - 1], since: values.length > 1 ? values[values.length - 1] / values[0] - 1 : undefined,
      spark: values.map((v) => digits[most > least ? Math.round(((v - least) / (most - least)) * (digits.length - 1)) : 30]).join("") };
  }

  // since are the lines whose last step came in at a commit or later, the greatest for the worse first.
  function since(index, commit) {
    const out = [];
    for (const row of index.benchmarks) for (const line of row.lines) {
      if (line.changeAt < commit || line.changeAt < 0) continue;
      const from0 = line.change === null || line.change === undefined; // it has no ratio, and is the worst or the best there can be
      out.push({ row, line, size: from0 ? (line.state === "regressed" ? Infinity : -Infinity) : Math.log(1 + line.change) * -(line.better || -1) });
    }
    return out.sort((a, b) => (b.size > a.size) - (b.size < a.size));
  }

  p.trends = { kinds, next, grouped, since, pattern, flops, kernelRows, outline };
})(perftrack);
