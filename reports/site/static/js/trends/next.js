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
      else if (few) out.push({ kind: "few", row, why: format.count(few.runs, "run") + " of " + few.unit, command: backfill(row, commits) });
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
  const of = (row) => p.benchmarks.option("bench", pattern(row.name)) + (row.target ? " " + p.benchmarks.quote(row.target) : "");
  const run = (row) => "perftrack run" + of(row);
  const calibrate = (row) => "perftrack calibrate" + of(row);

  // backfill measures between the first and the last commit that were measured; of one alone,
  // before it.
  function backfill(row, commits) {
    const on = commits.filter((c) => !c.off);
    const range = on.length > 1 ? on[0].sha.slice(0, 12) + ".." + on[on.length - 1].sha.slice(0, 12) : "HEAD~20..HEAD";
    return "perftrack backfill " + range + " --steps 20" + of(row);
  }

  // since are the lines whose last step came in at a commit or later, the greatest for the worse first.
  function since(index, commit) {
    const out = [];
    for (const row of index.benchmarks) for (const line of row.lines) if (line.change !== null && line.changeAt >= commit && line.changeAt >= 0) out.push({ row, line, size: Math.log(1 + line.change) * -(line.better || -1) });
    return out.sort((a, b) => b.size - a.size);
  }

  p.trends = { kinds, next, since, pattern };
})(perftrack);
