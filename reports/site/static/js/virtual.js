// Only the visible rows are in the document, so that a long table opens and scrolls like a short one. All
// rows have the same height, from the styles.
"use strict";
(function (p) {
  const beyond = 12; // rows above and below the visible ones

  // virtual fills a tbody; row(i) builds a row. It returns {update(count), reveal(i), close()}; update
  // redraws all rows.
  p.virtual = function (body, row) {
    const top = p.el("tr", { class: "spacer", "aria-hidden": "true" }, p.el("td"));
    const bottom = top.cloneNode(true);
    let nodes = new Map();
    let count = 0;
    let height = 34;
    let frame = 0;
    let all = false;

    function range() {
      if (all) return [0, count];
      const start = body.getBoundingClientRect().top;
      const first = Math.floor(-start / height) - beyond;
      const last = Math.ceil((innerHeight - start) / height) + beyond;
      return [Math.max(0, Math.min(first, count - 1)), Math.min(count, Math.max(last, 40))];
    }

    function render(range_) {
      const [first, end] = range_ || range();
      const kept = new Map();
      const list = [];
      for (let i = first; i < end; i++) {
        const node = nodes.get(i) || row(i);
        kept.set(i, node);
        list.push(node);
      }
      for (const [i, node] of nodes) if (!kept.has(i)) node.remove();
      nodes = kept;
      size(top, first);
      size(bottom, count - end);
      let after = top;
      for (const node of list) { // moving a node would take its focus
        if (after.nextSibling !== node) after.after(node);
        after = node;
      }
    }
    function size(spacer, rows) {
      spacer.hidden = rows <= 0;
      spacer.firstChild.style.height = rows * height + "px";
    }

    function measure() {
      const node = nodes.values().next().value;
      const now = node && node.getBoundingClientRect().height;
      if (now && Math.abs(now - height) > 0.1) {
        height = now;
        render();
      }
    }
    function later() {
      if (!frame) frame = requestAnimationFrame(() => { frame = 0; render(); });
    }
    function resized() {
      later();
      measure();
    }
    const print = () => { all = true; render(); };
    const printed = () => { all = false; render(); };

    addEventListener("scroll", later, { passive: true });
    addEventListener("resize", resized);
    addEventListener("beforeprint", print);
    addEventListener("afterprint", printed);
    p.leave(close);
    function close() {
      removeEventListener("scroll", later);
      removeEventListener("resize", resized);
      removeEventListener("beforeprint", print);
      removeEventListener("afterprint", printed);
    }

    return {
      close,
      update(n) {
        count = n;
        nodes = new Map();
        body.replaceChildren(top, bottom);
        render();
        measure();
        requestAnimationFrame(() => { measure(); render(); }); // once it is in the document
      },
      // reveal scrolls to a row and returns its node.
      reveal(i) {
        if (!nodes.has(i)) {
          scrollTo(0, scrollY + body.getBoundingClientRect().top + i * height - innerHeight / 2);
          render();
        }
        return nodes.get(i);
      },
    };
  };
})(perftrack);
