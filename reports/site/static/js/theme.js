// The first script of the page: it makes the global name, and sets the theme before anything is painted.
// Styles depend only on data-theme, so that each colour is written once for each theme.
"use strict";
globalThis.perftrack = {};

(function (p) {
  if (typeof document === "undefined") return; // logic is tested without a document
  const key = "perftrack-theme";
  const order = ["auto", "light", "dark"];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";

  // Storage throws in browsers that keep none for files; then the choice ends with the page.
  function stored() {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }
  function store(value) {
    try {
      localStorage.setItem(key, value);
    } catch {
      // see stored
    }
  }

  function apply() {
    const theme = choice === "auto" ? (dark.matches ? "dark" : "light") : choice;
    if (document.documentElement.dataset.theme === theme) return;
    document.documentElement.dataset.theme = theme;
    document.dispatchEvent(new CustomEvent("perftrack:theme", { detail: theme }));
  }

  const asked = new URLSearchParams(location.search).get("theme") || stored();
  if (order.includes(asked)) choice = asked;
  apply();
  dark.addEventListener("change", apply);

  p.theme = {
    get: () => choice,
    next() {
      choice = order[(order.indexOf(choice) + 1) % order.length];
      store(choice);
      apply();
      return choice;
    },
    // color returns a custom property, as in color("--fg"). Its users redraw at the event perftrack:theme.
    color: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
  };
})(perftrack);
