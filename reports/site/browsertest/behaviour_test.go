package browsertest

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// behave uses the page as a reader would, and waits for the expected results.
func behave(t *testing.T, b *tab, base string, f *fixture) {
	b.size(t, 1280, 900)
	b.prefer(t, "light")
	for _, tt := range []struct {
		name string
		test func(*testing.T, *tab, string, *fixture)
	}{{"search", search}, {"filters", filters}, {"links", links}, {"zoom", zoom}, {"sides", sides}, {"theme", theme}, {"nothing", nothing}} {
		t.Run(tt.name, func(t *testing.T) {
			tt.test(t, b, base, f)
			if complaints, _ := b.said(); len(complaints) > 0 {
				t.Errorf("complaints: %q", complaints)
			}
		})
	}
}

// names is an expression for the names of the benchmarks in the overview.
const names = `[...document.querySelectorAll("main tbody a.row")].map(a => a.textContent)`

// search checks that a key starts a search, that the search narrows the table, and that the address
// keeps the search and shows the same rows when it is opened again.
func search(t *testing.T, b *tab, base string, _ *fixture) {
	b.open(t, base+"#/")
	// Dispatch the event instead of typing the key, because the browser's protocol types the
	// character even if the page prevents it.
	b.eval(t, `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true})) && true`, nil)
	b.wait(t, `document.activeElement.type === "search"`)
	b.do(t, chromedp.KeyEvent("merge"))
	b.wait(t, names+`.join() === "Merge"`)
	b.wait(t, `location.hash.includes("merge")`)
	var address string
	b.eval(t, "location.hash", &address)
	b.open(t, base+address)
	b.wait(t, names+`.join() === "Merge"`)
	b.open(t, base+"#/?q="+strings.Repeat("nothing", 3))
	b.wait(t, names+`.length === 0 && document.querySelector("main").innerText.includes("No benchmark")`)
}

// filters checks that a filter narrows the table to one state, and that removing it brings back all
// rows.
func filters(t *testing.T, b *tab, base string, _ *fixture) {
	b.open(t, base+"#/")
	var all int
	b.eval(t, `document.querySelectorAll("main tbody tr").length`, &all)
	b.eval(t, `document.querySelector("#state-regressed").click()`, nil)
	b.wait(t, `document.querySelector("#state-regressed").getAttribute("aria-pressed") === "true"`)
	b.wait(t, `location.hash.includes("regressed")`)
	b.wait(t, `!`+names+`.includes("Merge")`)
	b.eval(t, `document.querySelector("#state-regressed").click()`, nil)
	b.wait(t, `!location.hash.includes("regressed") && document.querySelectorAll("main tbody tr").length === `+strconv.Itoa(all))
}

// links checks that a link leads from the overview to a benchmark, that the browser can go back,
// and that an address with a search can be opened directly.
func links(t *testing.T, b *tab, base string, _ *fixture) {
	b.open(t, base+"#/?q=merge")
	b.wait(t, names+`.join() === "Merge"`)
	b.eval(t, `document.querySelector("main tbody a.row").click()`, nil)
	b.wait(t, `location.hash.startsWith("#/b/") && document.querySelector("main h1").textContent.includes("Merge") && `+settled)
	b.do(t, chromedp.NavigateBack())
	b.wait(t, `location.hash === "#/?q=merge" && `+names+`.join() === "Merge"`)
}

// zoom checks that a drag across the chart draws another part of the history.
func zoom(t *testing.T, b *tab, base string, f *fixture) {
	b.open(t, base+"#/b/"+address(f.path(t, "Sort/n=1000")))
	b.wait(t, drawn)
	var box struct{ X, Y, W, H float64 }
	b.eval(t, `(() => { const e = document.querySelector(".u-over"); e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return {x: r.x, y: r.y, w: r.width, h: r.height}; })()`, &box)
	const picture = `(() => { const c = document.querySelector("main canvas"); return c.toDataURL(); })()`
	var before string
	b.eval(t, picture, &before)
	y := box.Y + box.H/2
	b.do(t,
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box.X+box.W*0.2, y),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, box.X+box.W*0.2, y, chromedp.ButtonLeft, once),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box.X+box.W*0.4, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, box.X+box.W*0.6, y, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, box.X+box.W*0.6, y, chromedp.ButtonLeft, once))
	b.wait(t, picture+" !== "+quoted(before))
	b.wait(t, drawn)
}

// sides checks that a row of a comparison links to the benchmark's history, and both commits of the
// comparison are marked there.
func sides(t *testing.T, b *tab, base string, f *fixture) {
	var runs struct{ Comparisons []struct{ Key string } }
	f.document(t, "runs", &runs)
	b.open(t, base+"#/c/"+runs.Comparisons[0].Key+"?show=all")
	const link = `document.querySelector("main .opened a[href*='base=']")`
	b.wait(t, `(() => { const row = document.querySelector("main tbody tr button, main tbody tr summary, main [aria-expanded=false]"); if (row && !`+link+`) row.click(); return `+link+`; })()`)
	b.eval(t, link+`.click()`, nil)
	b.wait(t, `location.hash.startsWith("#/b/") && document.querySelector("main figure.chart")?.dataset.sides === "base head"`)
	b.wait(t, `document.querySelector("main .point").innerText.includes("Compared with the base")`)
}

// theme checks that the button changes the theme, and the choice is kept when the page is opened
// again.
func theme(t *testing.T, b *tab, base string, _ *fixture) {
	b.open(t, base+"#/")
	const now = `document.documentElement.dataset.theme`
	b.wait(t, now+` === "light"`)
	b.eval(t, `(() => { while (`+now+` !== "dark") document.getElementById("theme").click(); })()`, nil)
	b.open(t, base+"#/")
	b.wait(t, now+` === "dark"`)
	b.eval(t, `(() => { while (perftrack.theme.get() !== "auto") document.getElementById("theme").click(); })()`, nil)
	b.wait(t, now+` === "light"`)
}

// nothing checks that the page shows an explanation for addresses that do not exist.
func nothing(t *testing.T, b *tab, base string, _ *fixture) {
	for _, hash := range []string{"#/no-such-page", "#/b/no/such/benchmark", "#/r/nosuchrun", "#/p/nosuchprofile", "#/b/" + address(hostile[1])} {
		b.open(t, base+hash)
		b.wait(t, `document.querySelector("main").innerText.trim().length > 20`)
		b.mu.Lock()
		b.complaints = nil // the browser also complains about a missing file
		b.mu.Unlock()
		b.wait(t, "typeof globalThis."+canary+` === "undefined"`)
	}
}

// once makes a mouse event part of a single click.
func once(p *input.DispatchMouseEventParams) { p.ClickCount = 1 }
