// Building the page. Names, subjects and reasons are foreign text: they become text nodes, without
// characters that hide or reorder text.
"use strict";
(function (p) {
  // Control and format characters (bidirectional overrides, zero widths) become visible, as in package
  // reports.
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

  // el builds an element. Attributes are class, on* (functions), style (an object) and all that
  // setAttribute takes; null and false are skipped, also among the children.
  p.el = (tag, attrs, ...children) => fill(document.createElement(tag), attrs, children);
  p.svg = (tag, attrs, ...children) => fill(document.createElementNS(svgNS, tag), attrs, children);
  p.text = text;
  // words turns backticks in a sentence of ours into code.
  p.words = (sentence) => text(sentence).split("`").map((part, i, all) => (i % 2 && i + 1 < all.length ? p.el("code", null, part) : (i % 2 ? "`" : "") + part));
  p.append = (node, ...children) => append(node, children); // skips null like el

  p.clear = (node, ...children) => {
    node.replaceChildren();
    append(node, children);
    return node;
  };

  // copy shows a command with a button that copies it, or selects it if the clipboard is not available.
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

  // Statuses of runs, and unresolved regressions. The index has the looks of states and verdicts.
  const statuses = [
    { key: "open", mark: "✖", tone: "worse", word: "unresolved" },
    { key: "ok", mark: "=", tone: "muted", word: "ok" }, { key: "partial", mark: "…", tone: "undecided", word: "partial" },
    { key: "failed", mark: "✕", tone: "worse", word: "failed" }, { key: "interrupted", mark: "…", tone: "undecided", word: "interrupted" },
  ];
  let looks = null;

  // state shows a state, a verdict or a status by a mark and a word, which is word if given.
  p.state = function (key, word) {
    looks = looks || new Map([...p.index.groups, ...p.index.states, ...statuses].map((look) => [look.key, look]));
    const look = looks.get(key) || { mark: "·", tone: "muted", word: key };
    return p.el("span", { class: "state " + look.tone }, p.el("span", { class: "mark", "aria-hidden": "true" }, look.mark), word || look.word || "no verdict");
  };

  // commit shows a commit by its index: the short hash, linked if the repository's address is known, and
  // the subject.
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

  // say announces a message to screen readers.
  p.say = (message) => {
    const live = document.getElementById("live");
    if (live) live.textContent = message;
  };
})(perftrack);
