// An open row of a comparison.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const c = p.comparison;

  // profilesOf returns the profiles of the row's benchmark, differences of the pair first.
  async function profilesOf(d, r) {
    const runs = await p.load("runs");
    const of = (q) => q.benchmark === r.name && q.target === r.target && (q.package || "") === (r.package || "") && q.hash && (q.hash === d.head.sha || q.hash === d.base.sha);
    return (runs.profiles || []).filter((q) => of(q) && (!q.baseHash || q.baseHash === d.base.sha)).sort((x, y) => (y.baseHash ? 1 : 0) - (x.baseHash ? 1 : 0) || y.commit - x.commit).slice(0, 6);
  }

  p.comparisonDetail = function (d, r) {
    const row = r.row;
    const links = el("p", { class: "links" });
    if (r.benchmark) {
      links.append(el("a", { href: p.href("b", r.benchmark.path, { unit: row.unit, point: d.head.sha ? f.hash(d.head.sha) : null, base: d.head.sha && d.base.sha ? f.hash(d.base.sha) : null }) }, "History of this benchmark"));
    }
    profilesOf(d, r).then((list) => {
      for (const q of list) {
        links.append(" · ", el("a", { href: p.href("p", q.id) }, q.baseHash ? "Profile of the difference (" + q.kind + ")" : "Profile of " + (q.hash === d.head.sha ? "head" : "base") + " (" + q.kind + ")"));
      }
    }).catch(() => {});
    const paired = d.trial;
    const strip = p.forest.strip(row, paired);
    const ratios = paired ? p.forest.ratios(row, r) : null;
    return el("div", { class: "opened" },
      el("div", { class: "pictures" },
        strip ? el("figure", null, el("figcaption", null, legend(), paired ? "Samples in the order of rounds" : "Samples of each side in the order of measurement",
          row.every ? " (every " + ordinal(row.every) + " round)" : "", paired ? ": machine disturbances affect both." : ". The machine may have changed in between."), strip) : null,
        ratios ? el("figure", null, el("figcaption", null, "Change in each round, with estimate and interval; the band is the threshold."), ratios) : null,
        !strip ? el("p", { class: "muted" }, "Its samples are not on the page" + (d.trimmed ? ", because the comparison has very many rows and this one did not change." : ".")) : null,
        strip ? samplesTable(row, paired) : null),
      el("div", { class: "facts" }, numbers(d, r),
        (row.limits || []).map((l) => el("p", { class: l.missed ? "worse" : null }, "Limit ", el("code", null, l.text), ": " + l.result)),
        (row.notes || []).map((n) => el("p", { class: "note" }, "Note: ", p.words(n))),
        links,
        row.explain ? el("p", null, "Where it comes from: ", p.copy(row.explain)) : null));
  };

  const legend = () => [el("span", { class: "key side0" }, "■ base"), " ", el("span", { class: "key side1" }, "● head"), " "];
  const ordinal = (n) => n + ({ 2: "nd", 3: "rd" }[n] || "th");

  const numberOf = (text, center, row) => (text ? c.shown(text, row.unit) : f.value(center, row.unit));

  function numbers(d, r) {
    const row = r.row;
    const list = [
      ["Base", numberOf(row.shown.base, row.baseCenter, row) + ", n=" + row.n[0]], ["Head", numberOf(row.shown.head, row.headCenter, row) + ", n=" + row.n[1]],
      ["Change", c.changeOf(row).join(" ").trim() || f.dash], d.trial ? ["Measured in", row.shown.measured || f.count(row.rounds || 0, "round")] : null,
      ["Threshold", f.percent(row.threshold)], row.shown.p ? ["Adjusted p", row.shown.p] : null,
      row.shown.unpaired ? ["Unpaired p (benchstat)", row.shown.unpaired] : null,
      ["Better", row.better < 0 ? "less" : row.better > 0 ? "more" : "unknown"],
      r.package ? ["Package", r.package] : null, r.target ? ["Target", r.target] : null, row.scope ? ["Kind", "scope in a profile"] : null,
    ];
    return el("dl", { class: "numbers" }, list.filter(Boolean).map(([k, v]) => [el("dt", null, k), el("dd", { dir: "auto" }, v)]));
  }

  function samplesTable(row, paired) {
    const fold = el("details", { class: "samples" }, el("summary", null, "The same as a table"));
    fold.addEventListener("toggle", () => {
      if (fold.children.length > 1) return;
      const [base, head] = row.samples;
      const at = (side, i, n) => (side.length === 1 && n > 1 ? side[0] : side[i]);
      const all = Array.from({ length: Math.max(base.length, head.length) }, (_, i) => i);
      fold.append(el("div", { class: "table" }, el("table", null, el("caption", { class: "unseen" }, "Samples"),
        el("thead", null, el("tr", null, ["Round", "Base", "Head", paired ? "Change" : null].filter(Boolean).map((t) => el("th", { scope: "col", class: "right" }, paired ? t : t.replace("Round", "Sample"))))),
        el("tbody", null, all.map((i) => {
          const b = at(base, i, row.n[0]), h = at(head, i, row.n[1]);
          return el("tr", null, el("th", { scope: "row", class: "right" }, i * (row.every || 1) + 1), el("td", { class: "right" }, f.value(b, row.unit)), el("td", { class: "right" }, f.value(h, row.unit)),
            paired ? el("td", { class: "right" }, b > 0 ? f.change(h / b - 1, row.better, row.unit) : f.dash) : null);
        })))));
    });
    return fold;
  }
})(perftrack);
