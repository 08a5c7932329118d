// Tables with sortable columns and linked rows. A long table keeps only the visible rows in the document.
"use strict";
(function (p) {
  const el = p.el;
  const long = 200; // a table with more rows is virtual

  const valueOf = (column, row) => (typeof column.sort === "function" ? column.sort(row) : row[column.key]);

  // table builds one. Columns: {key, title, align: "right", sort: true or value(row), first:
  // "descending", render(row), width, fold: 1 to 3 (hidden below 1100, 800, 560 pixels),
  // label (of a title that is not words)}. Options: rows, caption, rowHref(row), rowClass(row), heading(row) (of those
  // below it),
  // virtual (true, false, or by length), sort: {key, direction}, onSort(key, direction) for who sorts
  // itself, empty (what it says without rows). The node has update(rows).
  p.table = function (options) {
    const columns = options.columns;
    let rows = options.rows || [];
    let by = options.sort || null;
    const body = el("tbody");
    const heads = columns.map(head);
    const table = el("table", { class: options.class || null },
      options.caption ? el("caption", { class: options.showCaption ? null : "unseen" }, options.caption) : null,
      el("colgroup", null, columns.map((c) => el("col", { class: fold(c), style: c.width ? { width: c.width } : {} }))),
      el("thead", null, el("tr", null, heads)), body);
    // A table wider than the page scrolls, also by the keyboard: without a focusable part it takes the
    // focus itself.
    const still = !columns.some((c) => c.sort);
    const node = el("div", { class: "table", tabindex: still ? "0" : null, role: still ? "group" : null, "aria-label": still ? options.caption : null }, table);
    let window_ = null;
    let order = [];

    function head(column) {
      const cls = [fold(column), column.align === "right" ? "right" : ""].join(" ").trim() || null;
      if (!column.sort) return el("th", { scope: "col", class: cls, "aria-label": column.label || null }, column.title);
      const arrow = el("span", { class: "arrow", "aria-hidden": "true" });
      return el("th", { scope: "col", class: cls, "data-key": column.key },
        el("button", { type: "button", class: "head", onclick: () => click(column) }, column.title, arrow));
    }

    function click(column) {
      const other = { ascending: "descending", descending: "ascending" };
      const first = column.first || "ascending";
      by = { key: column.key, direction: by && by.key === column.key ? other[by.direction] : first };
      if (options.onSort) options.onSort(by.key, by.direction);
      fill();
      p.say("Sorted by " + p.text(column.title) + ", " + by.direction);
    }

    function row(i) {
      const of = order[i];
      const href = options.rowHref && options.rowHref(of);
      const tr = el("tr", { class: options.rowClass ? options.rowClass(of) : null, "data-i": i });
      if (window_) tr.setAttribute("aria-rowindex", i + 2);
      columns.forEach((column, k) => {
        const cls = [fold(column), column.align === "right" ? "right" : "", column.class || ""].join(" ").trim() || null;
        const content = column.render ? column.render(of) : of[column.key];
        const inner = k === 0 && href ? el("a", { href, class: "row" }, content) : content;
        const scope = k > 0 ? null : options.heading && options.heading(of) ? "rowgroup" : "row";
        tr.append(el(k === 0 ? "th" : "td", { class: cls, scope }, inner));
      });
      return tr;
    }

    function fill() {
      for (const th of heads) {
        if (!th.dataset.key) continue;
        const on = by && by.key === th.dataset.key;
        if (on) th.setAttribute("aria-sort", by.direction);
        else th.removeAttribute("aria-sort");
        th.querySelector(".arrow").textContent = on ? (by.direction === "ascending" ? "↑" : "↓") : "";
      }
      order = rows;
      const column = by && !options.onSort && columns.find((c) => c.key === by.key);
      if (column) {
        const direction = by.direction === "ascending" ? 1 : -1;
        order = rows.map((of, i) => [valueOf(column, of), i, of]).sort((x, y) => p.compareValues(x[0], y[0], direction) || x[1] - y[1]).map((x) => x[2]);
      }
      const many = options.virtual === undefined ? order.length > long : options.virtual;
      if (many && order.length > 0) {
        table.classList.add("virtual");
        table.setAttribute("aria-rowcount", order.length + 1);
        window_ = window_ || p.virtual(body, row);
        window_.update(order.length);
        return;
      }
      if (window_) window_.close();
      window_ = null;
      table.removeAttribute("aria-rowcount");
      body.replaceChildren(...order.map((_, i) => row(i)));
      if (!order.length) body.append(el("tr", null, el("td", { colspan: String(columns.length), class: "none" }, options.empty || "Nothing to show.")));
    }

    node.update = (next) => {
      rows = next;
      fill();
    };
    // reveal scrolls to a row and returns its node, undefined beyond the ends.
    node.reveal = (i) => (i < 0 || i >= order.length ? undefined : window_ ? window_.reveal(i) : body.children[i]);
    fill();
    return node;
  };
  const fold = (column) => (column.fold ? "fold" + column.fold : null);
})(perftrack);
