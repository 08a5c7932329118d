package flame

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
)

// A Row is a benchmark of an index, with its pages.
type Row struct {
	Name, About string
	Links       []Link
}

// A Link is a page.
type Link struct{ Title, Address string }

var (
	//go:embed index.html
	indexSkeleton string
	//go:embed index.css
	indexStyle string
	indexPage  = template.Must(template.New("index").Parse(indexSkeleton))
)

// Index returns a document that lists pages.
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
