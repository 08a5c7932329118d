// Pages: p.page registers one, and the address chooses one. A page may load documents first; an error is
// shown as text with a way back.
"use strict";
(function (p) {
  const el = p.el;
  const pages = new Map();
  let leaving = [];
  let shown = null; // the route on the page

  // page registers {title(route), render(main, route)}. render may be async and is called again
  // when the route changes.
  p.page = (name, page) => pages.set(name, page);

  // leave calls fn before the page is rendered again or left, to remove its listeners.
  p.leave = (fn) => leaving.push(fn);

  const same = (a, b) => a && b && a.page === b.page && a.path.join("/") === b.path.join("/");

  // show renders the page of the address.
  p.show = async function () {
    const route = (p.route = p.parse(location.hash));
    const main = document.getElementById("main");
    try {
      if (!pages.has(route.page)) await p.part(route.page);
    } catch (problem) {
      shown = null;
      p.clear(main, p.problem(problem));
      return;
    }
    if (p.route !== route) return; // another page was requested meanwhile
    const again = same(shown, route);
    const page = pages.get(route.page);
    const focus = again && document.activeElement && document.activeElement.id;
    const scroll = again ? scrollY : 0;
    shown = route;
    for (const fn of leaving.splice(0)) fn();
    const title = page ? page.title(route) : "Not found";
    document.title = title + " · " + p.format.short(p.index.meta.title || "perftrack", 80);
    mark(route.page);
    const content = el("div", { class: "page page-" + route.page.replace(/[^a-z]/g, ""), "aria-busy": "true" });
    main.style.minHeight = again ? main.offsetHeight + "px" : "";
    main.replaceChildren(content); // a late render of an earlier address stays off the page
    try {
      if (!page) throw new Error("This site has no page at " + p.text(location.hash.slice(0, 200)) + ".");
      await page.render(content, route);
    } catch (problem) {
      p.clear(content, p.problem(problem));
    }
    if (!content.isConnected) return;
    content.removeAttribute("aria-busy");
    main.style.minHeight = "";
    if (again) {
      scrollTo(0, scroll);
      const old = focus && document.getElementById(focus);
      if (old) old.focus({ preventScroll: true });
      return;
    }
    scrollTo(0, (history.state && history.state.y) || 0);
    arrive(content, title);
  };

  // Each step of the browser's history keeps the scroll position.
  let resting = 0;
  function remember() {
    clearTimeout(resting);
    resting = setTimeout(() => {
      try {
        history.replaceState({ y: scrollY }, "");
      } catch {
        // see setQuery
      }
    }, 200);
  }

  // arrive moves the focus and the screen reader to a new page.
  let first = true;
  function arrive(content, title) {
    const heading = content.querySelector("h1");
    if (heading && !first) {
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    }
    if (!first) p.say(p.text(title));
    first = false;
  }

  // problem replaces a page that cannot be shown.
  p.problem = (problem) =>
    el("div", { class: "problem", role: "alert" },
      el("h1", null, "This page cannot be shown"),
      el("p", null, problem && problem.message ? problem.message : String(problem)),
      el("p", null, el("a", { href: "#/" }, "To the overview"), " · ", el("a", { href: location.hash, onclick: (e) => { e.preventDefault(); p.show(); } }, "Try again")));

  // empty says why a page shows nothing, with the command that fills it.
  p.empty = (why, command) => el("div", { class: "empty" }, el("p", null, why), command ? p.copy(command) : null);

  // parent maps a page to its entry of the navigation.
  const parent = { __proto__: null, b: "overview", c: "compare", r: "runs", commit: "runs", p: "profiles" };
  function mark(name) {
    for (const link of document.querySelectorAll("nav a")) {
      if (link.dataset.page === (parent[name] || name)) {
        link.setAttribute("aria-current", "page");
        const nav = link.parentNode; // scrolls on a narrow page
        if (link.offsetLeft < nav.scrollLeft || link.offsetLeft + link.offsetWidth > nav.scrollLeft + nav.offsetWidth) nav.scrollLeft = link.offsetLeft - nav.offsetWidth / 3;
      } else link.removeAttribute("aria-current");
    }
  }

  function foot(meta) {
    const f = p.format;
    const url = p.commitURL(meta.head);
    const head = meta.head ? el("code", null, f.hash(meta.head)) : null;
    p.clear(document.getElementById("foot"),
      el("p", null, "Branch ", el("b", { dir: "auto" }, f.short(meta.branch || "unknown", 60)),
        head ? [" at ", url ? el("a", { href: url, rel: "noopener noreferrer" }, head) : head] : null,
        ", written ", f.time(meta.generated), meta.live ? " (live)" : "", " by perftrack ", f.short(meta.version || "", 60), ".",
        meta.damaged ? el("strong", null, " ", meta.damaged === 1 ? "1 run is" : meta.damaged + " runs are", " missing, because the database is damaged: perftrack db verify lists them.") : null,
        meta.reports ? [" To read or print: ", el("a", { href: "reports/summary.html" }, "reports"), "."] : null),
      el("p", null, "A check uses a threshold of ", f.percent(meta.threshold), " and an error rate of ", f.percent(meta.alpha), ". Times are in UTC. ",
        meta.repository && /^https?:\/\//.test(meta.repository) ? el("a", { href: meta.repository, rel: "noopener noreferrer" }, "Repository") : null));
  }

  function themeButton() {
    const button = document.getElementById("theme");
    const label = () => {
      button.textContent = { auto: "◐", light: "☀", dark: "☾" }[p.theme.get()];
      button.setAttribute("aria-label", "Theme: " + p.theme.get() + ". Change it");
      button.title = "Theme: " + p.theme.get();
    };
    button.addEventListener("click", () => {
      p.theme.next();
      label();
    });
    label();
  }

  async function start() {
    themeButton();
    const main = document.getElementById("main");
    document.querySelector(".skip").addEventListener("click", (e) => {
      e.preventDefault(); // the hash names the page
      main.focus();
    });
    try {
      const [index, commits] = await early;
      if (!index.meta || index.meta.schema !== p.schema) {
        throw new Error("This site's data have version " + (index.meta && index.meta.schema) + ", but its scripts version " + p.schema +
          ": two versions were mixed. Write the site again to an empty folder: perftrack report --format html -o DIR");
      }
      p.index = index;
      p.commits = commits.list || [];
    } catch (problem) {
      p.clear(main, p.problem(problem));
      return;
    }
    document.getElementById("site").textContent = p.format.short(p.text(p.index.meta.title || "perftrack"), 80);
    foot(p.index.meta);
    document.querySelector("nav [data-page=queue]").hidden = !p.index.meta.queue;
    history.scrollRestoration = "manual"; // the browser would restore it before the page is there
    addEventListener("hashchange", () => {
      clearTimeout(resting);
      p.show();
    });
    addEventListener("scroll", remember, { passive: true });
    p.show();
  }
  // The documents of every page load while the other scripts are read.
  const early = Promise.all([p.load("index"), p.load("commits")]);
  early.catch(() => {}); // start reports it
  p.part(p.parse(location.hash).page).catch(() => {}); // show reports it
  document.addEventListener("DOMContentLoaded", start);
})(perftrack);
