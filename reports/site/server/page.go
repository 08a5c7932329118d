package server

import (
	"bytes"
	"html/template"
	"net/http"
	"strconv"
	"strings"
)

// A page is shown instead of the site: it explains an error, or leads to the site after a login.
type page struct {
	Title, Text string
	Link        string
}

// A span is a piece of text. It is a command if Code is set.
type span struct {
	Text string
	Code bool
}

// Words splits the text at the backticks that enclose commands.
func (p page) Words() (all []span) {
	parts := strings.Split(p.Text, "`")
	if len(parts)%2 == 0 { // unbalanced backticks, so this is not a text of perftrack
		return []span{{Text: p.Text}}
	}
	for i, text := range parts {
		all = append(all, span{text, i%2 == 1})
	}
	return all
}

// pageText is the template for a page. It has no scripts, and the policy allows no styles except
// those of the site.
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

// fail replies with a page that explains why the request failed.
func fail(w http.ResponseWriter, r *http.Request, status int, title, text string) {
	say(w, r, status, page{Title: title, Text: text})
}

func say(w http.ResponseWriter, r *http.Request, status int, p page) {
	var b bytes.Buffer
	if err := pageText.Execute(&b, p); err != nil {
		panic(err) // cannot happen: the template accepts every page
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(b.Bytes()) // the client may be gone
	}
}
