package site

import (
	"bytes"
	"compress/gzip"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sourcesOf returns the embedded files by their paths.
func sourcesOf(t *testing.T) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	err := fs.WalkDir(embedded, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && path.Ext(name) != ".md" {
			files[name], err = embedded.ReadFile(name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// own returns the embedded files without the vendored ones.
func own(t *testing.T) map[string][]byte {
	files := sourcesOf(t)
	for name := range files {
		if strings.HasPrefix(name, "static/uplot/") {
			delete(files, name)
		}
	}
	return files
}

// Each script and each style belongs to exactly one part.
func TestPartsHaveEachFileOnce(t *testing.T) {
	var listed, there []string
	for _, p := range append(slices.Clone(parts), part{scripts: themeScript}) {
		for _, name := range strings.Fields(p.scripts) {
			listed = append(listed, "static/"+name+".js")
		}
		for _, name := range strings.Fields(p.styles) {
			listed = append(listed, "static/"+name+".css")
		}
	}
	for name := range sourcesOf(t) {
		if ext := path.Ext(name); ext == ".js" || ext == ".css" {
			there = append(there, name)
		}
	}
	slices.Sort(there)
	slices.Sort(listed)
	if !slices.Equal(listed, there) {
		t.Errorf("the parts list\n%s\nand there are\n%s", strings.Join(listed, "\n"), strings.Join(there, "\n"))
	}
}

var (
	inline  = regexp.MustCompile(`(?i)<script(?:\s+defer)?>|<style|\sstyle=|\son[a-z]+=|javascript:`)
	address = regexp.MustCompile("https?://[^\\s\"'`)]*")
	outward = regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|setTimeout\(["'` + "`" + `]|\bfetch\(|XMLHttpRequest|\bimport\(|DOMParser|createContextualFragment`)
)

// The page works under a strict Content-Security-Policy, and no script turns text into markup or
// requests other addresses.
func TestPageKeepsToItsPolicy(t *testing.T) {
	files := own(t)
	assets, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	page := string(assets["index.html"])
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

var (
	reference    = regexp.MustCompile(`<(?:script src|link rel="stylesheet" href)="([^"]*)"`)
	partTemplate = regexp.MustCompile(`(?s)<template data-pages="([a-z ]+)">\n(.*?)</template>\n`)
)

// The page loads each file of the site once, and each file consists of its sources, one after the
// other.
func TestPageLoadsItsFiles(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	loaded := []string{"index.html", uplotLicense}
	for _, m := range reference.FindAllStringSubmatch(string(files["index.html"]), -1) {
		loaded = append(loaded, m[1])
	}
	slices.Sort(loaded)
	if there := slices.Sorted(maps.Keys(files)); !slices.Equal(loaded, there) {
		t.Errorf("index.html loads\n%s\nand there are\n%s", strings.Join(loaded, "\n"), strings.Join(there, "\n"))
	}
	if n := len(partTemplate.FindAllString(string(files["index.html"]), -1)); n != len(parts)-1 { // the part for all pages has no template
		t.Errorf("index.html has %d templates of %d parts:\n%s", n, len(parts), files["index.html"])
	}
	for name, text := range sourcesOf(t) {
		n := 0
		for _, file := range files {
			n += bytes.Count(file, text)
		}
		if (path.Ext(name) == ".js" || path.Ext(name) == ".css") && n != 1 {
			t.Errorf("%s is %d times in the files of the site", name, n)
		}
	}
}

// Pages must use p.append, because the DOM's own append writes a missing value as the word null.
func TestPagesAppendNoNull(t *testing.T) {
	for name, text := range own(t) {
		if bytes.Contains(text, []byte("main.append(")) {
			t.Errorf("%s has main.append: p.append leaves out what is null", name)
		}
	}
}

// maxCode is the maximum size in compressed bytes of the code for one page, without the parts for
// other pages.
const maxCode = 72 * 1024

func TestPageCodeIsSmall(t *testing.T) {
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	index := string(files["index.html"])
	common := packed(t, files["index.html"])
	for _, m := range reference.FindAllStringSubmatch(partTemplate.ReplaceAllString(index, ""), -1) {
		common += packed(t, files[m[1]])
	}
	of := map[string]int{} // code size in bytes by page
	for _, p := range partTemplate.FindAllStringSubmatch(index, -1) {
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
			t.Errorf("the code of the page %s has %d bytes compressed, and at most %d are allowed: what only some pages need belongs in a part of its own", page, size, maxCode)
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
