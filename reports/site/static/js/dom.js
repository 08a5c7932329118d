// Building the page. Names, subjects and reasons come from anybody: they reach the document as
// text only, without what could reorder or hide it.
"use strict";
(function (p) {
  // Control and format characters (bidirectional overrides, zero widths) are shown as such;
  // as package reports does.
  const invisible = /[^\P{C}\n\t\p{Cs}\p{Co}\p{Cn}]|[\p{Zl}\p{Zp}]/gu;
  const text = (s) => String(s).replace(invisible, "\uFFFD");

  const links = /^(#|https?:\/\/|mailto:|[^:]*$|[^:/?#]*[/?#])/i;
  const svgNS = "http://www.w3.org/2000/svg";

  function fill(node, attrs, children) {
    for (const [name, value] of Object.entries(attrs || {})) {
      if (value === null || value === undefined || value === false) continue;
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (name === "style") for (const k of Object.keys(value)) node.style.setProperty(k, value[k]);
      else if ((name === "href" || name === "src") && !links.test(value)) continue;
      else node.setAttribute(name, value === true ? "" : value);
    }
    append(node, children);
    return node;
  }

  function append(node, children) {
    for (const child of children) {
      if (child === null || child === undefined || child === false) continue;
      if (Array.isArray(child)) append(node, child);
      else node.append(child instanceof Node ? child : text(child));
    }
  }

  // el builds an element: attributes are class, on* (functions), style (an object) and whatever
  // setAttribute takes; what is null or false is left out, of children too.
  p.el = (tag, attrs, ...children) => fill(document.createElement(tag), attrs, children);
  p.svg = (tag, attrs, ...children) => fill(document.createElementNS(svgNS, tag), attrs, children);
  p.text = text;
  // words is a sentence of perftrack's own, in which backticks mark code.
  p.words = (sentence) => text(sentence).split("`").map((part, i, all) => (i % 2 && i + 1 < all.length ? p.el("code", null, part) : (i % 2 ? "`" : "") + part));
  p.append = (node, ...children) => append(node, children); // as el does: null is nothing

  p.clear = (node, ...children) => {
    node.replaceChildren();
    append(node, children);
    return node;
  };

  // copy is a command and the button that copies it. Where the clipboard may not be used, as
  // from some files, the command is selected instead.
  p.copy = function (command, label) {
    const code = p.el("code", { tabindex: "0" }, command);
    const button = p.el("button", { type: "button", class: "small", "aria-label": (label ? "Copy: " + label : "Copy command") + ": " + text(command), onclick: run }, "Copy");
    async function run() {
      try {
        await navigator.clipboard.writeText(command);
        button.textContent = "Copied";
        p.say("Copied");
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = "Selected";
        p.say("Selected: copy it with the keyboard");
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    }
    return p.el("span", { class: "copy" }, code, button);
  };

  // Words and marks of states, of steps and of verdicts: never a colour alone.
  const states = {
    __proto__: null, // a state may have any name, "constructor" too
    regressed: ["✖", "worse"], open: ["✖", "worse", "in force"],
    improved: ["✚", "better"], changed: ["◆", "undecided"], drift: ["≈", "worse"],
    accepted: ["✓", "muted"], recovered: ["↺", "muted"], steady: ["=", "muted"], unchanged: ["=", "muted"],
    inconclusive: ["?", "undecided", "undecided"], "not checked": ["?", "undecided"], "not comparable": ["?", "undecided"], suspect: ["?", "undecided"],
    checked: ["✖", "worse", "check: worse"], off: ["?", "undecided", "newest far off"],
    "too-few": ["…", "muted", "too few runs"],
    ok: ["=", "muted"], partial: ["…", "undecided"], failed: ["✕", "worse"], interrupted: ["…", "undecided"],
  };
  p.state = function (s, word) {
    const [mark, tone, said] = states[s] || ["·", "muted"];
    return p.el("span", { class: "state " + tone }, p.el("span", { class: "mark", "aria-hidden": "true" }, mark), word || said || s || "no verdict");
  };

  // commit is a node for a place in the list of commits: short hash, linked where the site
  // knows the repository's address, and the subject.
  p.format.commit = function (i, options) {
    const c = p.commits && p.commits[i];
    if (!c) return p.el("span", { class: "muted" }, "unknown commit");
    const hash = p.el("code", null, p.format.hash(c.sha));
    const url = p.commitURL(c.sha);
    return p.el("span", { class: "commit" },
      url ? p.el("a", { href: url, rel: "noopener noreferrer", title: text(c.subject || "") }, hash) : hash,
      options && options.short ? null : c.subject ? [" ", p.el("span", { class: "subject", dir: "auto" }, c.subject)] : null);
  };
  p.commitURL = (sha) => {
    const repository = p.index && p.index.meta.repository;
    return repository && /^https?:\/\//.test(repository) && sha ? repository + "/commit/" + encodeURIComponent(sha) : null;
  };

  // say tells a screen reader what happened.
  p.say = (message) => {
    const live = document.getElementById("live");
    if (live) live.textContent = message;
  };
})(perftrack);
