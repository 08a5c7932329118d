// #/commit/SHA: all changes at one commit, for the worse and the better, and their proof.
"use strict";
(function (p) {
  const { el, format: f } = p;

  // about returns the relation of a step to a commit: found by a bisection, alone in the range, among
  // several, or "".
  function about(r, i) {
    const c = p.commits[i];
    if (r.found) return r.found === c.sha ? "found" : "";
    if (c.off || r.upTo < 0 || i > r.upTo || i <= r.after) return "";
    return r.upTo === i && r.commits === 1 && !r.drift ? "alone" : "among";
  }

  // verdicts returns the verdicts of trials with this head, by benchmark and unit.
  async function verdicts(trials) {
    const out = new Map();
    for (const row of trials.slice(0, 3)) {
      const d = await p.load("c/" + row.key).catch(() => null);
      for (const line of d ? d.rows : []) if (line.b >= 0 && line.verdict && !out.has(line.b + " " + line.unit)) out.set(line.b + " " + line.unit, { verdict: line.verdict, key: row.key });
    }
    return out;
  }

  function section(title, rows, proof) {
    return rows.length ? el("section", null, el("h2", null, title, " ", el("span", { class: "muted" }, f.count(p.changes.benchmarks(rows), "benchmark"))), p.changes.list(rows, proof)) : null;
  }

  p.page("commit", {
    title: (route) => "Commit " + f.hash(route.path[0]),
    async render(main, route) {
      const word = route.path[0] || "";
      const hits = word.length >= 4 ? p.commits.flatMap((c, i) => (c.sha.startsWith(word) || (c.tags || []).includes(word) ? [i] : [])) : [];
      if (hits.length !== 1) {
        p.clear(main, el("h1", null, "Commit"), p.empty(hits.length ? hits.length + " measured commits begin with " + word + "." : "This site has no run of " + f.hash(word) + ": it was not measured.", /^[0-9a-f]{4,64}$/.test(word) && !hits.length ? "perftrack run --rev " + word : null));
        return;
      }
      const [i] = hits;
      const c = p.commits[i];
      const [runs, doc] = await Promise.all([p.load("runs"), p.load("regressions")]);
      const trials = (runs.comparisons || []).filter((r) => r.trial && r.head === i);
      const known = await verdicts(trials);
      const steps = [...doc.list, ...doc.others].map((r) => ({ r, how: about(r, i) })).filter((x) => x.how);
      const of = (how, worse) => steps.filter((x) => (x.how === "among") === (how === "among") && doc.list.includes(x.r) === worse).map((x) => x.r).sort((x, y) => Math.abs(p.changes.size(y)) - Math.abs(p.changes.size(x)));
      const proof = (r) => {
        const v = known.get(r.b + " " + r.unit);
        if (r.found) return el("span", { class: "muted" }, "found by a bisection");
        if (v) return el("a", { href: p.href("c", v.key) }, "its check: " + v.verdict);
        return el("span", { class: "muted" }, "seen in the history but not proved");
      };
      const own = steps.filter((x) => x.how !== "among").map((x) => x.r);
      const measured = new Set(runs.list.map((r) => r.commit));
      const list = runs.list.filter((r) => r.commit === i);
      const worse = of("own", true), better = of("own", false);
      const explain = worse.find((r) => r.bisect) || null;
      p.append(main, el("h1", null, c.subject ? el("span", { dir: "auto" }, c.subject) : "Commit " + f.hash(c.sha)),
        el("p", { class: "lead" }, f.commit(i, { short: true }), " ", [c.author, f.date(c.time), (c.tags || []).join(" "), c.off ? "not on " + (p.index.meta.branch || "the branch") : ""].filter(Boolean).join(", ")),
        el("p", null, own.length ? [worse.length ? el("b", { class: "worse" }, f.count(p.changes.benchmarks(worse), "benchmark") + " worse") : "None worse", ", ",
          better.length ? f.count(p.changes.benchmarks(better), "benchmark") + " better or changed" : "none better", "."]
          : c.off ? "It is not on this site's branch: for changes, see its checks." : "The history has no step that belongs to this commit alone."),
        section("Worse", worse, proof), section("Better, or changed", better, proof),
        section("Worse, in a range that includes it", of("among", true), proof), section("Better or changed, in a range that includes it", of("among", false), proof),
        explain ? el("p", null, "See why: ", p.copy(explain.bisect)) : null,
        el("h2", null, "Compare"), el("ul", null, p.bases(p.commits, i, measured).map(([words, b]) => el("li", null, el("a", { href: p.href("compare", "", { base: f.hash(p.commits[b].sha), head: f.hash(c.sha) }) }, "With " + words), " ", f.commit(b))),
          trials.map((r) => el("li", null, el("a", { href: p.href("c", r.key) }, "Check of " + f.time(r.time)), " ", p.verdictCounts(r)))),
        el("h2", null, "Runs"), el("ul", null, list.slice(0, 20).map((r) => el("li", null, el("a", { href: p.href("r", f.hash(r.id)) }, f.hash(r.id)), " ", f.count(r.benchmarks, "benchmark"), r.side ? ", " + r.side + " of a trial" : "", r.dirty ? ", with uncommitted changes" : "", ", " + ((p.index.environments[r.env] || {}).label || "unknown machine")))),
        list.length > 20 ? el("p", { class: "muted" }, "And " + f.count(list.length - 20, "more", "more") + ".") : null);
    },
  });
})(perftrack);
