package github

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
)

// TestPictures draws the comments in the golden files as a forge would, for people to look at, and
// fails if text is cut off. It needs Chromium, and PERFTRACK_PICTURES must name the directory for
// the pictures.
func TestPictures(t *testing.T) {
	dir := os.Getenv("PERFTRACK_PICTURES")
	if dir == "" {
		t.Skip("PERFTRACK_PICTURES names no directory for the pictures")
	}
	browser := findBrowser()
	if browser == "" {
		t.Skip("no Chromium here: nothing was drawn")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	comments := messages()
	for name, f := range cases(t) {
		comments[name] = f.Comment()
	}
	for _, width := range []int{790, 390} {
		for _, open := range []bool{false, true} {
			page := filepath.Join(dir, fmt.Sprintf("comments-%d", width))
			if open {
				page += "-open"
			}
			if err := os.WriteFile(page+".html", drawn(t, comments, width, open), 0o644); err != nil {
				t.Fatal(err)
			}
			seen := inspect(t, browser, page+".html", width)
			for name, c := range seen {
				if c.Width > width || width == 790 && len(c.Cut) > 0 {
					t.Errorf("%s: %s is %d px wide; cut off: %q", page, name, c.Width, c.Cut)
				}
			}
			if len(seen) != len(comments) {
				t.Errorf("%s: %d comments, want %d", page, len(seen), len(comments))
			}
			photograph(t, browser, page, width, seen)
		}
	}
}

// A sight describes how a browser lays out a comment.
type sight struct {
	Width      int
	Start, End int      // from the top of the page
	Cut        []string // elements with text too large for their box
}

// maxHeight is the maximum height of a screenshot in pixels. The browser does not draw more.
const maxHeight = 16_000

//go:embed testdata/forge.css
var forgeCSS string

// measureJS writes the layout of the comments, including overflows, into the page. A name that the
// browser breaks at a hyphen, or at any place without a line break, has more rectangles than lines.
const measureJS = `
const seen = {};
for (const main of document.querySelectorAll('main')) {
	const cut = [];
	for (const e of main.querySelectorAll('table, td, th, p, li, h3, summary'))
		if (e.scrollWidth > e.clientWidth + 1) cut.push(e.tagName + ': ' + e.textContent.slice(0, 80));
	for (const e of main.querySelectorAll('td code'))
		if (e.getClientRects().length > e.querySelectorAll('br').length + 1 && e.closest('td').noWrap) cut.push('broken: ' + e.textContent.slice(0, 80));
	seen[main.id] = {Width: Math.max(main.scrollWidth, main.offsetWidth), Start: Math.floor(main.getBoundingClientRect().top), End: Math.ceil(main.getBoundingClientRect().bottom), Cut: cut};
}
document.title = JSON.stringify(seen);`

// drawn returns a page with all comments, the largest ones last.
func drawn(t *testing.T, comments map[string]string, width int, open bool) []byte {
	t.Helper()
	names := slices.SortedFunc(maps.Keys(comments), func(a, b string) int {
		return cmp.Or(cmp.Compare(len(comments[a])/8000, len(comments[b])/8000), cmp.Compare(a, b))
	})
	md := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(html.WithUnsafe()))
	var body bytes.Buffer
	for _, name := range names {
		fmt.Fprintf(&body, "<h2>%s</h2>\n<main id=%q>", name, name)
		if err := md.Convert([]byte(comments[name]), &body); err != nil {
			t.Fatal(err)
		}
		body.WriteString("</main>\n")
	}
	text := body.String()
	if open {
		text = strings.ReplaceAll(text, "<details>", "<details open>")
	}
	return fmt.Appendf(nil, `<!doctype html><html lang="en"><meta charset="utf-8"><title>?</title><style>%s</style>
<body style="width:%dpx">%s<script>%s</script></body></html>`, forgeCSS, width, text, measureJS)
}

func findBrowser() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// browse runs the browser with the given arguments and returns its output. It skips the test if the
// browser does not work.
func browse(t *testing.T, browser string, args ...string) []byte {
	t.Helper()
	args = append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--force-device-scale-factor=1",
		"--no-first-run", "--disable-extensions", "--disable-background-networking",
	}, args...)
	var complaint bytes.Buffer
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		cmd := exec.CommandContext(ctx, browser, append([]string{"--user-data-dir=" + t.TempDir()}, args...)...)
		cmd.Stderr = &complaint
		cmd.WaitDelay = time.Second
		out, err := cmd.Output()
		cancel()
		if err == nil {
			return out
		}
		fmt.Fprintln(&complaint, err)
	}
	t.Skipf("%s does not run here: nothing was drawn\n%s", browser, complaint.Bytes())
	return nil
}

var title = regexp.MustCompile(`<title>(.*?)</title>`)

func inspect(t *testing.T, browser, page string, width int) (seen map[string]sight) {
	t.Helper()
	dom := browse(t, browser, fmt.Sprintf("--window-size=%d,1000", width), "--dump-dom", "file://"+page)
	m := title.FindSubmatch(dom)
	if m == nil {
		t.Fatalf("%s: no title", page)
	}
	text := strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(string(m[1]))
	if err := json.Unmarshal([]byte(text), &seen); err != nil {
		t.Fatalf("%s: %v in %s", page, err, text)
	}
	return seen
}

func photograph(t *testing.T, browser, page string, width int, seen map[string]sight) {
	t.Helper()
	height := 0
	for _, c := range seen {
		height = max(height, c.End)
	}
	// Chromium cannot make a window less than 500 px wide.
	size := fmt.Sprintf("--window-size=%d,%d", max(width, 500), min(height+20, maxHeight))
	browse(t, browser, size, "--screenshot="+page+".png", "file://"+page+".html")
	whole, err := os.Open(page + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Close()
	drawing, err := png.Decode(whole)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range seen {
		var part bytes.Buffer
		box := image.Rect(0, c.Start-4, width, c.End+4)
		if err := png.Encode(&part, drawing.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(box)); err != nil {
			continue // the comment is beyond the end of the screenshot
		}
		file := filepath.Join(filepath.Dir(page), name+strings.TrimPrefix(filepath.Base(page), "comments")+".png")
		if err := os.WriteFile(file, part.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
