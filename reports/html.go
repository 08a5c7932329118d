package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"
)

// pageStyle is the style sheet of a report's page. It covers the light and the dark theme and
// printing.
//
//go:embed html.css
var pageStyle string

// HTMLOptions describes the page around a report.
type HTMLOptions struct {
	Pages []Page // related pages, listed at the top
}

// A Page is one of several related pages.
type Page struct {
	Title   string
	File    string // relative path; linked only if [FileName] allows it
	Current bool   // set for the page being written
}

// HTML writes the report as a standalone page. The page has no scripts, escapes all text, follows
// the light or dark theme of the reader's system, and can be printed.
func HTML(w io.Writer, r Report, opt HTMLOptions) error {
	h := &htmlWriter{}
	h.head(r.Title, opt.Pages)
	if r.Summary != "" {
		h.put(`<p class="summary %s">%s</p>`, toneClass(r.Tone), escape(r.Summary))
	}
	h.facts(r.Facts)
	var shown []Fact
	for _, t := range r.Tables {
		h.section(t, shown)
		shown = t.Facts
	}
	h.notes(r)
	for _, l := range r.Lists {
		h.put(`<h2>%s <span class="muted">(%d)</span></h2><ul>`, escape(l.Title), l.Count())
		for _, item := range l.Items {
			h.put(`<li>%s %s</li>`, escape(item.Text), code(item.Detail))
		}
		h.put(`</ul>`)
	}
	if f := r.Failure; f != nil {
		h.put(`<p class="summary bad">%s</p><pre>%s</pre>`, escape(f.Words()), html.EscapeString(Message(strings.TrimSpace(f.Message))))
	}
	h.put(`</main></body></html>`)
	if _, err := w.Write(h.Bytes()); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	return nil
}

// FileName reports whether a page may link to s: it must name a plain file in the page's directory,
// a child directory or the parent directory.
func FileName(s string) bool { return fileName.MatchString(s) }

var fileName = regexp.MustCompile(`^(\.\./)?([a-z0-9]+/)?[a-z0-9]+\.(md|html|json)$`)

type htmlWriter struct{ bytes.Buffer }

// put writes a line. The caller must have escaped the arguments.
func (h *htmlWriter) put(format string, args ...any) { fmt.Fprintf(h, format+"\n", args...) }

// HTMLPolicy returns the Content-Security-Policy of a report's page, which allows nothing but the
// page's own style.
func HTMLPolicy() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (h *htmlWriter) head(title string, pages []Page) {
	h.put(`<!DOCTYPE html>`)
	h.put(`<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`)
	h.put(`<meta http-equiv="Content-Security-Policy" content="%s">`, HTMLPolicy())
	h.put(`<meta name="color-scheme" content="light dark"><title>%s</title>`, escape(title))
	h.put(`<style>%s</style></head><body>`, pageStyle)
	if len(pages) > 0 {
		h.put(`<nav aria-label="reports"><ul>`)
		for _, p := range pages {
			switch {
			case p.Current:
				h.put(`<li><a aria-current="page">%s</a></li>`, escape(p.Title))
			case FileName(p.File):
				h.put(`<li><a href="%s">%s</a></li>`, p.File, escape(p.Title))
			}
		}
		h.put(`</ul></nav>`)
	}
	h.put(`<main><h1>%s</h1>`, escape(title))
}

func (h *htmlWriter) facts(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	h.put(`<dl>`)
	for _, f := range facts {
		h.put(`<div><dt>%s</dt><dd>%s</dd></div>`, escape(f.Key), code(strings.TrimSpace(f.Value+" "+f.Tail)))
	}
	h.put(`</dl>`)
}

// section writes a table with its heading. It also writes the table's facts unless they equal those
// of the previous table.
func (h *htmlWriter) section(t Table, before []Fact) {
	h.put(`<section>`)
	if t.Heading != "" {
		h.put(`<h2>%s</h2>`, escape(t.Heading))
	}
	same := len(before) == len(t.Facts)
	for i, f := range t.Facts {
		same = same && before[i] == f
	}
	if !same {
		h.facts(t.Facts)
	}
	for _, w := range t.Words {
		h.put(`<p>%s</p>`, escape(w))
	}
	if len(t.Columns) > 0 {
		h.table(t)
	} else if t.Caption != "" {
		h.put(`<p>%s</p>`, escape(t.Caption))
	}
	h.put(`</section>`)
}

func (h *htmlWriter) table(t Table) {
	h.put(`<div class="scroll" role="region" tabindex="0" aria-label="%s"><table>`, escape(strings.TrimSpace(t.Heading+" table")))
	if t.Caption != "" {
		h.put(`<caption>%s</caption>`, escape(t.Caption))
	}
	h.WriteString("<thead><tr>")
	for _, c := range t.Columns {
		title := escape(strings.TrimSpace(c.Over + " " + c.Title))
		fmt.Fprintf(h, `<th scope="col"%s>%s</th>`, alignClass(c), title)
	}
	h.put("</tr></thead><tbody>")
	for _, row := range t.Rows {
		h.row(t.Columns, row, true)
	}
	h.put("</tbody>")
	if t.Footer != nil {
		h.WriteString("<tfoot>")
		h.row(t.Columns, t.Footer, false)
		h.put("</tfoot>")
	}
	h.put("</table></div>")
}

func (h *htmlWriter) row(columns []Column, row []Cell, named bool) {
	h.WriteString("<tr>")
	for i, c := range columns {
		var cell Cell
		if i < len(row) {
			cell = row[i]
		}
		text := escape(cell.Text)
		switch {
		case c.File && FileName(cell.Text):
			text = fmt.Sprintf(`<a href="%s">%s</a>`, cell.Text, text)
		case c.Code && named && cell.Text != "":
			if text = code(cell.Text); c.Whole {
				text = "<code>" + escape(cell.Text) + "</code>"
			}
		case c.Bar:
			text = `<span class="bar">` + text + `</span>`
		}
		if tone := toneClass(cell.Tone); tone != "" && text != "" {
			text = fmt.Sprintf(`<span class="%s">%s</span>`, tone, text)
		}
		if cell.Range != "" {
			text += ` <span class="range">` + escape(cell.Range) + `</span>`
		}
		for _, n := range cell.Notes {
			text += fmt.Sprintf(`<sup><a href="#n%d">%d</a></sup>`, n, n)
		}
		fmt.Fprintf(h, `<td%s>%s</td>`, alignClass(c), text)
	}
	h.put("</tr>")
}

func (h *htmlWriter) notes(r Report) {
	if len(r.Notes) > 0 {
		h.put(`<ol class="notes">`)
		for i, n := range r.Notes {
			h.put(`<li id="n%d">%s</li>`, i+1, noteHTML(n))
		}
		h.put(`</ol>`)
	}
	if len(r.Remarks) > 0 {
		h.put(`<ul class="notes">`)
		for _, n := range r.Remarks {
			h.put(`<li>%s</li>`, noteHTML(n))
		}
		h.put(`</ul>`)
	}
}

func noteHTML(n Note) string {
	if n.Detail == "" {
		return escape(n.Text)
	}
	return escape(n.Text) + ": " + code(n.Detail)
}

// escape returns text as one line of visible characters without markup.
func escape(s string) string { return html.EscapeString(Visible(s)) }

// code returns external text as an HTML code element, or "" if s is empty.
func code(s string) string {
	if s == "" {
		return ""
	}
	return "<code>" + html.EscapeString(Printable(s)) + "</code>"
}

func alignClass(c Column) string {
	if c.Right {
		return ` class="n"`
	}
	return ""
}

func toneClass(t Tone) string {
	return [...]string{Plain: "", Good: "good", Bad: "bad", Warn: "warn", Muted: "muted"}[t]
}
