package server

import (
	"bytes"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

// A page is one that stands for the site where there is none.
type page struct {
	Title, Text string
	Link        string
}

// A span is a part of a text, one that is to be typed if Code is set.
type span struct {
	Text string
	Code bool
}

// Words is the text with its commands, which stand between backticks, set apart.
func (p page) Words() (all []span) {
	parts := strings.Split(p.Text, "`")
	if len(parts)%2 == 0 { // one too many: none of ours
		return []span{{Text: p.Text}}
	}
	for i, text := range parts {
		all = append(all, span{text, i%2 == 1})
	}
	return all
}

// It has no script and, by the policy, no style but the site's.
var pageText = template.Must(template.New("page").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Title}} · perftrack</title>
<link rel="stylesheet" href="/static/perftrack.css">
<main class="notice">
<h1>{{.Title}}</h1>
<p>{{range .Words}}{{if .Code}}<code>{{.Text}}</code>{{else}}{{.Text}}{{end}}{{end}}</p>
{{- with .Link}}
<p><a href="{{.}}">Open the page</a></p>
{{- end}}
</main>
</html>
`))

// fail answers that there is nothing to see, and why.
func fail(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	say(w, r, status, page{Title: title, Text: text})
}

func say(w http.ResponseWriter, r *http.Request, status int, p page) {
	var b bytes.Buffer
	if err := pageText.Execute(&b, p); err != nil {
		panic(err) // the template and the strings in it are ours
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // who asked may be gone
	}
}
