package profile

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"
	"unicode/utf8"
)

// WriteBenchmarks writes the call paths in Go benchmark format, in the order of [Tree.All]. A
// configuration line marks them as scopes rather than benchmarks, and a second one at the end
// removes the mark:
//
//	profile: scopes
//	Unit self-ns/op better=lower
//	BenchmarkInference/Forward 50 1200 ns/op 400 self-ns/op 1000 min-ns/op 2100 max-ns/op 128 B/op 2 allocs/op
//	profile:
//
// The number of calls takes the place of the iterations. Values are per call and have full
// precision, so a value times the number of calls gives the sum. A path has B/op and allocs/op, per
// call in the counting pass, only if the pass entered it. There is no -N suffix for GOMAXPROCS. An
// empty tree writes nothing.
func (t *Tree) WriteBenchmarks(w io.Writer) error {
	if len(t.Scopes) == 0 {
		return nil
	}
	var b bytes.Buffer
	b.WriteString("profile: scopes\n")
	if t.Timed {
		b.WriteString("Unit self-ns/op better=lower\nUnit min-ns/op better=lower\nUnit max-ns/op better=lower\n")
	}
	for _, r := range t.Rows() {
		fmt.Fprintf(&b, "Benchmark%s %d", r.Path, r.Calls)
		if t.Timed {
			fmt.Fprintf(&b, " %s ns/op %s self-ns/op %d min-ns/op %d max-ns/op",
				perCall(int64(r.Total), r.Calls), perCall(int64(r.Self), r.Calls), r.Min, r.Max)
		}
		if r.AllocCalls > 0 {
			fmt.Fprintf(&b, " %s B/op %s allocs/op", perCall(r.Bytes, r.AllocCalls), perCall(r.Objects, r.AllocCalls))
		}
		b.WriteByte('\n')
	}
	b.WriteString("profile:\n")
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write profile: %w", err)
	}
	return nil
}

func perCall(sum, calls int64) string {
	return strconv.FormatFloat(float64(sum)/float64(calls), 'f', -1, 64)
}

// WriteTop writes a table of the first n methods in the order of [Tree.Methods], followed by the
// caveats. The self time in the table is the work (see [Method.Work]). It is also given as a
// percentage of all work or, if the run took longer, of the run. A separate column gives the time a
// method waited for its workers.
func (t *Tree) WriteTop(w io.Writer, n int) error {
	var b bytes.Buffer
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	methods := t.Methods()
	work, run := t.Busy(), time.Duration(0)
	for _, m := range methods {
		work -= m.Waiting
	}
	for _, n := range t.Scopes {
		run += n.Total
	}
	fmt.Fprint(table, "rank\tself\tself %\twaiting\ttotal\tcalls\tavg\tmin\tmax\tB/call\tallocs/call\t  method\n")
	for i, m := range methods[:min(max(n, 0), len(methods))] {
		share := 0.0
		if base := max(work, run); base > 0 {
			share = 100 * float64(m.Work()) / float64(base)
		}
		waiting := "-"
		if m.Waiting > 0 {
			waiting = rounded(m.Waiting).String()
		}
		fmt.Fprintf(table, "%d\t%v\t%.1f\t%s\t%v\t%d\t%v\t%v\t%v", i+1,
			rounded(m.Work()), share, waiting, rounded(m.Total), m.Calls, rounded(m.Average()), rounded(m.Min), rounded(m.Max))
		if m.AllocCalls > 0 {
			fmt.Fprintf(table, "\t%.0f\t%.1f", float64(m.Bytes)/float64(m.AllocCalls), float64(m.Objects)/float64(m.AllocCalls))
		} else {
			fmt.Fprint(table, "\t-\t-")
		}
		fmt.Fprintf(table, "\t  %s\n", m.Name)
	}
	_ = table.Flush() // cannot fail, because it writes to memory
	for _, c := range t.Caveats {
		fmt.Fprintf(&b, "note: %s\n", c)
	}
	if _, err := w.Write(b.Bytes()); err != nil {
		return fmt.Errorf("write table: %w", err)
	}
	return nil
}

// rounded rounds d to about four digits for display.
func rounded(d time.Duration) time.Duration {
	unit := time.Duration(1)
	for d/unit >= 10000 {
		unit *= 10
	}
	return d.Round(unit)
}

// cleanName turns name into one element of a benchmark name, as described at [Node].
func cleanName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r == '/' || r == utf8.RuneError || unicode.IsSpace(r) || !unicode.IsPrint(r) {
			r = '_'
		}
		b.WriteRune(r)
	}
	clean := b.String()
	if clean == "" {
		return "_"
	}
	base := strings.TrimRight(clean, "0123456789")
	if len(base) < len(clean) && strings.HasSuffix(base, "-") {
		clean = base[:len(base)-1] + "_" + clean[len(base):]
	}
	return clean
}
