package browsertest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A place is a page of the site, given by its address.
type place struct {
	name, hash string
	chart      bool // the page has a chart
}

// places returns all pages of the site that have something to show, and the page of a commit
// without a run.
func (f *fixture) places(t *testing.T) []place {
	t.Helper()
	var runs struct {
		List []struct {
			ID     string
			Values bool
		}
		Comparisons []struct{ Key string }
		Profiles    []struct{ ID string }
	}
	f.document(t, "runs", &runs)
	all := []place{
		{"overview", "#/", false},
		{"benchmark", "#/b/" + address(f.path(t, "Sort/n=1000")), true},
		{"hostile", "#/b/" + address(f.path(t, hostile[0])), true},
		{"few", "#/b/" + address(f.path(t, "New")), false},
		{"compare", "#/compare", false},
		{"regressions", "#/regressions", false},
		{"machine", "#/machine", false},
		{"runs", "#/runs", false},
		{"profiles", "#/profiles", false},
		{"releases", "#/releases", false},
		{"trends", "#/trends", false},
		{"models", "#/models", false},
		{"commit", "#/commit/" + f.head[:12], false},
		{"family", "#/family?of=sorty%20example.org/sorty&stem=Sort/n=*&x=n", false},
		{"commit without a run", "#/commit/0123abcd", false},
		{"queue", "#/queue", false}, // a folder only says that it has none
	}
	if len(runs.Comparisons) == 0 || len(runs.Profiles) == 0 || len(runs.List) == 0 {
		t.Errorf("the site has %d runs, %d comparisons, %d profiles", len(runs.List), len(runs.Comparisons), len(runs.Profiles))
	}
	if len(runs.Comparisons) > 0 {
		all = append(all, place{"comparison", "#/c/" + runs.Comparisons[0].Key, false})
	}
	if len(runs.Profiles) > 0 {
		all = append(all, place{"profile", "#/p/" + runs.Profiles[0].ID, false})
	}
	for _, r := range runs.List {
		if r.Values {
			return append(all, place{"run", "#/r/" + r.ID, false})
		}
	}
	t.Fatal("no run has values")
	return nil
}

// path returns the path of a benchmark in addresses.
func (f *fixture) path(t *testing.T, name string) string {
	t.Helper()
	var index struct {
		Benchmarks []struct{ Name, Path string }
	}
	f.document(t, "index", &index)
	for _, b := range index.Benchmarks {
		if b.Name == name {
			return b.Path
		}
	}
	t.Fatalf("the index has no %q", name)
	return ""
}

// address escapes a path for use in an address.
func address(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// startBrowser starts the browser, which stops when the test ends. It skips the test if there is no
// browser.
func startBrowser(t *testing.T) context.Context {
	t.Helper()
	browser := findChromium()
	if browser == "" {
		t.Skip("no Chromium here: no page was opened")
	}
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.UserDataDir(t.TempDir()))
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Skipf("%s does not run here: no page was opened: %v", browser, err)
	}
	return ctx
}

// TestSite makes one site and checks it in every way, using a single browser.
func TestSite(t *testing.T) {
	ctx := startBrowser(t)
	f := newFixture(t)
	axe := findAxe(t)
	for _, from := range []struct {
		name, base string
		ways       int // number of ways to check; the server needs only one, because it serves the same files
	}{
		{"file", (&url.URL{Scheme: "file", Path: f.site + "/index.html"}).String(), len(ways)},
		{"serve", f.serve(t), 1},
	} {
		t.Run(from.name, func(t *testing.T) {
			b := newTab(ctx, t)
			for _, p := range f.places(t) {
				t.Run(p.name, func(t *testing.T) { look(t, b, from.base, p, ways[:from.ways], axe) })
			}
			t.Run("behaviour", func(t *testing.T) { behave(t, b, from.base, f) })
			if from.name == "serve" && f.queue {
				t.Run("live queue", func(t *testing.T) {
					look(t, b, from.base, place{"live-queue", "#/queue", false}, ways, axe)
					queue(t, b, from.base, f)
				})
			}
		})
	}
	t.Run("flame graph", func(t *testing.T) { flameGraph(t, newTab(ctx, t)) })
}

// A way is a theme and a window size for checking a page.
type way struct {
	name, theme   string
	width, height int64
}

var ways = []way{{"1280-light", "light", 1280, 900}, {"1280-dark", "dark", 1280, 900}, {"390-light", "light", 390, 844}}

// look opens and checks a page in the given ways. If there are several, it also checks
// accessibility, compares the themes and, if a folder is set, saves pictures.
func look(t *testing.T, b *tab, base string, p place, ways []way, axe string) {
	t.Helper()
	whole := len(ways) > 1
	colours := map[string]string{}
	for _, way := range ways {
		b.size(t, way.width, way.height)
		b.prefer(t, way.theme)
		b.open(t, base+p.hash)
		complaints, requests := b.said()
		for _, c := range complaints {
			t.Errorf("%s: %s", way.name, c)
		}
		for _, r := range requests {
			if !strings.HasPrefix(r, strings.TrimSuffix(base, "index.html")) && !strings.HasPrefix(r, "data:") && !strings.HasPrefix(r, "blob:") && r != "about:blank" {
				t.Errorf("%s: asks for %s", way.name, r)
			}
		}
		var seen struct {
			Problem, Title, Background, Canary string
			Heading                            int
			Width, Scroll                      int
			Wide, Bad                          []string
		}
		b.eval(t, sight, &seen)
		if seen.Problem != "" || seen.Title == "" || seen.Heading != 1 || seen.Canary != "undefined" {
			t.Errorf("%s: %+v", way.name, seen)
		}
		if seen.Scroll > seen.Width {
			t.Errorf("%s: %d px in a window of %d: %q", way.name, seen.Scroll, seen.Width, seen.Wide)
		}
		for _, bad := range seen.Bad {
			t.Errorf("%s: the page says %q", way.name, bad)
		}
		if p.chart {
			b.wait(t, drawn)
		}
		colours[way.name] = seen.Background
		if axe != "" && whole && way.width == 1280 {
			check(t, b, axe, way.name)
		}
		if dir := os.Getenv("PERFTRACK_PICTURES"); dir != "" && whole {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("page-%s-%s.png", p.name, way.name)), b.picture(t, way.width), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if whole && colours["1280-light"] == colours["1280-dark"] {
		t.Errorf("both themes are %s", colours["1280-dark"])
	}
}

// sight is an expression that collects the properties to check on every page.
const sight = `(() => {
	const root = document.documentElement;
	const problem = document.querySelector("#main .problem");
	const wide = [];
	if (root.scrollWidth > innerWidth) {
		for (const e of document.body.querySelectorAll("*")) {
			const box = e.getBoundingClientRect();
			if (box.right > innerWidth + 1 && wide.length < 8 && !e.closest(".unseen")) wide.push(e.tagName + "." + e.className + " " + Math.round(box.right) + " " + e.textContent.slice(0, 40));
		}
	}
	// Words that no sentence of a page has, and grammar that counts go wrong in.
	const text = document.getElementById("main").innerText;
	const bad = [...text.matchAll(/.{0,30}(\bnull\b|\bNaN\b|\bundefined\b|\[object|` + "`" + `|seriess|\b1 (benchmarks|rows|runs|commits|lines|packages|steps|samples|tests|pairs|trials)\b|\band 0 [a-z]+s\b).{0,30}/g)].map((m) => m[0]);
	return {
		problem: problem ? problem.textContent : "", title: document.title, heading: document.querySelectorAll("main h1").length,
		background: getComputedStyle(root).backgroundColor, canary: typeof globalThis.` + canary + `,
		width: innerWidth, scroll: root.scrollWidth, wide, bad,
	};
})()`

// drawn is an expression that is true if there is a chart and every visible chart is painted, which
// means that one of its canvases has more than one colour. A canvas is copied before it is read,
// because the browser complains about frequent reads.
const drawn = `(() => {
	const painted = c => {
		if (!c.width || !c.height) return false;
		const own = new OffscreenCanvas(c.width, c.height).getContext("2d", {willReadFrequently: true});
		own.drawImage(c, 0, 0);
		const data = new Uint32Array(own.getImageData(0, 0, c.width, c.height).data.buffer);
		return data.some(x => x !== data[0]);
	};
	const charts = [...document.querySelectorAll("main .uplot")].filter(c => c.getClientRects().length);
	return charts.length > 0 && charts.every(c => [...c.querySelectorAll("canvas")].some(painted));
})()`
