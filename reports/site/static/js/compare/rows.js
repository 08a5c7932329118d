// The table of a comparison: a line for each row with its forest plot, which opens to samples and numbers.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const c = p.comparison;
  const step = 200; // rows added at once

  const stateOf = (group) => {
    const g = c.groupCalled(group);
    return [p.state(g.key, g.one || g.word), g.why ? el("span", { class: "reason" }, g.why) : null];
  };

  // comparisonTable shows rows of the comparison d. open is the set of keys of open rows; opened(key, yes)
  // is called on a change.
  p.comparisonTable = function (d, rows, options) {
    const s = p.forest.scale(rows.length ? rows : options.all);
    const short = c.shortener(options.all);
    const units = new Set(options.all.map((r) => r.row.unit)).size;
    const body = el("tbody");
    const head = (title, cls, key, label) => {
      const order = options.order === key;
      return el("th", { scope: "col", class: cls, "aria-sort": key && order ? "descending" : null },
        key ? el("button", { type: "button", class: "head", "aria-label": "Sort by " + (label || title), onclick: () => options.sort(key) }, title, el("span", { class: "arrow", "aria-hidden": "true" }, order ? "↓" : "")) : title);
    };
    const table = el("table", { class: "compared" },
      el("caption", { class: "unseen" }, "Rows in the comparison: " + f.count(rows.length, "row") + ", " + c.orders[options.order].word),
      el("thead", null, el("tr", null,
        head("Benchmark", "name", "name"), head("Verdict", null, "worst"), head("Change", "right", "change"),
        el("th", { scope: "col", class: "plot" }, el("span", { class: "unseen" }, "Forest plot"), p.forest.axis(s)),
        head("Base", "right fold2"), head("Head", "right fold2"), head(d.trial ? "Certainty" : "Unpaired p", "right fold1", "certainty"))),
      body);
    const node = el("div", { class: "table" }, table);
    const more = el("button", { type: "button", onclick: () => add() });
    let next = 0;

    function add() {
      const first = next;
      for (; next < Math.min(rows.length, first + step); next++) body.append(...line(rows[next], next));
      more.hidden = next >= rows.length;
      more.textContent = "Show " + f.count(Math.min(step, rows.length - next), "more row") + " of " + (rows.length - next);
    }

    function line(r, i) {
      const { row } = r;
      const key = options.keyOf(r);
      const open = options.open.has(key);
      const id = "row-" + r.i;
      const button = el("button", { type: "button", class: "open", id: id + "-open", "aria-expanded": String(open), onclick: toggle },
        el("span", { class: "twist", "aria-hidden": "true" }), el("span", { class: "bench", dir: "auto" }, r.name || "(no name)"));
      const [estimate, interval] = c.changeOf(row);
      const tr = el("tr", { "data-i": i, id, class: "tone-" + c.toneOf(r) },
        el("th", { scope: "row", class: "name" }, button, " ", units > 1 ? el("span", { class: "unit" }, row.unit) : null,
          short(r.package) || row.of ? el("span", { class: "home" }, short(r.package) ? el("span", { dir: "auto" }, short(r.package)) : null, short(r.package) && row.of ? ", " : null, row.of ? c.trialName(row.of) : null) : null),
        el("td", null, stateOf(r.group), row.reason ? el("span", { class: "reason" }, row.reason) : null,
          row.with ? el("span", { class: "reason" }, "shows the change of " + p.text(row.with)) : null, row.accepted ? el("span", { class: "reason", dir: "auto" }, row.accepted) : null),
        el("td", { class: "right delta" }, el("span", { class: "estimate" }, estimate || f.dash), interval ? el("span", { class: "between" }, interval) : null),
        el("td", { class: "plot" }, p.forest.plot(r, s)),
        el("td", { class: "right fold2" }, f.value(row.baseCenter, row.unit)),
        el("td", { class: "right fold2" }, f.value(row.headCenter, row.unit)),
        el("td", { class: "right fold1 sure" }, d.trial ? (row.exact ? "exact" : row.shown.p ? "p " + row.shown.p : f.dash) : row.shown.unpaired || f.dash,
          d.trial && row.rounds ? el("span", { class: "between" }, f.count(row.rounds, "round")) : null));
      let detail = null;
      if (open) show(true);
      return detail ? [tr, detail] : [tr];

      function show(yes) {
        button.setAttribute("aria-expanded", String(yes));
        tr.classList.toggle("is-open", yes);
        if (!yes) {
          detail.remove();
          detail = null;
          return;
        }
        detail = el("tr", { class: "detail" }, el("td", { colspan: "7" }, p.comparisonDetail(d, r)));
      }
      function toggle() {
        const yes = !detail;
        show(yes);
        if (yes) tr.after(detail);
        options.opened(key, yes);
      }
    }

    node.reveal = (i) => body.querySelector('tr[data-i="' + i + '"]') || undefined;
    add();
    if (!rows.length) body.append(el("tr", null, el("td", { colspan: "7", class: "none" }, options.empty)));
    return [node, more];
  };
})(perftrack);
