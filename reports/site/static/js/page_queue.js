// #/queue: the queue of a fleet, read again every few seconds while it is shown.
"use strict";
(function (p) {
  const { el, format: f } = p;
  const pause = 5000;
  const priorities = { 1: "release", 2: "pull request", 3: "nightly", 4: "backfill" };
  const looks = {
    __proto__: null, live: ["●", "better"], lost: ["✕", "worse"],
    waiting: ["…", "undecided"], running: ["▶", "better"], completed: ["=", "muted"], cancelled: ["–", "muted"], failed: ["✕", "worse"],
  };

  const state = (key) => {
    const [mark, tone] = looks[key] || ["·", "muted"];
    return el("span", { class: "state " + tone }, el("span", { class: "mark", "aria-hidden": "true" }, mark), key);
  };
  const name = (text) => (text ? el("bdi", null, f.short(text, 60)) : f.dash);
  const small = (...words) => el("small", null, ...words);

  // lasting formats a time span: "12 s", "34 min", "5 h", "3 days".
  p.lasting = function (seconds) {
    const s = Math.max(0, seconds);
    if (s < 60) return Math.floor(s) + " s";
    if (s < 7200) return Math.floor(s / 60) + " min";
    if (s < 172800) return Math.floor(s / 3600) + " h";
    return f.count(Math.floor(s / 86400), "day");
  };

  function alarms(doc) {
    if (!doc.alarms.length) {
      return el("section", { class: "alarms", "aria-label": "Alarms" }, el("p", null, el("span", { class: "mark better", "aria-hidden": "true" }, "✓"), "No alarm: no worker is missing, and nothing waits for too long."));
    }
    return el("section", { class: "alarms wrong", "aria-label": "Alarms" },
      el("ul", null, doc.alarms.map((a) => el("li", null, el("span", { class: "mark worse", "aria-hidden": "true" }, "✖"), a.text[0].toUpperCase() + a.text.slice(1) + "."))));
  }

  const classes = (now) => [
    { key: "name", title: "Class", sort: true, render: (c) => [c.checks ? "checks" : name(c.name), c.checks ? small("for workers that decide") : c.procedure ? small("procedure ", name(c.procedure)) : null] },
    { key: "live", title: "Live", align: "right", sort: true, render: (c) => [String(c.live), c.lost ? small(c.lost + " lost") : null] },
    { key: "waiting", title: "Waiting", align: "right", sort: true, first: "descending", render: (c) => f.commas(String(c.waiting)) },
    { key: "running", title: "Running", align: "right", sort: true, first: "descending", render: (c) => f.commas(String(c.running)) },
    { key: "oldest_waiting", title: "Oldest", align: "right", sort: true, render: (c) => (c.oldest_waiting ? p.lasting(now() - c.oldest_waiting) : f.dash) },
  ];

  const workers = (now) => [
    { key: "id", title: "Worker", sort: true, render: (w) => [name(w.id), w.host && w.host !== w.id ? small(name(w.host)) : null] },
    { key: "state", title: "State", sort: true, render: (w) => state(w.state) },
    { key: "class", title: "Class", sort: true, render: (w) => [name(w.class), w.decides ? small("decides, too") : null] },
    { key: "cpu", title: "CPU", sort: true, fold: 2, render: (w) => [name(w.cpu), w.cpus ? small(f.count(w.cpus, "CPU")) : null] },
    { key: "version", title: "Version", sort: true, fold: 2, render: (w) => [name(w.version), w.procedure ? small("procedure ", name(w.procedure)) : null] },
    { key: "seen", title: "Seen", align: "right", sort: true, first: "descending", render: (w) => p.lasting(now() - w.seen) + " ago" },
    { key: "job", title: "Job", align: "right", sort: true, fold: 3, render: (w) => (w.job ? String(w.job) : f.dash) },
  ];

  // waited is how long a job waited, until now if no worker took it.
  const waited = (j, now) => (j.started || (j.state === "waiting" ? now : j.ended || j.created)) - j.created;

  const rounds = (j) => (j.kind === "check" ? "check" : j.last_round ? "rounds " + j.first_round + " to " + j.last_round : j.kind);
  const trial = (j) => [
    j.trial ? name(f.short(j.trial, 24)) : el("span", { class: "muted" }, "none"),
    small(name(j.repository), j.pull_request ? [", pull request ", name(j.pull_request)] : null, j.base && j.head ? [", ", name(f.hash(j.base).slice(0, 7)), " to ", name(f.hash(j.head).slice(0, 7))] : null),
  ];

  const jobs = (now) => [
    { key: "id", title: "Job", sort: true, first: "descending" },
    { key: "state", title: "State", sort: true, render: (j) => [state(j.state), j.attempt > 1 ? small("attempt " + j.attempt) : null] },
    { key: "trial", title: "Trial", sort: true, fold: 3, render: trial },
    { key: "target", title: "Rounds", sort: (j) => (j.target || "") + " " + rounds(j), render: (j) => [j.target ? name(j.target) : rounds(j), j.target ? small(rounds(j), j.shard && j.shard !== "1/1" ? [", shard ", name(j.shard)] : null) : null] },
    { key: "class", title: "Class", sort: true, fold: 2, render: (j) => [name(j.class), small(priorities[j.priority] || "priority " + j.priority)] },
    { key: "worker", title: "Worker", sort: true, fold: 2, render: (j) => name(j.worker) },
    { key: "waited", title: "Waited", align: "right", sort: (j) => waited(j, now()), first: "descending", render: (j) => p.lasting(waited(j, now())) },
    { key: "ran", title: "Ran", align: "right", fold: 3, sort: (j) => (j.started ? (j.ended || now()) - j.started : null), first: "descending", render: (j) => (j.started ? p.lasting((j.ended || now()) - j.started) : f.dash) },
  ];

  function lead(doc) {
    const shown = (key) => doc.jobs.filter((j) => j.state === key).length;
    const live = doc.workers.filter((w) => w.state === "live").length;
    const waiting = doc.counts.waiting || 0;
    return [f.count(live, "live worker") + ", " + f.count(doc.counts.running || 0, "job") + " running, " + f.commas(String(waiting)) + " waiting",
      waiting > shown("waiting") ? " (" + shown("waiting") + " that wait longest are listed)" : "", ", at ", f.time(doc.time), "."];
  }

  p.page("queue", {
    title: () => "Queue",
    async render(main) {
      const head = el("h1", null, "Queue");
      if (!p.index.meta.queue) {
        p.clear(main, head, p.empty("There is no queue here. perftrack serve shows one if a fleet of workers uses the database."));
        return;
      }
      let doc = await p.refresh("queue");
      const now = () => doc.time;
      const list = (what, caption, columns, empty) => {
        const node = p.table({ caption, columns: columns(now), rows: doc[what], virtual: false, empty });
        return { node, update: () => node.update(doc[what]) };
      };
      const tables = [
        list("classes", "Classes", classes, "No worker is alive, and nothing waits."),
        list("workers", "Workers", workers, "No worker is alive. To start one: perftrack worker --class CLASS"),
        list("jobs", "Jobs, newest first", jobs, "No job was queued."),
      ];
      const status = el("p", { class: "lead" });
      const trouble = el("p", { class: "worse", role: "status" });
      const alarm = el("div");
      let told = doc.alarms.length;
      const draw = () => {
        p.clear(status, lead(doc));
        p.clear(alarm, alarms(doc));
      };
      draw();
      p.clear(main, head, status, trouble, alarm, el("h2", null, "Classes"), el("p", { class: "lead" }, "Workers by class, the jobs for them, and how long the oldest one has been waiting."), tables[0].node, el("h2", null, "Workers"), tables[1].node, el("h2", null, "Jobs"), tables[2].node);

      // update draws what changed, and tells a screen reader about new alarms only.
      async function update() {
        try {
          if (!document.hidden) {
            doc = await p.refresh("queue");
            if (!main.isConnected) return;
            draw();
            for (const t of tables) t.update();
            if (doc.alarms.length > told) p.say(f.count(doc.alarms.length, "alarm"));
            told = doc.alarms.length;
          }
          trouble.textContent = "";
        } catch (problem) {
          trouble.textContent = "The queue cannot be read again: " + p.text(problem.message || problem);
        }
        if (main.isConnected) next = setTimeout(update, pause);
      }
      let next = setTimeout(update, pause);
      p.leave(() => clearTimeout(next));
    },
  });
})(perftrack);
