package trackers

import (
	"fmt"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// A history is a document with the results of many commits. What cannot be stored of it is left out
// with a reason, because the rest of a history of years is too good to lose.
type history struct {
	*reading.Document
	held int // bytes held of the current entry
}

// maxEntry is the number of bytes of an entry that are held, because facts about it may follow its
// figures.
const maxEntry = 16 << 20

// hold counts bytes that are held until the end of the entry.
func (h *history) hold(texts ...string) error {
	const perItem = 128
	h.held += perItem
	for _, t := range texts {
		h.held += len(t)
	}
	if h.held > maxEntry {
		return h.Errorf("an entry is longer than the limit of %d MiB", maxEntry>>20)
	}
	return nil
}

// at sets the commit of all following results, or leaves the entry out.
func (h *history) at(line int, sha, branch string, when time.Time) (ok bool, err error) {
	if h.Commit(strings.ToLower(strings.TrimSpace(sha)), branch, when) {
		return true, nil
	}
	if sha == "" {
		return false, h.LeaveOut(line, "", "the entry names no commit")
	}
	return false, h.LeaveOut(line, bounds.Quote(sha), "this is no hash of a commit")
}

// row emits a row, unless something in it cannot be stored.
func (h *history) row(row reading.Row, spread reading.Spread, summary bool) error {
	if why := unfit(row); why != "" {
		return h.LeaveOut(row.Line, bounds.Quote(row.Name), "%s", why)
	}
	if summary {
		if err := inside(h.Document, &row, &spread); err != nil {
			return err
		}
		return h.Summary(row, spread)
	}
	return h.Result(row)
}

// inside drops the bounds of a row's first value if it is not between them.
func inside(d *reading.Document, row *reading.Row, s *reading.Spread) error {
	if v := row.Values[0].V; !(v < s.Low || v > s.High) {
		return nil
	}
	s.Low, s.High = math.NaN(), math.NaN()
	return d.LeaveOut(row.Line, bounds.Quote(row.Name), "its bounds do not enclose it")
}

const noValue = "it has no value"

// unfit says why a row cannot be stored, or returns "".
func unfit(row reading.Row) string {
	if strings.TrimSpace(row.Name) == "" {
		return "it has no name"
	}
	if len(row.Name) > bounds.MaxName {
		return fmt.Sprintf("its name is longer than the limit of %d bytes", bounds.MaxName)
	}
	for _, v := range row.Values {
		switch {
		case len(v.Unit) > bounds.MaxUnit:
			return fmt.Sprintf("its unit is longer than the limit of %d bytes", bounds.MaxUnit)
		case math.IsNaN(v.V):
			return noValue
		case math.IsInf(v.V, 0):
			return "its value is not a finite number"
		case v.V < 0:
			return "its value is negative"
		}
	}
	return ""
}

// fact returns text as the value of a configuration line, or otherwise.
func fact(text, otherwise string) string {
	const most = 200
	text = strings.Join(strings.Fields(text), " ")
	for len(text) > most {
		_, n := utf8.DecodeLastRuneInString(text[:most+1])
		text = text[:most+1-n]
	}
	if text == "" {
		return otherwise
	}
	return text
}
