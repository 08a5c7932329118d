// The filters of the overview: a search field and chips.
"use strict";
(function (p) {
  const el = p.el;
  const unique = (list) => [...new Set(list)];

  // choice is a chip to choose one of several values, "" for all.
  function choice(name, label, values, v, changed) {
    if (values.length < 2 && !v[name]) return null;
    const known = values.some((x) => x[0] === v[name]) || !v[name] ? values : [...values, [v[name], v[name] + " (none)"]];
    const select = el("select", { id: "filter-" + name, "aria-label": label },
      el("option", { value: "" }, label + ": all"), known.filter((x) => x[0] !== "").map(([value, text]) => el("option", { value }, label + ": " + p.format.short(p.text(text), 48))));
    const mark = () => select.classList.toggle("on", select.value !== "");
    select.value = v[name];
    mark();
    select.addEventListener("change", () => {
      v[name] = select.value;
      mark();
      changed();
    });
    return select;
  }

  // filters builds the filters of a view and changes it. left is called when the field is left; update
  // shows the number of rows of each state.
  p.filters = function (index, v, entries, changed, left) {
    const field = el("input", { type: "search", id: "search", placeholder: "Search ( / )", "aria-label": "Search by package and name", value: v.q, autocomplete: "off", spellcheck: "false" });
    field.addEventListener("input", () => {
      v.q = field.value;
      changed(true);
    });
    field.addEventListener("change", () => left()); // so that the address has the search before another page opens
    const same = (list) => unique(list).map((x) => [x, x]);
    const lines = index.benchmarks.flatMap((b) => b.lines || []);
    const build = () => [
      choice("package", "Package", same(entries.map((e) => e.package)).filter((x) => x[0]), v, changed),
      choice("unit", "Unit", same(lines.map((l) => l.unit)), v, changed),
      choice("env", "Environment", same(index.environments.map((e) => e.label)), v, changed),
      choice("branch", "Branch", unique(lines.map((l) => l.branch || "")).filter(Boolean).map((x) => [x, x]), v, changed),
    ];
    const choices = el("span", { class: "choices" }, build());
    const chips = el("div", { class: "states", role: "group", "aria-label": "States" });
    const clear = el("button", { type: "button", class: "small plain", onclick: reset }, "Clear");
    const node = el("div", { class: "chips", role: "search" }, field, choices, chips, clear);

    function reset() {
      Object.assign(v, { q: "", package: "", unit: "", env: "", branch: "" });
      v.states.clear();
      field.value = "";
      p.clear(choices, build());
      field.focus();
      changed();
    }

    function chip(state, n) {
      const on = v.states.has(state);
      return el("button", { type: "button", id: "state-" + state.replace(/\W/g, ""), class: "chip", "aria-pressed": String(on), onclick: () => press(state) }, (p.index.states.find((s) => s.key === state) || { word: state }).word, " ", el("span", { class: "count" }, String(n)));
    }
    function press(state) {
      if (!v.states.delete(state)) v.states.add(state);
      changed();
      const again = document.getElementById("state-" + state.replace(/\W/g, ""));
      if (again) again.focus();
    }

    return {
      node,
      update(counts) {
        const all = unique([...p.index.states.map((s) => s.key), "lost", "stale", ...v.states]).filter((s) => counts[s] || v.states.has(s));
        p.clear(chips, all.map((s) => chip(s, counts[s] || 0)));
        clear.hidden = !(v.q || v.package || v.unit || v.env || v.branch || v.states.size);
      },
    };
  };
})(perftrack);
