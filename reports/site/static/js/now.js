// The band on top of the overview: how things stand, and how much of that is known.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;

  // standing says in a sentence what matters most: [tone, sentence, rest]. What is not known is
  // never said to be well.
  function standing(index, entries) {
    const now = index.now;
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const few = Math.min(now.tooFew, lines);
    if (now.inForce > 0) {
      const worst = worstOf(index, entries);
      return ["worse", f.count(now.inForce, "regression is", "regressions are") + " in force", worst, few];
    }
    // A check proves what the runs of a line are too few to show.
    if (now.here && now.regressed) return ["worse", "The newest check found " + f.count(now.regressed, "regression"), null, few];
    // That counts stay the same says nothing of the time.
    const times = index.benchmarks.flatMap((b) => b.lines || []).filter((l) => f.kind(l.unit) === "time");
    if (few >= lines || (times.length && times.every((l) => l.state === "too-few"))) return now.here && now.decided && !now.undecided ? ["", "The newest check found no regression", null, few] : ["undecided", "Too little is known to say whether anything got slower", null, few];
    return ["", few ? "No regression in force was found" : "No regression is in force", null, few];
  }

  function worstOf(index, entries) {
    let worst = null;
    for (const e of entries) {
      for (const line of e.b.lines || []) {
        if (p.rows.inForce(line) && (!worst || p.rows.size(line) > p.rows.size(worst.line))) worst = { e, line };
      }
    }
    return worst;
  }

  function sentence(index, entries) {
    const [tone, text, worst, few] = standing(index, entries);
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const out = [el("strong", { class: tone || null }, text), index.meta.branch ? [" on ", el("span", { dir: "auto" }, f.short(index.meta.branch, 60))] : null];
    if (worst) {
      const c = p.commits[worst.line.changeAt];
      out.push(". The largest: ", el("a", { href: p.href("b", worst.e.b.path), class: "name", dir: "auto" }, f.short(worst.e.b.name, 80)), ", ", p.rows.changeOf(worst.line),
        f.kind(worst.line.unit) === "other" ? " " + f.short(p.text(worst.line.unit), 40) : "", c ? ", since " + f.date(c.time) : "");
    }
    out.push(".");
    if (few > 0) {
      out.push(few >= lines ? " None of the " + f.count(lines, "series", "series") + " has as many runs as finding a step takes. " + p.again(index.meta, 20).does + ": "
        : " Of " + f.count(lines, "series", "series") + ", " + few + (few === 1 ? " has" : " have") + " too few runs to tell.");
      if (few >= lines) out.push(p.copy(p.again(index.meta, 20).command));
    }
    return el("p", { class: "standing" }, out);
  }

  function tile(number, label, note, href, tone) {
    return el("li", null, el(href ? "a" : "div", { class: "tile", href }, el("span", { class: "number " + (tone || "") }, number), el("span", { class: "label" }, label), note ? el("span", { class: "note" }, note) : null));
  }

  function freshness(now) {
    const lost = (now.lost || []).length;
    const stale = (now.stale || []).length;
    const href = p.href("overview", "", { state: [lost ? "lost" : "", stale ? "stale" : ""].filter(Boolean).join("~") || null });
    if (!lost && !stale) return tile("0", "lost or stale", "every benchmark is in the newest runs");
    return tile(String(lost + stale), [lost ? "lost" : "", stale ? "stale" : ""].filter(Boolean).join(" or "),
      [lost ? f.count(lost, "is", "are") + " not in the newest run" : "", stale ? stale + " not measured for 10 commits" : ""].filter(Boolean).join(", "), href, "undecided");
  }

  // now builds the band.
  p.now = function (index, entries) {
    const now = index.now;
    const check = now.trial
      ? tile(String(now.regressed), "regressed", "in the newest check" + (now.undecided ? ", " + now.undecided + " undecided" : now.decided ? "" : ", which decided nothing"), p.href("c", now.trial), now.regressed ? "worse" : now.undecided ? "undecided" : "")
      : tile(f.dash, "regressed", "no check yet: perftrack check", p.href("compare"));
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const silent = !now.inForce && now.tooFew >= lines; // none is not known to be none
    return el("section", { class: "now", "aria-label": "Now" }, sentence(index, entries),
      el("ul", { class: "tiles" },
        tile(silent ? f.dash : String(now.inForce), now.inForce === 1 ? "regression in force" : "regressions in force", now.tooFew ? f.count(now.tooFew, "series", "series") + " with too few runs to tell" : "in " + f.count(lines, "series", "series"), p.href("regressions"), now.inForce ? "worse" : ""),
        check, freshness(now),
        tile(f.percent(now.noise), "noise from run to run", now.noise === null ? "too few runs to tell" : "median, newest runs", p.href("machine")),
        tile(f.percent(now.detects), "is what a check finds", now.detects === null ? "not known: perftrack calibrate" : "smallest change, median", p.href("machine")),
        tile(f.date(now.lastRun), "last run", index.environments.length ? index.environments[0].label : null, p.href("runs"))));
  };
  p.standing = standing;
})(perftrack);
