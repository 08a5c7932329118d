package flame

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
)

// A Row is a benchmark in an index, together with the links to its pages.
type Row struct {
	Name, About string
	Links       []Link
}

// A Link is a link to a page.
type Link struct{ Title, Address string }

var (
	//go:embed index.html
	indexSkeleton string
	//go:embed index.css
	indexStyle string
	indexPage  = template.Must(template.New("index").Parse(indexSkeleton))
)

// Index returns an HTML document that lists pages by benchmark.
func Index(title string, rows []Row) ([]byte, error) {
	data := struct {
		Title  string
		Rows   []Row
		Policy string
		Style  template.HTML
	}{title, rows, policy([]string{indexStyle}, nil), template.HTML("<style>" + indexStyle + "</style>")}
	var out bytes.Buffer
	if err := indexPage.Execute(&out, data); err != nil {
		return nil, fmt.Errorf("write index of flame graphs: %w", err)
	}
	return out.Bytes(), nil
}
