// Package manual shows the pages of docs in a terminal. This file finds pages and their sections,
// markdown.go reads them, text.go and table.go write them in lines of a width.
package manual

import (
	"io/fs"
	"regexp"
	"strings"
	"sync"

	"github.com/perftrack/perftrack/docs"
)

// A Page is a file of docs, or a part of one.
type Page struct {
	Name  string // that of the file, without .md
	Title string // its heading, in one line of plain text
	text  string // Markdown
}

// Pages returns all pages, by name.
func Pages() []Page {
	files, err := fs.Glob(docs.Pages, "*.md")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	var all []Page
	for _, file := range files {
		text, err := docs.Pages.ReadFile(file)
		if err != nil {
			panic(err) // it is part of this binary
		}
		p := Page{Name: strings.TrimSuffix(file, ".md"), text: string(text)}
		if m := anyHeading.FindStringSubmatch(p.text); m != nil {
			p.Title = plain(m[2])
		}
		all = append(all, p)
	}
	return all
}

// Find returns the page of a name.
func Find(name string) (Page, bool) {
	for _, p := range Pages() {
		if p.Name == name {
			return p, true
		}
	}
	return Page{}, false
}

var anyHeading = regexp.MustCompile(`(?m)^(#+) (.*)$`)

// Sections returns the names of the sections of the page, as links name them: "a-budget" is
// headed "A budget".
func (p Page) Sections() []string {
	var names []string
	for _, m := range p.headings() {
		names = append(names, m.name)
	}
	return names
}

// Section returns a section with those below it.
func (p Page) Section(name string) (Page, bool) {
	all := p.headings()
	for i, h := range all {
		if h.name != name {
			continue
		}
		end := len(p.text)
		for _, next := range all[i+1:] {
			if next.level <= h.level {
				end = next.at
				break
			}
		}
		return Page{Name: p.Name, Title: h.title, text: p.text[h.at:end]}, true
	}
	return Page{}, false
}

// A heading is one below the title of a page.
type heading struct {
	name, title string
	level, at   int // where it begins in the text
}

func (p Page) headings() (all []heading) {
	for _, m := range anyHeading.FindAllStringSubmatchIndex(p.text, -1) {
		title := p.text[m[4]:m[5]]
		if level := m[3] - m[2]; level > 1 && !inCode(p.text[:m[0]]) {
			words := notInName().ReplaceAllString(strings.ToLower(title), "")
			all = append(all, heading{strings.ReplaceAll(words, " ", "-"), plain(title), level, m[0]})
		}
	}
	return all
}

var notInName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[^\pL\pN _-]`) })

// inCode reports whether what follows a text stands between fences.
func inCode(before string) bool { return strings.Count("\n"+before, "\n```")%2 == 1 }
