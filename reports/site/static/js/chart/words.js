// A chart in words: for screen readers, under the pointer, and as a table.
"use strict";
(function (p) {
  const f = p.format;
  const known = (x) => typeof x === "number" && Number.isFinite(x);
  const commitOf = (commits, i) => (i >= 0 && commits[i]) || { sha: "", subject: "", time: 0 };
  const short = (commits, i) => (commitOf(commits, i).sha || "unknown").slice(0, 7);

  // y formats a value as on the y axis.
  function y(v, mode, unit) {
    if (!known(v)) return f.dash;
    if (mode === "percent") return (v > 0 ? "+" : v < 0 ? "−" : "") + Number(Math.abs(v).toPrecision(3)) + " %";
    if (mode === "ratio") return Number(v.toPrecision(4)) + "x of the baseline";
    return f.value(v, unit);
  }

  // interval formats the interval of a point with one unit for both ends: "[51.80, 52.30] µs".
  function interval(line, i) {
    const lo = line.lo[i], hi = line.hi[i];
    if (!known(lo) || !known(hi)) return "no interval: too few samples";
    return lo === hi ? "all samples equal" : f.value(lo, line.unit) + " to " + f.value(hi, line.unit);
  }

  // size formats the size of a step: "+12 % (+10 % to +14 %)".
  function size(step, line) {
    if (!known(step.change)) return f.value(step.from, line.unit) + " to " + f.value(step.to, line.unit);
    const text = f.change(step.change, line.better, line.unit);
    if (!known(step.lo) || !known(step.hi) || step.lo === step.hi) return text;
    return text + " (" + f.between(step.change, step.lo, step.hi, line.better, line.unit) + ")";
  }

  // range names the commits around a step.
  function range(step, line, commits) {
    const drift = step.drift ? ", gradually over " + f.count(step.drift, "run") : "";
    return "after " + short(commits, line.commit[step.last]) + " up to " + short(commits, line.commit[step.first]) + drift;
  }

  const states = { regressed: "worse, unresolved", improved: "better", changed: "changed", accepted: "accepted", recovered: "recovered since" };

  // marks returns the special properties of a point.
  function marks(line, i) {
    const said = [];
    const outlier = (line.outliers || []).find((o) => o.point === i);
    if (outlier) said.push((outlier.open ? "newest far off: an outlier or a new level" : "outlier") + (known(outlier.change) ? ", " + f.change(outlier.change, line.better, line.unit) : ""));
    if ((line.carried || []).includes(i)) said.push("carried over: its machine code was measured at another commit");
    if ((line.aside || []).includes(i)) said.push("not counted: from a partial or failed run, or with uncommitted changes");
    return said;
  }

  // point describes a point in one sentence.
  function point(line, i, commits, mode, value) {
    const c = commitOf(commits, line.commit[i]);
    const shown = mode === "percent" || mode === "ratio" ? y(value, mode, line.unit) + ", " : "";
    return [shown + f.value(line.value[i], line.unit), interval(line, i), "n=" + line.n[i],
      short(commits, line.commit[i]) + (c.subject ? " " + c.subject : ""), f.date(c.time), ...marks(line, i)].join("; ");
  }

  // says describes a line: its level, the last step, the range of its values.
  function says(line, commits) {
    const n = line.value.length;
    if (!n) return "No run has measured this.";
    const out = [];
    const level = line.levels && line.levels[line.levels.length - 1];
    if (level) out.push("Level " + f.value(level.center, line.unit) + " since " + short(commits, line.commit[level.first]) + dated(commits, line.commit[level.first]) + ".");
    else out.push("Newest " + f.value(line.value[n - 1], line.unit) + ".");
    const step = line.steps && line.steps[line.steps.length - 1];
    if (step) out.push("Last " + (step.drift ? "drift" : "step") + ": " + size(step, line) + " " + range(step, line, commits) + ", " + (states[step.state] || step.state) + (step.reason ? ": " + step.reason : "") + ".");
    else if (line.enough) out.push("No step was found.");
    const few = tooFew(line);
    if (few) out.push(few);
    const sound = line.value.filter(known);
    let least = Infinity, most = -Infinity;
    for (const v of sound) { if (v < least) least = v; if (v > most) most = v; }
    out.push(least === most ? "All of " + f.count(n, "run") + " measured " + f.value(least, line.unit) + "." : f.count(n, "run") + " between " + f.value(least, line.unit) + " and " + f.value(most, line.unit) + ".");
    const open = line.outliers.filter((o) => o.open).length;
    const odd = line.outliers.length - open;
    if (odd) out.push(f.count(odd, "outlier") + ".");
    if (open) out.push("The newest " + (open > 1 ? open + " are" : "is") + " far off: an outlier or a new level.");
    return out.join(" ");
  }
  const dated = (commits, i) => (commitOf(commits, i).time ? " of " + f.date(commitOf(commits, i).time) : "");

  // tooFew says why no step can be found, "" if one can.
  function tooFew(line) {
    if (line.derived) return "It is derived from the time, which shows the steps.";
    if (line.enough) return "";
    if (!line.needs) return "None of its runs counts in the history, so no step can be found.";
    const counted = line.value.length - (line.carried || []).length - (line.aside || []).length;
    return "Too few runs: finding a step takes " + line.needs + ", but there " + (counted === 1 ? "is only 1" : "are only " + counted) + ", so steps may be missed.";
  }

  // table shows the points of lines: the data of the chart.
  function table(lines, commits, views) {
    const several = lines.length > 1;
    const rows = [];
    lines.forEach(({ line, name }, l) => {
      const level = new Float64Array(line.value.length).fill(NaN);
      for (const v of line.levels || []) level.fill(v.center, v.first, v.end);
      const special = new Set([...(line.carried || []), ...(line.aside || []), ...(line.outliers || []).map((o) => o.point)]);
      const steps = new Map((line.steps || []).map((s) => [s.first, s]));
      for (let i = line.value.length - 1; i >= 0; i--) {
        const mark = special.has(i) ? marks(line, i) : [];
        if (steps.has(i)) mark.unshift("step " + size(steps.get(i), line));
        rows.push({ line, name, i, at: line.commit[i], time: commitOf(commits, line.commit[i]).time, value: line.value[i], n: line.n[i], level: level[i], mark: mark.join("; "), shown: l });
      }
    });
    const { mode } = views[0] || {};
    const columns = [
      { key: "at", title: "Commit", sort: true, width: "9em", render: (r) => f.commit(r.at, { short: true }) },
      { key: "subject", title: "Subject", fold: 2, render: (r) => p.el("span", { dir: "auto" }, commitOf(commits, r.at).subject || f.dash) },
      { key: "time", title: "Date", sort: true, width: "8em", fold: 3, render: (r) => f.date(r.time) },
      several ? { key: "name", title: "Line", sort: true, fold: 2 } : null,
      { key: "value", title: lines[0].line.unit, sort: true, align: "right", width: "8em", render: (r) => f.value(r.value, r.line.unit) },
      mode === "percent" || mode === "ratio"
        ? { key: "shown", title: mode === "percent" ? "from first" : "ratio", align: "right", width: "8em", render: (r) => y(views[r.shown].scaled.values[r.i], mode, r.line.unit) } : null,
      { key: "interval", title: "95 % interval", align: "right", fold: 2, render: (r) => (known(r.line.lo[r.i]) && known(r.line.hi[r.i]) ? f.range(r.line.lo[r.i], r.line.hi[r.i], r.line.unit) : f.dash) },
      { key: "n", title: "n", sort: true, align: "right", width: "4em", fold: 3 },
      { key: "level", title: "Level", sort: true, align: "right", width: "8em", fold: 2, render: (r) => f.value(r.level, r.line.unit) },
      { key: "mark", title: "Mark", sort: true },
    ].filter(Boolean);
    return p.table({ caption: "Points in the chart, newest first", columns, rows, empty: "No run has measured this." });
  }

  p.chartWords = { y, interval, size, range, marks, point, says, tooFew, table, states };
})(perftrack);
