// Runs with a document of an older version: it says so on the page, and shows the newer version once that
// is ready.
"use strict";
perftrack.behind ??= (function () {
  let note, shown, next;

  function ask() {
    const script = document.createElement("script");
    script.src = "data/behind.js?" + Date.now();
    script.onload = () => script.remove();
    script.onerror = () => {
      script.remove();
      next = setTimeout(ask, 5000); // the server may come back
    };
    document.head.append(script);
  }

  // behind takes the progress of the newer version, null when it can be loaded.
  return function (how) {
    if (!how) {
      location.reload();
      return;
    }
    shown ??= how.time;
    if (!note) {
      note = perftrack.el("p", { class: "empty", id: "behind" });
      document.getElementById("main").before(note);
    }
    note.textContent = "This page shows the data from " + perftrack.format.time(shown) + ". " +
      (how.why ? "Newer data cannot be shown: " + how.why
        : "Newer data are being read" + (how.of ? ", " + how.doing + ": " + how.done + " of " + how.of : "") + ". The page will then show them by itself.");
    clearTimeout(next); // several documents may call it
    next = setTimeout(ask, how.why ? 5000 : 1000);
  };
})();
