// The graph by keyboard, and for who hears it: pprof's boxes only know the mouse. One of them can be
// reached with Tab, arrow keys go on from there.
"use strict";
{
  const chart = document.getElementById("stack-chart");
  const boxes = () => [...chart.querySelectorAll(":scope > .boxbg")];
  const mouse = (box, ...types) => types.forEach((type) => box.dispatchEvent(new MouseEvent(type)));
  let again = false; // the keyboard had it drawn anew, so that the focus was in it

  // Each box gets the words that pprof has for it under the mouse.
  function prepare() {
    const all = boxes();
    for (const box of all) {
      mouse(box, "mouseenter", "mouseleave");
      box.setAttribute("role", "button");
      box.setAttribute("aria-label", box.title);
      box.tabIndex = -1;
    }
    const line = chart.querySelector(":scope > .separator");
    const first = (line && all.find((box) => box.offsetTop > line.offsetTop)) || all[0]; // what was zoomed to, else all
    if (!first) return;
    first.tabIndex = 0;
    if (again) first.focus();
    again = false;
  }

  // next is the box in a direction: beside it, or that of its caller or first callee.
  function next(box, key) {
    const middle = box.offsetLeft + box.offsetWidth / 2;
    if (key === "ArrowLeft" || key === "ArrowRight") {
      const row = boxes().filter((b) => b.offsetTop === box.offsetTop);
      return row[row.indexOf(box) + (key === "ArrowLeft" ? -1 : 1)];
    }
    const rows = boxes().filter((b) => (key === "ArrowDown" ? b.offsetTop > box.offsetTop : b.offsetTop < box.offsetTop));
    const top = key === "ArrowDown" ? Math.min(...rows.map((b) => b.offsetTop)) : Math.max(...rows.map((b) => b.offsetTop));
    const near = rows.filter((b) => b.offsetTop === top && b.offsetLeft < box.offsetLeft + box.offsetWidth && b.offsetLeft + b.offsetWidth > box.offsetLeft);
    return near.find((b) => b.offsetLeft <= middle && b.offsetLeft + b.offsetWidth >= middle) || near[0];
  }

  function zoom(box) {
    again = true;
    mouse(box, "mousedown", "click");
  }

  chart.setAttribute("role", "group");
  chart.setAttribute("aria-label", "Flame graph");
  chart.addEventListener("focusin", (e) => {
    for (const box of boxes()) box.tabIndex = box === e.target ? 0 : -1;
    mouse(e.target, "mouseenter");
  });
  chart.addEventListener("focusout", (e) => mouse(e.target, "mouseleave"));
  chart.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey || !e.target.classList.contains("boxbg")) return;
    if (e.key === "Enter" || e.key === " ") zoom(e.target);
    else if (e.key === "Escape") zoom(boxes()[0]);
    else if (e.key.startsWith("Arrow")) (next(e.target, e.key) || e.target).focus();
    else return;
    e.preventDefault();
  });
  new MutationObserver(prepare).observe(chart, { childList: true });
  prepare();
}
