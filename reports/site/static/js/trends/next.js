// The next measurements: rules over the index, each with its reason.
"use strict";
(function (p) {
  // The rules by weight: an unknown state comes before an uncertain one.
  const kinds = {
    lost: "Lost: missing from the target's newest run",
    stale: "Stale: not measured at the newest 10 measured commits",
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
      else if (noisy) out.push({ kind: "noisy", row, why: noisy.unit + " differs by " + format.percent(noisy.noise) + " from run to run, but the threshold is " + format.percent(threshold), command: calibrate(row) });
    });
    const order = Object.keys(kinds);
    return out.map((entry, i) => [order.indexOf(entry.kind), i, entry]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map((e) => e[2]);
  }

  const last = (line, commits, format) => {
    const c = commits[line.last];
    return c ? "last at " + c.sha.slice(0, 7) + " from " + format.date(c.time) : "last at an unknown commit";
  };

  // pattern returns the --bench pattern for exactly one benchmark, matched against the function's name.
  const pattern = (name) => ("Benchmark" + name).split("/").map((part) => "^" + part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&") + "$").join("/");
  // A scope is measured by the profile of its target.
  const of = (row) => (row.scope || row.name === undefined ? "" : p.benchmarks.option("bench", pattern(row.name))) + (row.target ? " " + p.benchmarks.quote(row.target) : "");
  const run = (row) => "perftrack run" + of(row);
  const calibrate = (row) => "perftrack calibrate" + of(row);
  const commands = { lost: run, stale: run, few: measured, noisy: calibrate };

  // measured returns a range of commits between the first and the last measured one, or before a single
  // one; without a range, it measures again.
  function measured(row, commits, meta) {
    const on = commits.filter((c) => !c.off);
    if (on.length > 1 && on.length < meta.depth) return "perftrack backfill " + on[0].sha.slice(0, 12) + ".." + on[on.length - 1].sha.slice(0, 12) + " --steps 20" + of(row);
    const again = on.length < meta.depth ? p.again(meta, 20).command + " --steps 20" : "perftrack run";
    return again + of(row);
  }

  // grouped returns one command for each target with several entries: a list of {target, list, command}.
  function grouped(entries, commits, meta) {
    const targets = new Map();
    for (const entry of entries) targets.set(entry.row.target, (targets.get(entry.row.target) || []).concat([entry]));
    return [...targets].flatMap(([target, list]) => list.length > 5
      ? [{ target, list, command: commands[list[0].kind]({ target }, commits, meta) }]
      : list.map((entry) => ({ target, list: [entry], command: entry.command })));
  }

  const flops = /^[KMGT]?FLOPS?(\/s)?$/i;

  // kernelRows returns the benchmarks that are kernels with a speed in the models' document.
  function kernelRows(index, doc) {
    const names = new Set();
    for (const s of doc.suites || []) for (const k of s.kernels || []) if (k.gflops) names.add(s.package + " " + k.name);
    return index.benchmarks.filter((row) => !row.scope && names.has(row.package + " " + row.name));
  }

  // outline turns a line of a benchmark's document into a line of the index.
  function outline(line) {
    const values = line.value.filter((v) => v !== null).slice(-40);
    const least = Math.min(...values), most = Math.max(...values);
    const digits = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return { unit: line.unit, better: 1, runs: line.value.length, marks: [], level: values[values.length - 1], since: values.length > 1 ? values[values.length - 1] / values[0] - 1 : undefined,
      spark: values.map((v) => digits[most > least ? Math.round(((v - least) / (most - least)) * (digits.length - 1)) : 30]).join("") };
  }

  // since returns the lines whose last step came at a commit or later, the worst first.
  function since(index, commit) {
    const out = [];
    for (const row of index.benchmarks) for (const line of row.lines) {
      if (line.changeAt < commit || line.changeAt < 0) continue;
      const from0 = line.change === null || line.change === undefined; // a change without a ratio is the worst or the best
      out.push({ row, line, size: from0 ? (line.state === "regressed" ? Infinity : -Infinity) : Math.log(1 + line.change) * -(line.better || -1) });
    }
    return out.sort((a, b) => (b.size > a.size) - (b.size < a.size));
  }

  p.trends = { kinds, next, grouped, since, pattern, flops, kernelRows, outline };
})(perftrack);
