// The band at the top of the overview: the current state, and how much of it is known.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;

  const isProved = (line) => !line.branch && line.state === "checked";
  const isOff = (line) => !line.branch && line.state === "off";

  // blind reports whether the state of all times is unknown.
  function blind(index, lines) {
    const times = index.benchmarks.flatMap((b) => b.lines || []).filter((l) => f.kind(l.unit) === "time");
    return index.now.tooFew >= lines || (times.length > 0 && times.every((l) => l.state === "too-few" || l.state === "checked"));
  }

  // standing returns the most important fact: [tone, sentence, rest]. It never calls an unknown state good.
  function standing(index, entries) {
    const now = index.now;
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const few = Math.min(now.tooFew, lines);
    const more = entries.filter((e) => (e.b.lines || []).some(isProved) && !(e.b.lines || []).some((line) => !line.branch && p.rows.unresolved(line))).length;
    const offs = entries.filter((e) => (e.b.lines || []).some(isOff)).length;
    const off = "the newest run of " + f.count(offs, "benchmark") + " is far off";
    if (now.unresolved > 0) return ["worse", f.count(now.unresolved, "benchmark has", "benchmarks have") + " an unresolved regression" + (more ? ", and a check found " + more + " more" : "") + (offs ? ", and " + off : ""), worstOf(entries, p.rows.worse), few];
    // A check or a bisection proves changes for which the runs of a line are too few.
    const proved = entries.filter((e) => (e.b.lines || []).some(isProved)).length;
    if (now.regressed || proved) return ["worse", (now.regressed >= proved ? "The newest check" : "A check or a bisection") + " found " + f.count(Math.max(now.regressed || 0, proved), "benchmark") + " slower", worstOf(entries, isProved), few];
    // Steady counts say nothing about times.
    if (blind(index, lines)) return now.trial && now.decided && !now.undecided && !now.left && !behind(index) ? ["", "The newest check found no regression", null, few] : ["undecided", "Too little is known to say whether anything got slower", null, few];
    if (offs) return ["undecided", "There is no unresolved regression, but " + off, worstOf(entries, isOff), few];
    return ["", few ? "No unresolved regression was found" : "There is no unresolved regression", null, few];
  }

  // behind reports whether the newest check is older than the newest commit.
  const behind = (index) => Boolean(index.now.trial && index.meta && index.meta.head && index.now.head !== index.meta.head);

  // worstOf returns the largest change among the lines that pass, preferring times.
  function worstOf(entries, passes) {
    const all = entries.flatMap((e) => (e.b.lines || []).filter((line) => !line.branch && passes(line)).map((line) => ({ e, line })));
    const times = all.filter((w) => f.kind(w.line.unit) === "time");
    return (times.length ? times : all).reduce((worst, w) => (!worst || p.rows.size(w.line) > p.rows.size(worst.line) ? w : worst), null);
  }

  function sentence(index, entries) {
    const [tone, text, worst, few] = standing(index, entries);
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const out = [el("strong", { class: tone || null }, text), index.meta.branch ? [" on ", el("span", { dir: "auto" }, f.short(index.meta.branch, 60))] : null];
    if (worst) {
      const c = p.commits[worst.line.changeAt];
      out.push(". The largest: ", el("a", { href: p.href("b", worst.e.b.path), class: "name", dir: "auto" }, f.short(worst.e.b.name, 80)), ", ", p.rows.changeOf(worst.line),
        f.kind(worst.line.unit) === "other" ? " " + f.short(p.text(worst.line.unit), 40) : "", c ? [", since ", el("span", { class: "nowrap" }, f.date(c.time))] : "");
    }
    out.push(".");
    if (few > 0) {
      out.push(few >= lines ? " None of the " + f.count(lines, "series", "series") + " has enough runs to find a step. " + p.again(index.meta, 20).does + ": "
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
    if (!lost && !stale) return tile(now.whole ? "0" : f.dash, "lost or stale", coverage(now), null, now.whole ? "" : "undecided");
    return tile(String(lost + stale), [lost ? "lost" : "", stale ? "stale" : ""].filter(Boolean).join(" or "),
      [lost ? f.count(lost, "is", "are") + " not in the newest run" : "", stale ? stale + " not measured at the newest 10 commits" : ""].filter(Boolean).join(", "), href, "undecided");
  }

  // coverage describes how much was measured, which is unknown without a run of all benchmarks.
  function coverage(now) {
    if (!now.whole) return "unknown: only selected benchmarks were measured, " + f.count(now.known, "benchmark");
    return now.newest < now.known ? now.newest + " of " + f.count(now.known, "benchmark") + " in the newest runs" : "every benchmark is in the newest runs";
  }

  // checked returns the result of the newest check: [number, label, note, tone]. An open result is not 0.
  function checked(index) {
    const now = index.now;
    const where = behind(index) ? "in the check of " + now.head.slice(0, 12) + ", which is not the newest commit" : "in the newest check";
    const open = now.undecided ? now.undecided + " undecided" : now.left ? "not everything was checked" : "";
    if (!now.trial) return [f.dash, "regressed in a check", "this branch has no check yet: run perftrack check", ""];
    if (now.regressed) return [String(now.regressed), "regressed", where + (open ? ", " + open : ""), "worse"];
    if (!now.decided && open) return [f.dash, "regressed", "nothing was decided, " + open + ", " + where, "undecided"];
    if (open) return [now.undecided ? String(now.undecided) : f.dash, now.undecided ? "undecided" : "regressed", (now.undecided ? "the other " + now.decided + " did not regress, " : open + ", ") + where, "undecided"];
    return ["0", "regressed", where + (now.decided ? "" : ", which had no benchmark to measure"), behind(index) ? "undecided" : ""];
  }

  // now builds the band.
  p.now = function (index, entries) {
    const now = index.now;
    const [found, label, note, tone] = checked(index);
    const check = tile(found, label, note, now.trial ? p.href("c", now.trial) : p.href("compare"), tone);
    const lines = index.benchmarks.reduce((n, b) => n + (b.lines || []).length, 0);
    const silent = !now.unresolved && blind(index, lines); // no regression is known, rather than none
    return el("section", { class: "now", "aria-label": "Now" }, sentence(index, entries),
      el("ul", { class: "tiles" },
        tile(silent ? f.dash : String(now.unresolved), now.unresolved === 1 ? "benchmark with an unresolved regression" : "benchmarks with an unresolved regression", (now.steps > now.unresolved ? f.count(now.steps, "step") + " in all units, " : "") + (now.tooFew ? f.count(now.tooFew, "series", "series") + " with too few runs to tell" : "in " + f.count(lines, "series", "series")), p.href("regressions"), now.unresolved ? "worse" : ""),
        check, freshness(now),
        tile(f.percent(now.noise), "noise from run to run", now.noise === null ? "too few runs to tell" : "median, newest runs", p.href("machine")),
        tile(f.percent(now.detects), "smallest change that a check finds", now.detects === null ? "unknown: run perftrack calibrate" : "median of benchmarks", p.href("machine")),
        tile(f.date(now.lastRun), "last run", index.environments.length ? index.environments[0].label : null, p.href("runs"))));
  };
  p.standing = standing;
  p.checked = checked;
  p.coverage = coverage;
})(perftrack);
