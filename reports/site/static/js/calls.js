// The call tree of a profile, sorted by total, own cost or difference. Rows open by mouse or keys.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const share = (x, of) => (x === null || !of ? f.dash : f.percent(x / of));

  // callee returns the name of a function, without the path of its package if there is little room.
  p.callee = function (name) {
    const at = name.slice(0, (name + "[").search(/[[(]/)).lastIndexOf("/") + 1;
    return el("code", { title: p.text(name) }, el("bdi", null, at ? el("span", { class: "muted fold2" }, name.slice(0, at)) : null, name.slice(at)));
  };

  // inLine keeps a number and its unit together.
  p.inLine = (text) => el("span", { class: "once" }, text);

  // objects formats a number of objects per operation, which may be a fraction.
  p.objects = (n) => (n === null ? f.dash : f.commas(f.fixed(n, n < 10 && !Number.isInteger(n) ? 1 : 0)));

  // calls returns the nodes of the tree of a document. signed formats a difference.
  p.calls = function (doc, two, signed) {
    const head = el("h2", null, "Call tree");
    if (!doc.calls.length) return [head, p.empty("Nothing was sampled: use a longer --benchtime.")];
    const below = new Map();
    doc.calls.forEach((c, i) => below.set(c.parent, (below.get(c.parent) || []).concat(i)));
    const open = new Set();
    let by = two ? "difference" : "total";
    const difference = (c) => (c.total === null || c.base === null ? 0 : c.total - c.base);
    const key = { total: (c) => c.total, self: (c) => c.self, difference: (c) => Math.abs(difference(c)) };
    const body = el("tbody");

    // The heaviest path is open at first, as far as one call has most of its caller.
    for (let at = -1, depth = 0; depth < 12; depth++) {
      const next = (below.get(at) || [])[0];
      if (next === undefined || (at >= 0 && doc.calls[next].total < 0.5 * doc.calls[at].total)) break;
      open.add(next);
      at = next;
    }

    function rows(parent, depth, out) {
      const order = (below.get(parent) || []).slice().sort((x, y) => key[by](doc.calls[y]) - key[by](doc.calls[x]) || x - y);
      order.forEach((i, at) => {
        out.push(row(i, depth, at + 1, order.length));
        if (open.has(i)) rows(i, depth + 1, out);
      });
      return out;
    }

    function row(i, depth, at, of) {
      const c = doc.calls[i];
      const more = below.has(i);
      const shown = Math.min(depth, 24);
      const d = difference(c);
      const tr = el("tr", { "aria-level": depth + 1, "aria-posinset": at, "aria-setsize": of, "aria-expanded": more ? String(open.has(i)) : null, tabindex: "-1", "data-i": i,
        onclick: () => toggle(i) },
        el("td", { role: "gridcell", style: { "padding-left": 8 + 14 * shown + "px" } },
          el("span", { class: "opens", "aria-hidden": "true" }, more ? (open.has(i) ? "▾" : "▸") : "·"), " ", p.callee(c.name)),
        cell(f.value(c.total, doc.unit)), cell(share(c.total, doc.total), "fold2"), cell(f.value(c.self, doc.unit), "fold3"),
        two ? cell(f.value(c.base, doc.unit), "fold2") : null,
        two ? el("td", { role: "gridcell", class: "right " + (d > 0 ? "worse" : d < 0 ? "better" : "") }, p.inLine(signed(c.base === null ? null : d, doc.unit))) : null,
        counted ? cell(c.count === null ? f.dash : f.commas(String(c.count)), "fold2") : null,
        allocated ? cell(p.objects(c.allocs), "fold3") : null);
      return tr;
    }
    const cell = (text, fold) => el("td", { role: "gridcell", class: "right" + (fold ? " " + fold : "") }, p.inLine(text));
    const counted = doc.calls.some((c) => c.count !== null);
    const allocated = doc.calls.some((c) => c.allocs !== null);

    function fill(focus) {
      body.replaceChildren(...rows(-1, 0, []));
      const target = focus === undefined ? body.firstElementChild : body.querySelector('[data-i="' + focus + '"]');
      if (target) target.tabIndex = 0;
      if (target && focus !== undefined) target.focus();
    }

    function toggle(i) {
      if (below.has(i)) {
        if (!open.delete(i)) open.add(i);
      }
      fill(i);
    }

    // keys moves up and down; right opens, left closes or goes to the caller.
    function keys(e) {
      const tr = e.target.closest("tr[data-i]");
      if (!tr || e.ctrlKey || e.altKey || e.metaKey) return;
      const i = Number(tr.dataset.i);
      const go = (to) => {
        if (!to) return;
        tr.tabIndex = -1;
        to.tabIndex = 0;
        to.focus();
      };
      const does = {
        ArrowDown: () => go(tr.nextElementSibling), ArrowUp: () => go(tr.previousElementSibling),
        Home: () => go(body.firstElementChild), End: () => go(body.lastElementChild),
        ArrowRight: () => (below.has(i) && !open.has(i) ? toggle(i) : go(below.has(i) ? tr.nextElementSibling : null)),
        ArrowLeft: () => (open.has(i) && below.has(i) ? toggle(i) : go(body.querySelector('[data-i="' + doc.calls[i].parent + '"]'))),
        Enter: () => toggle(i), " ": () => toggle(i),
      }[e.key];
      if (!does) return;
      e.preventDefault();
      e.stopPropagation();
      does();
    }

    const choices = [["total", "total"], ["self", "own"]].concat(two ? [["difference", "difference"]] : []);
    const buttons = choices.map(([k, title]) => el("button", { type: "button", class: "small", "data-key": k, "aria-pressed": String(by === k), onclick: () => {
      by = k;
      buttons.forEach((b) => b.setAttribute("aria-pressed", String(b.dataset.key === by)));
      fill();
      p.say("Sorted by " + title);
    } }, title));
    const all = el("button", { type: "button", class: "small all", onclick: () => {
      const opened = open.size >= below.size - 1;
      open.clear();
      if (!opened) for (const i of below.keys()) if (i >= 0) open.add(i);
      all.textContent = opened ? "Open all" : "Close all";
      fill();
    } }, "Open all");
    const th = (title, fold) => el("th", { scope: "col", role: "columnheader", class: "right" + (fold ? " " + fold : "") }, title);
    const table = el("table", { role: "treegrid", "aria-label": "Call tree", class: "calls", onkeydown: keys },
      el("thead", null, el("tr", null, el("th", { scope: "col", role: "columnheader" }, doc.kind === "scopes" ? "Scope" : "Function"), th("Total"), th("Share", "fold2"), th("Own", "fold3"),
        two ? th("Total, base", "fold2") : null, two ? th("Difference") : null, counted ? th("Calls", "fold2") : null, allocated ? th("Objects", "fold3") : null)), body);
    fill();
    return [head, el("p", { class: "muted" }, "Each row is a function called by the one above it. Arrow keys and Enter open and close rows."),
      el("div", { class: "sorts" }, el("span", { class: "sorts", role: "group", "aria-label": "Sort" }, "Sort by", buttons), all), el("div", { class: "table" }, table)];
  };
})(perftrack);
