// Package manual formats the documentation pages in folder docs for a terminal. This file finds
// pages and sections; text.go and table.go lay them out.
package manual

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/perftrack/perftrack/docs"
)

// A Page is a file in folder docs or a section of such a file.
type Page struct {
	Name   string // name of the file, without .md
	Title  string // the first heading, as plain text
	source []byte
	blocks []ast.Node
}

// markdown returns the Markdown parser for pages.
var markdown = sync.OnceValue(func() goldmark.Markdown { return goldmark.New(goldmark.WithExtensions(extension.Table)) })

// Pages returns all pages, sorted by name.
func Pages() []Page {
	files, err := fs.Glob(docs.Pages, "*.md")
	if err != nil {
		panic(err) // cannot happen: the pattern is constant
	}
	var all []Page
	for _, file := range files {
		if p, ok := Find(strings.TrimSuffix(file, ".md")); ok {
			all = append(all, p)
		}
	}
	return all
}

// Find returns the page called name.
func Find(name string) (Page, bool) {
	source, err := docs.Pages.ReadFile(name + ".md")
	if err != nil {
		return Page{}, false
	}
	return parse(name, source), true
}

func parse(name string, source []byte) Page {
	p := Page{Name: name, source: source}
	for n := markdown().Parser().Parse(text.NewReader(source)).FirstChild(); n != nil; n = n.NextSibling() {
		if h, ok := n.(*ast.Heading); ok && p.Title == "" {
			p.Title = p.plain(h)
		}
		p.blocks = append(p.blocks, n)
	}
	return p
}

// Sections returns the names of the page's sections in the form used in links: "a-budget" for "A
// budget".
func (p Page) Sections() []string {
	var names []string
	for _, n := range p.blocks {
		if h, ok := n.(*ast.Heading); ok && h.Level > 1 {
			names = append(names, p.anchor(h))
		}
	}
	return names
}

// Section returns the section with the given name, including its subsections.
func (p Page) Section(name string) (Page, bool) {
	var found *ast.Heading
	s := Page{Name: p.Name, source: p.source}
	for _, n := range p.blocks {
		h, isHeading := n.(*ast.Heading)
		switch {
		case found != nil && isHeading && h.Level <= found.Level:
			return s, true
		case found == nil && isHeading && h.Level > 1 && p.anchor(h) == name:
			found, s.Title = h, p.plain(h)
		}
		if found != nil {
			s.blocks = append(s.blocks, n)
		}
	}
	return s, found != nil
}

var notInAnchor = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\pL\pN _-]`) })

// anchor returns the name used for a heading in links.
func (p Page) anchor(h *ast.Heading) string {
	words := notInAnchor().ReplaceAllString(strings.ToLower(p.plain(h)), "")
	return strings.ReplaceAll(words, " ", "-")
}

// plain returns the text of a heading without backquotes.
func (p Page) plain(h *ast.Heading) string { return strings.ReplaceAll(p.inline(h), "`", "") }
