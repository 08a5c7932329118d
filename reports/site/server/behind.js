// Follows a document of a version that is older than what is stored: says so on the page, and
// shows the newer one as soon as it is there.
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

  // behind takes what is known of the newer version, null once it can be loaded.
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
    note.textContent = "This is what was stored on " + perftrack.format.time(shown) + ". " +
      (how.why ? "What changed since cannot be shown: " + how.why
        : "What changed since is being read" + (how.of ? ", " + how.doing + ": " + how.done + " of " + how.of : "") + ". The page then shows it by itself.");
    clearTimeout(next); // several documents may say it
    next = setTimeout(ask, how.why ? 5000 : 1000);
  };
})();
