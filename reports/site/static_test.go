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

func assetsOf(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// own are the files that were written here: not what is vendored.
func own(t *testing.T) map[string][]byte {
	files := assetsOf(t)
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
	files := assetsOf(t)
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
	for name, text := range assetsOf(t) {
		if strings.HasPrefix(name, "static/uplot/") && path.Base(name) != "LICENSE" {
			for _, url := range address.FindAllString(string(text), -1) {
				if url != "https://github.com/leeoniya/uPlot" {
					t.Errorf("%s has the address %s", name, url)
				}
			}
		}
	}
}

// maxCode is how large the code of the page may be as it is sent: each file compressed on
// its own.
const maxCode = 60_000

func TestPageCodeIsSmall(t *testing.T) {
	total := 0
	for name, text := range assetsOf(t) {
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
		total += packed.Len()
	}
	t.Logf("the code of the page has %d bytes compressed, of %d", total, maxCode)
	if total > maxCode {
		t.Errorf("the code of the page has %d bytes compressed, and at most %d are allowed", total, maxCode)
	}
}
