package site

import (
	"bytes"
	"compress/gzip"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func sourcesOf(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := sources()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// own are the files that were written here: not what is vendored.
func own(t *testing.T) map[string][]byte {
	files := sourcesOf(t)
	for name := range files {
		if strings.HasPrefix(name, "static/uplot/") {
			delete(files, name)
		}
	}
	return files
}

var reference = regexp.MustCompile(`<(?:script src|link rel="stylesheet" href)="([^"]*)"`)

// The page loads each script and each style of the site once, and nothing else.
func TestPageLoadsWhatIsThere(t *testing.T) {
	files := sourcesOf(t)
	var loaded, there []string
	for _, m := range reference.FindAllStringSubmatch(string(files["index.html"]), -1) {
		loaded = append(loaded, m[1])
	}
	for name := range files {
		if ext := path.Ext(name); ext == ".js" || ext == ".css" {
			there = append(there, name)
		}
	}
	slices.Sort(there)
	slices.Sort(loaded)
	if !slices.Equal(loaded, there) {
		t.Errorf("index.html loads\n%s\nand there are\n%s", strings.Join(loaded, "\n"), strings.Join(there, "\n"))
	}
}

var (
	inline  = regexp.MustCompile(`(?i)<script(?:\s+defer)?>|<style|\sstyle=|\son[a-z]+=|javascript:`)
	address = regexp.MustCompile("https?://[^\\s\"'`)]*")
	outward = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(["'` + "`" + `]|\bfetch\(|XMLHttpRequest|\bimport\(|DOMParser|createContextualFragment`)
)

// What a strict Content-Security-Policy forbids is not on the page, and no script makes
// markup of text or asks another place for anything.
func TestPageKeepsToItsPolicy(t *testing.T) {
	files := own(t)
	page := string(files["index.html"])
	if !strings.Contains(page, `http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self';`) {
		t.Error("index.html has no strict policy of its own: a folder has no server that sends one")
	}
	if found := inline.FindAllString(page, -1); found != nil {
		t.Errorf("index.html has what its policy forbids: %q", found)
	}
	for name, text := range files {
		for _, url := range address.FindAllString(string(text), -1) {
			if url != "http://www.w3.org/2000/svg" {
				t.Errorf("%s has the address %s", name, url)
			}
		}
		if path.Ext(name) != ".js" {
			continue
		}
		if found := outward.FindAllString(string(text), -1); found != nil {
			t.Errorf("%s has %q", name, found)
		}
		if !bytes.Contains(text, []byte("\n\"use strict\";\n")) {
			t.Errorf("%s is not strict", name)
		}
	}
	for name, text := range sourcesOf(t) {
		if strings.HasPrefix(name, "static/uplot/") && path.Base(name) != "LICENSE" {
			for _, url := range address.FindAllString(string(text), -1) {
				if url != "https://github.com/leeoniya/uPlot" {
					t.Errorf("%s has the address %s", name, url)
				}
			}
		}
	}
}

// All scripts are in one file, and in one for each part, in the order of the page, without
// comments.
func TestBundle(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	page := string(files["index.html"])
	parts := strings.Count(page, "<template")
	scripts := 3 // theme, bundle, uPlot
	for _, p := range part.FindAllString(page, -1) {
		if strings.Contains(p, partPrefix) {
			scripts++
		}
	}
	if strings.Count(page, bundlePath) != 1 || strings.Count(page, "<script") != scripts {
		t.Errorf("index.html loads something else than the theme, uPlot, the bundle and parts:\n%s", page)
	}
	if len(part.FindAllString(page, -1)) != parts || parts == 0 {
		t.Errorf("index.html has templates that are no parts:\n%s", page)
	}
	bundles := map[string]string{}
	for _, m := range reference.FindAllStringSubmatch(page, -1) {
		text, ok := files[m[1]]
		if !ok {
			t.Errorf("index.html names %s, which is not there", m[1])
		}
		if m[1] == bundlePath || strings.HasPrefix(m[1], partPrefix) {
			bundles[m[1]] = string(text)
			if strings.Contains(string(text), "\n//") || strings.Contains(string(text), "\n ") {
				t.Errorf("%s has comments or indentation", m[1])
			}
		}
	}
	at := map[string]int{}
	for _, m := range reference.FindAllStringSubmatch(string(sourcesOf(t)["index.html"]), -1) {
		name := m[1]
		if path.Ext(name) != ".js" || name == "static/js/theme.js" || strings.HasPrefix(name, "static/uplot/") {
			continue
		}
		if _, ok := files[name]; ok {
			t.Errorf("%s is there beside the bundle", name)
		}
		found := 0
		for in, text := range bundles {
			if next := strings.Index(text, string(slim(sourcesOf(t)[name]))); next >= 0 {
				found++
				if last, ok := at[in]; ok && next <= last {
					t.Errorf("%s is not in %s after what is before it on the page", name, in)
				}
				at[in] = next
			}
		}
		if found != 1 {
			t.Errorf("%s is in %d bundles", name, found)
		}
	}
}

// A script says the same in fewer signs.
func TestSlim(t *testing.T) {
	for _, tt := range []struct{ from, want string }{
		{"  const f = (a, b) => ({ x: a - -b, y: a + +b });", "const f=(a,b)=>({x:a - -b,y:a + +b});"},
		{`p.say("a , b" + c ? " : " : "");  `, `p.say("a , b" + c?" : ":"");`},
		{`f(a, "x // y"); // why`, `f(a, "x // y");`},
		{"x = a / 2; // half", "x = a / 2;"},
		{`at("https://x"); s.replace(/ // /, 1);`, `at("https://x"); s.replace(/ // /, 1);`},
		{"  // a comment\n\n  } else {", "}else{"},
		{"s.replace(/ = /g, x = 1);", "s.replace(/ = /g, x = 1);"},
		{"f(`a , b`, ' = ');", "f(`a , b`, ' = ');"},
		{`f("\" , ", g);`, `f("\" , ", g);`},
		{"return x in y && typeof z;", "return x in y&&typeof z;"},
	} {
		if got := string(slim([]byte(tt.from))); got != tt.want+"\n" {
			t.Errorf("%s becomes\n%s, want\n%s", tt.from, got, tt.want)
		}
	}
}

func TestSlimStyle(t *testing.T) {
	for _, tt := range []struct{ from, want string }{
		{"/* a\n b */\n.a,\n.b > c { color: red; margin: 0 auto;\n}\n", ".a,.b > c{color:red;margin:0 auto;}"},
		{".a\n  .b { grid:\n  1fr\n  2fr }", ".a .b{grid:1fr 2fr}"},
		{"a :hover, a:not(:hover) { width: calc(1px + 2px) }", "a :hover,a:not(:hover){width:calc(1px + 2px)}"},
		{"@media (width < 800px) {\n  .b { font: 12px/1.4 \"Segoe UI\", serif; }\n}", "@media (width < 800px){.b{font:12px/1.4 \"Segoe UI\",serif;}}"},
	} {
		if got := string(slimStyle([]byte(tt.from))); got != tt.want {
			t.Errorf("%s becomes\n%s, want\n%s", tt.from, got, tt.want)
		}
	}
	for name, text := range own(t) {
		if path.Ext(name) != ".css" {
			continue
		}
		for _, quoted := range regexp.MustCompile(`"[^"]*"|'[^']*'`).FindAllString(styleComment.ReplaceAllString(string(text), ""), -1) {
			if strings.ContainsAny(quoted, "{};,:\n") || strings.Contains(quoted, "/*") {
				t.Errorf("%s has the text %s, which would lose its space", name, quoted)
			}
		}
	}
}

// The DOM's own append writes what is missing as the word null: pages fill themselves by p.append.
func TestPagesAppendNoNull(t *testing.T) {
	for name, text := range own(t) {
		if bytes.Contains(text, []byte("main.append(")) {
			t.Errorf("%s has main.append: p.append leaves out what is null", name)
		}
	}
}

// A text that goes over lines would lose the space before them in the bundle.
func TestNoTextOverLines(t *testing.T) {
	for name, text := range own(t) {
		if path.Ext(name) != ".js" {
			continue
		}
		for i, line := range strings.Split(string(text), "\n") {
			if !strings.HasPrefix(strings.TrimSpace(line), "//") && strings.Count(line, "`")%2 != 0 || strings.HasSuffix(line, "\\") || strings.Contains(line, "/*") && !strings.Contains(line, "*/") {
				t.Errorf("%s:%d: text or a comment that goes over several lines", name, i+1)
			}
		}
	}
}

// maxCode is how large the code of a page may be as it is sent: each file compressed on its
// own, the parts of other pages left out.
const maxCode = 60 * 1024

func TestPageCodeIsSmall(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	index := string(files["index.html"])
	common := packed(t, files["index.html"])
	for _, m := range reference.FindAllStringSubmatch(part.ReplaceAllString(index, ""), -1) {
		common += packed(t, files[m[1]])
	}
	of := map[string]int{} // by page
	for _, p := range part.FindAllStringSubmatch(index, -1) {
		for _, page := range strings.Fields(p[1]) {
			of[page] = max(of[page], common)
			for _, m := range reference.FindAllStringSubmatch(p[2], -1) {
				of[page] += packed(t, files[m[1]])
			}
		}
	}
	for page, size := range of {
		t.Logf("the code of the page %s has %d bytes compressed, of %d", page, size, maxCode)
		if size > maxCode {
			t.Errorf("the code of the page %s has %d bytes compressed, and at most %d are allowed: what only some pages need belongs into a template of index.html", page, size, maxCode)
		}
	}
}

func packed(t *testing.T, text []byte) int {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Len()
}
