package browsertest

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/page"
)

// watch is a script that records how many milliseconds after the start of the navigation the charts
// were drawn, and for how long the page was busy without a break.
const watch = `(() => {
	const note = globalThis.speed = {drawn: 0, longest: 0};
	new PerformanceObserver(l => { for (const e of l.getEntries()) note.longest = Math.max(note.longest, e.duration); }).observe({entryTypes: ["longtask"]});
	const look = () => {
		if (` + settled + ` && document.querySelector("main .uplot canvas")) requestAnimationFrame(() => setTimeout(() => note.drawn = performance.now()));
		else requestAnimationFrame(look);
	};
	requestAnimationFrame(look);
})()`

// after returns an expression that measures how many milliseconds an action takes, including
// drawing the next frame.
func after(what string) string {
	return `new Promise(done => { const began = performance.now(); ` + what + `; requestAnimationFrame(() => setTimeout(() => done(performance.now() - began))); })`
}

const (
	hover = `(() => { const e = document.querySelector(".u-over"), r = e.getBoundingClientRect();
		for (const [kind, x] of [["mouseenter", 0.4], ["mousemove", 0.5]]) e.dispatchEvent(new MouseEvent(kind, {bubbles: true, clientX: r.x + r.width*x, clientY: r.y + r.height/2})); })()`
	zoomIn  = `document.querySelector('button[aria-label="Zoom in"]').click()`
	zoomAll = `document.querySelector('button[aria-label="Show all"]').click()`
	ratio   = `document.querySelector('button[data-key="ylog"]').click()`
)

// TestSpeed prints how fast the page of the first benchmark in a large database is. Package
// cmd/perftrack/internal/scaletest can make such a database, for example with 1 benchmark and
// 10,000 runs:
//
//	PERFTRACK_SPEED_DB=deep.db go test -run TestSpeed -v
//
// It does not fail at any speed, because machines differ.
func TestSpeed(t *testing.T) {
	database := os.Getenv("PERFTRACK_SPEED_DB")
	if database == "" {
		t.Skip("PERFTRACK_SPEED_DB names no database: no speed was measured")
	}
	dir := t.TempDir()
	f := &fixture{perftrack: os.Getenv("PERFTRACK_BINARY"), repository: filepath.Join(dir, "empty"), database: database, site: filepath.Join(dir, "site")}
	if f.perftrack == "" {
		f.build(t, dir)
	}
	if err := os.Mkdir(f.repository, 0o755); err != nil {
		t.Fatal(err)
	}
	f.do(t, "", "report", "--format", "html", "-o", f.site)
	var index struct{ Benchmarks []struct{ Path string } }
	f.document(t, "index", &index)
	if len(index.Benchmarks) == 0 {
		t.Fatal("the database has no benchmark")
	}
	ctx := startBrowser(t)
	for _, from := range []struct{ name, base string }{
		{"file", (&url.URL{Scheme: "file", Path: f.site + "/index.html"}).String()},
		{"serve", f.serve(t)},
	} {
		for range 3 {
			b := newTab(ctx, t)
			b.size(t, 1280, 900)
			call(t, b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: watch})
			b.open(t, from.base+"#/b/"+address(index.Benchmarks[0].Path))
			b.wait(t, "speed.drawn > 0")
			var drawn, longest, hovered, zoomed, back, axis float64
			b.eval(t, "speed.drawn", &drawn)
			b.eval(t, "speed.longest", &longest)
			b.eval(t, after(hover), &hovered)
			b.eval(t, after(zoomIn), &zoomed)
			b.eval(t, after(zoomAll), &back)
			b.eval(t, after(ratio), &axis)
			t.Logf("%-5s drawn after %4.0f ms, busy for %3.0f ms at a time; hover %3.0f ms, zoom in %3.0f ms, all %3.0f ms, another axis %3.0f ms", from.name, drawn, longest, hovered, zoomed, back, axis)
		}
	}
}
