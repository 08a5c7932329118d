// The first script of the page: the one global name, and the theme before anything is
// painted. Styles know data-theme only, so that every colour is written down once a theme.
"use strict";
globalThis.perftrack = {};

(function (p) {
  if (typeof document === "undefined") return; // logic is tested without a page
  const key = "perftrack-theme";
  const order = ["auto", "light", "dark"];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let choice = "auto";

  // Storage throws where a browser keeps none for files: the choice then lasts as long as the page.
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
    // color is what a custom property stands for now, as in color("--fg"). Whoever draws with it
    // draws again at the document's perftrack:theme event.
    color: (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim(),
  };
})(perftrack);
