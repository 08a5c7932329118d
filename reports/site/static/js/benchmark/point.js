// A point of a history: its origin, its values and the next command.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;
  const w = p.chartWords;
  const { option } = p.benchmarks;

  // before returns the point to compare with: the newest one of an earlier commit that may stand in a
  // history; -1 without one.
  function before(line, i) {
    const aside = new Set(line.aside || []);
    for (let k = i - 1; k >= 0; k--) if (line.commit[k] !== line.commit[i] && !aside.has(k)) return k;
    return -1;
  }

  // sameRun returns the point of another line with the same run, -1 without one.
  function sameRun(other, line, i) {
    return other.run.findIndex((run, k) => run === line.run[i] && other.commit[k] === line.commit[i]);
  }

  // bisect returns the command that searches between two commits.
  function bisect(row, line, good, bad) {
    const targets = new Set(p.index.benchmarks.map((b) => b.target));
    const printed = { "B/s": "MB/s" }[line.unit] || line.unit; // the unit in the output of benchmarks
    return "perftrack bisect-helper auto " + good.slice(0, 12) + ".." + bad.slice(0, 12) + option("bench", row.name) + (row.package ? option("package", row.package) : "") +
      (printed === "sec/op" ? "" : option("unit", printed)) + (row.target && targets.size > 1 ? option("target", row.target) : "");
  }

  // point shows point i of a line, and the values of the same run in the other lines. runs is null until it
  // is loaded. base is the point to compare with, -1 for no point.
  function point(row, lines, line, i, runs, close, base) {
    const c = p.commits[line.commit[i]];
    const env = p.index.environments[line.env];
    const same = lines.filter((l) => l.env === line.env && (l.branch || "") === (line.branch || ""));
    const values = same.map((l) => [l, l === line ? i : sameRun(l, line, i)]).filter(([, k]) => k >= 0);
    const fact = (name, ...content) => [el("dt", null, name), el("dd", null, content)];
    return el("section", { class: "point", "aria-label": "The chosen point" },
      el("div", { class: "point-head" },
        el("h2", null, "At ", c ? f.commit(line.commit[i]) : "an unknown commit"),
        el("button", { type: "button", class: "small", onclick: close }, "Close")),
      el("dl", null,
        c && c.author ? fact("Author", el("span", { dir: "auto" }, c.author)) : null,
        c ? fact("Date", f.time(c.time)) : null,
        c && (c.tags || []).length ? fact("Release", el("span", { dir: "auto" }, c.tags.join(", "))) : null,
        values.map(([l, k]) => fact(l.unit, el("b", null, f.value(l.value[k], l.unit)), " ", el("span", { class: "muted" }, "(" + w.interval(l, k) + ", n=" + l.n[k] + ")"),
          w.marks(l, k).map((mark) => [" ", el("span", { class: "undecided" }, mark)]), since(l, k))),
        base >= 0 ? fact("Compared with the base", f.commit(line.commit[base], { short: true }), ": ", values.map(([l]) => [l, l === line ? base : sameRun(l, line, base)])
          .filter(([, at]) => at >= 0).map(([l, at], k) => [k ? ", " : "", f.value(l.value[at], l.unit)])) : null,
        env ? fact("Environment", environment(env)) : null,
        runs && runs.list[line.run[i]] ? fact("Run", el("a", { href: p.href("r", [runs.list[line.run[i]].id]) }, runs.list[line.run[i]].start ? f.time(runs.list[line.run[i]].start) : runs.list[line.run[i]].id.slice(0, 12))) : null),
      next(row, line, i, runs));
  }

  // since shows the change from the point before: a difference of two runs, not a verdict.
  function since(line, i) {
    const k = before(line, i);
    const change = k < 0 ? NaN : line.value[i] / line.value[k] - 1;
    return Number.isFinite(change) && change !== 0 ? el("span", { class: "muted" }, ", " + f.change(change, line.better, line.unit) + " from " + (p.commits[line.commit[k]] || { sha: "" }).sha.slice(0, 7) + (line.outliers.some((o) => o.point === k) ? ", an outlier" : "")) : null;
  }

  function environment(env) {
    return el("details", null, el("summary", null, el("span", { dir: "auto" }, env.label || env.id)),
      el("dl", null, env.values.map(([k, v]) => [el("dt", null, k), el("dd", { dir: "auto" }, v)])));
  }

  function next(row, line, i, runs) {
    const k = before(line, i);
    const c = p.commits[line.commit[i]], old = k < 0 ? null : p.commits[line.commit[k]];
    if (!c || !old) return el("p", { class: "muted" }, "This is the first point on this line.");
    const trial = trialOf(runs, line.run[i]);
    const url = p.commitURL(c.sha);
    return el("div", { class: "point-next" },
      el("p", null, url ? [el("a", { href: url, rel: "noopener noreferrer" }, "The commit"), " · "] : null, trial
        ? el("a", { href: p.href("c", [trial]) }, "The trial that measured it with its base")
        : compare(runs, line, k, i, old, c)),
      row.scope ? null : el("p", null, "Find the commit that caused the change since ", f.commit(line.commit[k], { short: true }), ": ", p.copy(bisect(row, line, old.sha, c.sha))));
  }

  // compare links the comparison with the point before, if the site has it.
  function compare(runs, line, k, i, old, c) {
    const say = "Compare with the previous point, " + old.sha.slice(0, 7);
    if (p.index.meta.live) return el("a", { href: p.href("c", [old.sha + ".." + c.sha]) }, say);
    const base = runs && runs.list[line.run[k]], head = runs && runs.list[line.run[i]];
    if (base && head && base.values && head.values) return el("a", { href: p.href("compare", [], { base: old.sha.slice(0, 12), head: c.sha.slice(0, 12) }) }, say);
    return el("span", null, say + ": ", p.copy("perftrack compare " + old.sha.slice(0, 12) + " " + c.sha.slice(0, 12)));
  }

  function trialOf(runs, run) {
    const of = runs && runs.list[run];
    return of && of.trial && runs.comparisons.some((c) => c.key === of.trial) ? of.trial : null;
  }

  Object.assign(p.benchmarks, { point, before, sameRun, bisect });
})(perftrack);
