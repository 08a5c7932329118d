package browsertest

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// flameGraph checks that flame graphs can be used with the keyboard. A test in package flame writes
// the pages.
func flameGraph(t *testing.T, b *tab) {
	dir := t.TempDir()
	run(t, filepath.Join("..", "..", "flame"), append(os.Environ(), "PERFTRACK_FLAME_PAGES="+dir), "go", "test", "-count=1", "-run", "^TestPage$", ".")
	b.size(t, 1280, 900)
	const label = `(document.activeElement.getAttribute("aria-label") || "")`
	for _, name := range []string{"one.html", "difference.html"} {
		b.do(t, chromedp.Navigate((&url.URL{Scheme: "file", Path: filepath.Join(dir, name)}).String()))
		b.wait(t, `document.querySelectorAll("#stack-chart > .boxbg[aria-label]").length > 3`)
		b.wait(t, `[...document.querySelectorAll("#stack-chart > .boxbg")].every(box => box.getAttribute("aria-label").trim())`)
		for range 9 { // skip the search field and the links before the graph
			var inside bool
			if b.eval(t, `document.activeElement.classList.contains("boxbg")`, &inside); inside {
				break
			}
			b.do(t, chromedp.KeyEvent(kb.Tab))
		}
		b.wait(t, label+`.includes("root")`)
		b.do(t, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowDown))
		b.wait(t, label+`.includes("m.Parse")`)
		b.do(t, chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowLeft))
		b.wait(t, label+`.includes("m.hash")`)
		b.do(t, chromedp.KeyEvent(kb.ArrowUp), chromedp.KeyEvent(kb.Enter))
		b.wait(t, `document.querySelector("#stack-chart > .separator") && `+label+`.includes("m.Parse")`)
		b.do(t, chromedp.KeyEvent(kb.Escape))
		b.wait(t, `!document.querySelector("#stack-chart > .separator") && `+label+`.includes("root")`)
	}
	if complaints, _ := b.said(); len(complaints) > 0 {
		t.Errorf("complaints: %q", complaints)
	}
}
