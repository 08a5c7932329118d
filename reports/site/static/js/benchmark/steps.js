// The steps and levels of a benchmark's lines, with the next commands.
"use strict";
(function (p) {
  const el = p.el;
  const f = p.format;
  const w = p.chartWords;
  const shown = 40; // more steps are only counted

  // steps lists the steps of lines, the newest first. zoom(step, line) shows one in the charts.
  function steps(lines, zoom) {
    const all = lines.flatMap(({ line, name }) => line.steps.map((step) => ({ line, name, step })));
    all.sort((a, b) => b.line.commit[b.step.first] - a.line.commit[a.step.first]);
    const few = lines.filter(({ line }) => !line.enough && !line.derived);
    const derived = lines.filter(({ line }) => line.derived).length;
    const out = [el("h2", { id: "steps" }, "Steps")];
    if (all.length) out.push(el("ol", { class: "steps" }, all.slice(0, shown).map((s) => el("li", null, card(s, lines.length > 1, zoom)))));
    if (all.length > shown) out.push(el("p", { class: "muted" }, "And " + f.count(all.length - shown, "older step") + "."));
    const searched = lines.length - few.length - derived;
    if (!all.length && searched) out.push(el("p", null, "No step in " + f.count(searched, "line") + " with enough runs to find one: since the first run, the level has not changed by half the threshold (" + f.percent(p.index.meta.threshold) + " unless the benchmark has its own) for three runs or more."));
    for (const { line, name } of few) out.push(el("p", { class: "undecided" }, el("b", { dir: "auto" }, line.unit + (name ? ", " + name : "")), ": " + w.tooFew(line)));
    if (few.some(({ line }) => line.needs)) out.push(el("p", null, p.again(p.index.meta, 20).does + ": ", p.copy(p.again(p.index.meta, 20).command)));
    return out;
  }

  function card({ line, name, step }, several, zoom) {
    const at = (point) => f.commit(line.commit[point]);
    return [
      el("div", { class: "step-head" }, p.state(step.state, w.states[step.state]), el("b", null, several || line.unit ? line.unit : ""), el("b", { class: "step-size" }, w.size(step, line)),
        el("button", { type: "button", class: "small", onclick: () => zoom(step, line) }, "Show")),
      el("div", { class: "step-range" }, step.drift ? "Gradually over " + f.count(step.drift, "run") + ", after " : "After ", at(step.last), " up to ", at(step.first),
        step.commits > 1 ? " (" + f.count(step.commits, "commit") + ")" : null, ", ", el("span", { class: "nowrap" }, f.date((p.commits[line.commit[step.first]] || {}).time)), several && name ? [", ", el("span", { dir: "auto" }, name)] : null, "."),
      el("div", null, "From ", f.value(step.from, line.unit), " to ", f.value(step.to, line.unit), Number.isFinite(step.now) ? "; now " + (Math.abs(step.now) < 5e-4 ? "as before" : f.change(step.now, line.better, line.unit) + " from before") : null, ".",
        step.reason ? [" Accepted: ", el("q", { dir: "auto" }, step.reason)] : null),
      step.bisect ? el("div", null, "Which commit? ", p.copy(step.bisect, "Copy the command that finds it")) : null,
      step.accept ? el("div", null, "Intended? ", p.copy(step.accept, "Copy the command that accepts it")) : null,
    ];
  }

  // levels lists the ranges without a step.
  function levels(lines) {
    const rows = lines.flatMap(({ line, name }) => line.levels.map((level, i) => ({
      name, unit: line.unit, better: line.better, center: level.center, runs: level.end - level.first, from: line.commit[level.first], to: line.commit[level.end - 1],
      change: i ? level.center / line.levels[i - 1].center - 1 : null,
    }))).reverse();
    if (!rows.length) return [];
    return [el("h2", null, "Levels"), p.table({
      caption: "Series of runs without a step, newest first", rows, columns: [
        { key: "unit", title: "Unit", sort: true },
        lines.some((l) => l.name) ? { key: "name", title: "Line", sort: true, fold: 2 } : null,
        { key: "from", title: "From", render: (r) => f.commit(r.from, { short: true }) },
        { key: "to", title: "To", render: (r) => f.commit(r.to, { short: true }), fold: 3 },
        { key: "runs", title: "Runs", sort: true, align: "right" },
        { key: "center", title: "Level", sort: true, align: "right", render: (r) => f.value(r.center, r.unit) },
        { key: "change", title: "From the previous", sort: true, align: "right", fold: 3, render: (r) => (r.change === null ? f.dash : f.change(r.change, r.better, r.unit)) },
      ].filter(Boolean),
    })];
  }

  Object.assign(p.benchmarks, { steps, levels });
})(perftrack);
