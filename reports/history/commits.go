package history

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// shownSubject is the maximum length of a commit's subject in a table, in characters.
const shownSubject = 48

// WithCommits returns a copy of the report that describes its commits when shown on a terminal: by
// their subject and, where a table is about the commits of steps, also by their author. about looks
// up both by a short hash and returns "" for an unknown commit.
func WithCommits(r reports.Report, about func(short string) (author, subject string)) reports.Report {
	out := r
	out.Tables = slices.Clone(r.Tables)
	for i, t := range out.Tables {
		at := slices.IndexFunc(t.Columns, func(c reports.Column) bool { return c.Hash })
		if at < 0 {
			continue
		}
		t.Rows, t.Columns = slices.Clone(t.Rows), slices.Clone(t.Columns)
		cells := make([]reports.Cell, len(t.Rows))
		for k, row := range t.Rows {
			t.Rows[k] = slices.Clone(row)
			author, subject := about(row[at].Text)
			if t.Columns[at].Blame && author != "" {
				subject = author + ": " + subject
			}
			cells[k].Text = shortened(subject)
		}
		t.Columns = append(t.Columns, reports.Column{Title: "description", Code: true, Extra: true})
		t.AddColumn(cells)
		out.Tables[i] = t.WithoutEmpty(len(t.Columns) - 1)
	}
	r.Terminal = func() reports.Report { return out }
	return r
}

// shortened returns a subject, cut if it is too long for a table.
func shortened(subject string) string {
	letters := []rune(subject)
	if len(letters) <= shownSubject {
		return subject
	}
	return strings.TrimRight(string(letters[:shownSubject-1]), " ") + "…"
}
