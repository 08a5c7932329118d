package site

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
)

//go:embed index.html static
var embedded embed.FS

var pageTemplate = template.Must(template.ParseFS(embedded, pageName))

// uplotLicense is the path of uPlot's licence, published together with its code.
const uplotLicense = "static/uplot/LICENSE"

// An asset is a style or script of the web page. It is a separate file or, if the site is a single
// file, embedded in the page.
type asset struct {
	Path string
	Code []byte
}

func (a *asset) CSS() template.CSS { return template.CSS(a.Code) }
func (a *asset) JS() template.JS   { return template.JS(a.Code) }

// A loadedPart is a part of the page whose files have been joined into one style and one script.
// Either is nil if the part has none.
type loadedPart struct {
	Pages         string
	Style, Script *asset
}

// A pageData is the data for the template index.html.
type pageData struct {
	Policy template.HTMLAttr
	Theme  *asset
	Parts  []loadedPart
	Single bool
	Data   *asset // all documents, if the page is a single file
}

// newPage returns the page with its styles and scripts.
func newPage() *pageData {
	page := &pageData{Theme: joined("static/js/theme", ".js", themeScript)}
	for _, p := range parts {
		name := "static/perftrack"
		if p.pages != "" {
			name = "static/part-" + strings.ReplaceAll(p.pages, " ", "-")
		}
		page.Parts = append(page.Parts, loadedPart{p.pages, joined(name, ".css", p.styles), joined(name, ".js", p.scripts)})
	}
	return page
}

// joined returns the files listed in from as a single asset, or nil for an empty string. One file
// loads faster than fifty and compresses better.
func joined(name, ending, from string) *asset {
	if from == "" {
		return nil
	}
	a := &asset{Path: name + ending}
	for _, f := range strings.Fields(from) {
		a.Code = append(append(a.Code, bytes.TrimSuffix(read("static/"+f+ending), []byte("\n"))...), '\n')
	}
	return a
}

func read(name string) []byte {
	text, err := embedded.ReadFile(name)
	if err != nil {
		panic(err) // cannot happen: a test reads all parts
	}
	return text
}

// assets returns all styles and scripts of the page.
func (p *pageData) assets() (styles, scripts []*asset) {
	scripts = append(scripts, p.Theme)
	if p.Data != nil {
		scripts = append(scripts, p.Data)
	}
	for _, part := range p.Parts {
		if part.Style != nil {
			styles = append(styles, part.Style)
		}
		if part.Script != nil {
			scripts = append(scripts, part.Script)
		}
	}
	return styles, scripts
}

// write returns the page's HTML with the given Content-Security-Policy.
func (p *pageData) write(policy string) ([]byte, error) {
	p.Policy = template.HTMLAttr(`content="default-src 'none'; ` + policy + `; base-uri 'none'; form-action 'none'"`)
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		return nil, fmt.Errorf("write the page: %w", err)
	}
	return b.Bytes(), nil
}

// Assets returns the files of the site that contain no data, by path: index.html and the files
// below static.
func Assets() (files map[string][]byte, err error) {
	page := newPage()
	files = map[string][]byte{uplotLicense: read(uplotLicense)}
	styles, scripts := page.assets()
	for _, a := range append(styles, scripts...) {
		files[a.Path] = a.Code
	}
	files[pageName], err = page.write("script-src 'self'; style-src 'self'; img-src 'self' data:; frame-src 'self'")
	return files, err
}
