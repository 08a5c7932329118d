// The keyboard: / searches, j and k move through the rows, Enter opens one, ? lists the keys.
"use strict";
(function (p) {
  const el = p.el;
  const keys = [
    ["/", "search on this page"], ["j", "next row"], ["k", "previous row"], ["Enter", "open the row"],
    ["g o", "overview"], ["g r", "regressions"], ["g c", "compare"], ["g m", "machine"], ["t", "theme"], ["?", "show these keys"], ["Esc", "leave a field, close this help"],
  ];
  const pages = { __proto__: null, o: "overview", r: "regressions", c: "compare", m: "machine" };
  let going = 0; // time of the last g

  const typing = (node) => /^(INPUT|SELECT|TEXTAREA)$/.test(node.tagName) || node.isContentEditable;

  // move focuses another row of the focused table, or of the first one.
  function move(by) {
    const at = document.activeElement.closest(".table tr[data-i]");
    const table = at ? at.closest(".table") : document.querySelector("main .table");
    if (!table || !table.reveal) return;
    let i = at ? Number(at.dataset.i) + by : 0;
    for (let row = table.reveal(i); row; row = table.reveal((i += by))) {
      const target = row.querySelector("a, button");
      if (!target) continue; // a heading
      target.focus({ preventScroll: true });
      row.scrollIntoView({ block: "nearest" });
      return;
    }
  }

  function help() {
    const dialog = el("dialog", { class: "keys", "aria-labelledby": "keys-title", onclose: () => dialog.remove(), onclick: (e) => e.target === dialog && dialog.close() },
      el("h2", { id: "keys-title" }, "Keys"),
      el("dl", null, keys.map(([key, what]) => [el("dt", null, key.split(" ").map((k) => el("kbd", null, k))), el("dd", null, what)])),
      el("button", { type: "button", onclick: () => dialog.close() }, "Close"));
    document.body.append(dialog);
    dialog.showModal();
  }

  function pressed(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented) return;
    if (document.querySelector("dialog[open]")) return;
    if (typing(e.target)) {
      if (e.key === "Escape") e.target.blur();
      else if (e.key === "Enter" && e.target.id === "search") move(1); // to the results
      return;
    }
    if (going && Date.now() - going < 1500 && pages[e.key]) {
      location.hash = p.href(pages[e.key]);
      going = 0;
      return;
    }
    going = 0;
    switch (e.key) {
      case "/": {
        const field = document.querySelector("main input[type=search]");
        if (!field) return;
        field.focus();
        field.select();
        break;
      }
      case "j": move(1); break;
      case "k": move(-1); break;
      case "g": going = Date.now(); break;
      case "t": document.getElementById("theme").click(); break;
      case "?": help(); break;
      default: return;
    }
    e.preventDefault();
  }

  document.addEventListener("keydown", pressed);
  document.addEventListener("DOMContentLoaded", () => document.getElementById("help").addEventListener("click", help));
})(perftrack);
