package history

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// shownSubject is how many characters of a subject a table has room for.
const shownSubject = 48

// WithCommits returns the report with what people know commits by, for a terminal: the subject
// beside the rows of commits, author and subject beside the steps. about finds both by a short
// hash, "" where nobody knows.
func WithCommits(r reports.Report, about func(short string) (author, subject string)) reports.Report {
	out := r
	out.Tables = slices.Clone(r.Tables)
	for i, t := range out.Tables {
		at := slices.IndexFunc(t.Columns, func(c reports.Column) bool { return c.Title == "commit" || c.Title == "up to commit" })
		if at < 0 {
			continue
		}
		t.Rows, t.Columns = slices.Clone(t.Rows), slices.Clone(t.Columns)
		cells := make([]reports.Cell, len(t.Rows))
		for k, row := range t.Rows {
			t.Rows[k] = slices.Clone(row)
			author, subject := about(row[at].Text)
			if t.Columns[at].Title != "commit" && author != "" {
				subject = author + ": " + subject
			}
			cells[k].Text = shortened(subject)
		}
		t.Columns = append(t.Columns, reports.Column{Title: "what it is", Code: true, Extra: true})
		t.AddColumn(cells)
		out.Tables[i] = t.WithoutEmpty(len(t.Columns) - 1)
	}
	r.Terminal = func() reports.Report { return out }
	return r
}

// shortened cuts a subject to what a table has room for.
func shortened(subject string) string {
	letters := []rune(subject)
	if len(letters) <= shownSubject {
		return subject
	}
	return strings.TrimRight(string(letters[:shownSubject-1]), " ") + "…"
}
