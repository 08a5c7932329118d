// A comparison of two runs in the browser, as unpaired runs: medians, intervals and their ratio, and never
// a verdict.
"use strict";
(function (p) {
  const f = p.format;

  // interval formats the width of an interval as benchstat does: "± 1%".
  function interval(v) {
    if (v.lo === null || v.hi === null || v.lo === undefined) return "± ∞";
    if (!v.center) return v.lo === v.hi ? "± 0%" : "± ?";
    const most = Math.max(Math.abs(v.hi / v.center - 1), Math.abs(1 - v.lo / v.center));
    const text = f.fixed(100 * most, 0) + "%";
    return "± " + (text.length > 7 ? ">999999%" : text);
  }

  // choose returns the runs to compare: for each target two baselines, of one environment if possible, with
  // the most benchmarks, and of these the newest. A named run is taken as it is.
  function choose(base, head) {
    if (base.run && head.run) return base.run.target === head.run.target ? [[base.run, head.run]] : [];
    const fit = (side) => (side.run ? [side.run] : side.runs.filter((r) => r.values && r.status === "complete" && !r.dirty));
    const b = fit(base), h = fit(head);
    const targets = [...new Set(b.map((r) => r.target))].filter((t) => h.some((r) => r.target === t));
    return targets.map((t) => {
      const of = (list) => list.filter((r) => r.target === t);
      const all = of(h).flatMap((y) => of(b).filter((x) => x.env === y.env && x.id !== y.id).map((x) => [x, y]));
      const size = ([x, y]) => Math.min(x.benchmarks, y.benchmarks);
      return all.sort((one, two) => size(two) - size(one) || two[1].start - one[1].start || two[0].start - one[0].start)[0] || [of(b)[0], of(h)[0]];
    });
  }

  // unpaired compares two sides, {commit, sha, label, runs, run}, and returns a Comparison document.
  p.unpaired = async function (base, head) {
    const pairs = choose(base, head);
    const d = {
      key: "", trial: false, trials: [], envs: [], alpha: p.index.meta.alpha, threshold: p.index.meta.threshold, rules: "", tested: 0,
      summary: "unpaired: no verdict", tone: "muted", rows: [], geomeans: [], notJudged: [], caveats: [], command: command(base, head),
      base: sideOf(base, pairs.map((x) => x[0])), head: sideOf(head, pairs.map((x) => x[1])),
    };
    for (const side of [base, head]) {
      if (!side.run && !side.runs.some((r) => r.values && r.status === "complete" && !r.dirty)) {
        d.caveats.push("no run of " + f.hash(side.sha) + " has values here, because the page keeps only those of the newest complete runs; perftrack compare " + f.hash(base.sha) + " " + f.hash(head.sha) + " shows all");
      }
    }
    const missing = [], added = [], other = [];
    for (const [x, y] of pairs) {
      if (x.env !== y.env) {
        other.push(x.target + ": " + environment(x.env) + " and " + environment(y.env));
        continue;
      }
      if (!d.envs.includes(x.env)) d.envs.push(x.env);
      const [bd, hd] = await Promise.all([p.load("r/" + x.id), p.load("r/" + y.id)]);
      const byKey = new Map(hd.values.map((v) => [v.b + " " + v.unit, v]));
      for (const v of bd.values) {
        const w = byKey.get(v.b + " " + v.unit);
        byKey.delete(v.b + " " + v.unit);
        if (w) d.rows.push(rowOf(v, w));
        else missing.push(nameOf(v));
      }
      for (const w of byKey.values()) added.push(nameOf(w));
    }
    if (d.rows.length) d.summary = summary(d);
    const left = (kind, why, what) => what.length && d.notJudged.push({ kind, why, what });
    left("environment", "not comparable: measured in different environments", other);
    left("missing", "missing in head", missing);
    left("new", "new in head", added);
    return d;
  };

  // summary counts benchmarks as the terminal does, and names the largest difference.
  function summary(d) {
    const far = d.rows.filter((row) => p.comparison.groupOf(d, row) === "moved");
    const of = (rows) => new Set(rows.map((row) => row.b)).size;
    const n = of(far);
    const size = (row) => (row.absolute ? 0 : Math.abs(Math.log1p(row.change)));
    const most = far.reduce((a, b) => (a && size(a) >= size(b) ? a : b), null);
    const name = most && (p.index.benchmarks[most.b] || most).name;
    return f.count(of(d.rows), "unpaired benchmark") + ", no verdict: " + (n ? n : "none") + (n > 1 ? " differ" : " differs") + " by the threshold or more" + (most ? ", most " + name + " " + most.unit + " " + most.shown.change : "");
  }

  const environment = (i) => (p.index.environments[i] ? p.index.environments[i].label : "unknown");
  const nameOf = (v) => {
    const b = p.index.benchmarks[v.b];
    return (b ? [b.target, b.suite, b.package, b.name].filter(Boolean).join(" ") : "a benchmark") + " " + v.unit;
  };

  function command(base, head) {
    return base.sha && head.sha && !head.dirty ? "perftrack run --against " + f.hash(base.sha) + " --rev " + f.hash(head.sha) : "";
  }

  function sideOf(side, runs) {
    return { commit: side.commit, sha: side.sha, label: side.label, dirty: runs.some((r) => r.dirty), start: runs.length ? Math.min(...runs.map((r) => r.start)) : 0, runs: runs.map((r) => r.place) };
  }

  function rowOf(v, w) {
    const zero = !v.center || v.center < 0 || w.center < 0;
    const change = zero ? (w.center === v.center ? 0 : w.center - v.center) : w.center / v.center - 1;
    const absolute = zero && w.center !== v.center;
    const s = f.scale(v.unit, [v.center, w.center]);
    const text = absolute ? (change > 0 ? "+" : "") + (Number.isInteger(change) ? String(change) : f.on(f.scale(v.unit, [change]), change)) : p.plainChange(change);
    return {
      b: v.b, unit: v.unit, better: v.better, verdict: "", change, lo: null, hi: null, absolute, threshold: p.index.meta.threshold, p: null, noise: null,
      baseCenter: v.center, headCenter: w.center, n: [v.n, w.n], samples: [[], []],
      shown: { base: f.on(s, v.center) + " " + interval(v), head: f.on(s, w.center) + " " + interval(w), change: text },
    };
  }

  // plainChange formats a change without an interval as the terminal does: "+5.1 %".
  p.plainChange = function (change) {
    if (!Number.isFinite(change)) return f.dash;
    if (change > 9999.99) return ">+999999 %";
    let digits = 1;
    for (let fine = 0.002; change && Math.abs(change) < fine && digits < 4; fine /= 10) digits++;
    const text = f.fixed(Math.abs(100 * change), digits);
    return (/[1-9]/.test(text) ? (change < 0 ? "-" : "+") : "") + text + " %";
  };
})(perftrack);
