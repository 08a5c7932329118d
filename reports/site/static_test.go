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

// All scripts are in one file, in the order of the page, without comments.
func TestBundle(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	page, script := string(files["index.html"]), string(files[bundlePath])
	if strings.Count(page, bundlePath) != 1 || strings.Count(page, "<script") != 3 {
		t.Errorf("index.html loads something else than the theme, uPlot and the bundle:\n%s", page)
	}
	at := -1
	for _, m := range reference.FindAllStringSubmatch(string(sourcesOf(t)["index.html"]), -1) {
		name := m[1]
		if path.Ext(name) != ".js" || name == "static/js/theme.js" || strings.HasPrefix(name, "static/uplot/") {
			continue
		}
		if _, ok := files[name]; ok {
			t.Errorf("%s is there beside the bundle", name)
		}
		next := strings.Index(script, string(slim(sourcesOf(t)[name])))
		if next <= at {
			t.Errorf("%s is not in the bundle after what is before it on the page", name)
		}
		at = next
	}
	if strings.Contains(script, "\n//") || strings.Contains(script, "\n ") {
		t.Error("the bundle has comments or indentation")
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

// maxCode is how large the code of the page may be as it is sent: each file compressed on
// its own.
const maxCode = 60 * 1024

func TestPageCodeIsSmall(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for name, text := range files {
		if path.Base(name) == "LICENSE" { // never loaded
			continue
		}
		var packed bytes.Buffer
		w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		t.Logf("%6d bytes: %s", packed.Len(), name)
		total += packed.Len()
	}
	t.Logf("the code of the page has %d bytes compressed, of %d", total, maxCode)
	if total > maxCode {
		t.Errorf("the code of the page has %d bytes compressed, and at most %d are allowed", total, maxCode)
	}
}
