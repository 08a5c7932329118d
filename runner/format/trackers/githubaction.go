package trackers

import (
	"bufio"
	"bytes"
	"cmp"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// GitHubActionData is the history of github-action-benchmark: a script that assigns a JSON document
// to a variable, or the document alone. It has one value for each benchmark and commit.
var GitHubActionData = reading.Format{
	Name:        "github-action-benchmark-data",
	Description: "history of github-action-benchmark: its data.js, a run for each commit",
	Tool:        "github-action-benchmark: data.js in its branch for GitHub Pages",
	Yields:      reading.Either,
	Detect:      detectGitHubAction,
	Marks:       []string{"BENCHMARK_DATA"},
	Read:        readGitHubAction,
}

// assignment precedes the document in data.js.
const assignment = "window.BENCHMARK_DATA"

// assigned returns the length of the assignment at the beginning of text, or 0.
func assigned(text []byte) int {
	rest := bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\uFEFF")))
	rest, ok := bytes.CutPrefix(rest, []byte(assignment))
	if rest = bytes.TrimLeft(rest, " \t\r\n"); !ok || len(rest) == 0 || rest[0] != '=' {
		return 0
	}
	return bytes.IndexByte(text, '=') + 1
}

func detectGitHubAction(h *reading.Head) bool {
	return assigned(h.Text) > 0 || h.Has("entries.*[].benches[].value") && h.Has("entries.*[].benches[].unit")
}

func readGitHubAction(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	in := bufio.NewReader(r)
	text, _ := in.Peek(256) // an error comes again
	n := assigned(text)
	lines := strings.Repeat("\n", bytes.Count(text[:n], []byte("\n")))
	if _, err := in.Discard(n); err != nil {
		return err
	}
	var rest io.Reader = in
	if n > 0 {
		rest = &statement{r: in}
	}
	return reading.ReadJSON(io.MultiReader(strings.NewReader(lines), rest), fileName, emit, func(d *reading.Document) error {
		a := &actionHistory{history: history{Document: d}, better: map[string]string{}}
		if err := a.Ready(); err != nil {
			return err
		}
		return a.Object(func(key string) error {
			if key != "entries" {
				return a.Skip()
			}
			return a.Object(func(suite string) error {
				a.Fact(record.KeySuite, fact(suite, "Benchmark"))
				return a.Array(a.entry)
			})
		})
	})
}

type actionHistory struct {
	history
	better map[string]string // declared directions by unit
}

// An actionEntry is what the action adds to the history at one commit.
type actionEntry struct {
	line      int
	sha, tool string
	time      time.Time // of the commit
	date      float64   // of the measurement, in milliseconds
	benches   []actionBench
}

// An actionBench is a figure of an entry, as extract.ts of the action writes it.
type actionBench struct {
	line              int
	name, unit        string
	value             float64
	spread, extra     string
	counted           int      // iterations
	pkg, ownName, sub string   // of Go, see goParts
	more              []metric // further figures
	joined            []string // units of joined entries, see join
	lost              []lost   // what is left out
}

// A lost figure of a benchmark cannot be stored beside another one.
type lost struct {
	line      int
	name, why string
}

type metric struct {
	value float64
	unit  string
}

func (a *actionHistory) entry() error {
	e := actionEntry{}
	a.held = 0
	err := a.Object(func(key string) (err error) {
		switch key {
		case "commit":
			return a.commit(&e)
		case "date":
			e.date, err = a.Number()
		case "tool":
			e.tool, err = a.Text()
		case "benches":
			return a.Array(func() error { return a.bench(&e) })
		default:
			return a.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	if e.line == 0 {
		e.line = a.Line()
	}
	tool, known := actionTools[e.tool]
	if !known {
		return a.LeaveOut(e.line, short(e.sha), "its tool is unknown: %q", e.tool)
	}
	if e.time.IsZero() && e.date > 0 && e.date < 1e15 {
		e.time = time.UnixMilli(int64(e.date)).Truncate(time.Second) // shortly after the commit
	}
	if ok, err := a.at(e.line, e.sha, "", e.time); !ok {
		return err
	}
	a.GoNames(e.tool == "go")
	for _, b := range tool.merged(e.benches) {
		if err := a.emit(tool, &b); err != nil {
			return err
		}
	}
	return nil
}

func (a *actionHistory) commit(e *actionEntry) error {
	return a.Object(func(key string) (err error) {
		switch key {
		case "id":
			e.sha, err = a.Text()
			e.line = a.Line()
		case "timestamp":
			var text string
			text, err = a.Text()
			e.time, _ = time.Parse(time.RFC3339, text)
		default:
			return a.Skip()
		}
		return err
	})
}

func (a *actionHistory) bench(e *actionEntry) error {
	b := actionBench{value: math.NaN()}
	err := a.Object(func(key string) (err error) {
		switch key {
		case "name":
			b.name, err = a.Text()
		case "unit":
			b.unit, err = a.Text()
		case "range":
			b.spread, err = a.Text()
		case "extra":
			b.extra, err = a.Text()
		case "value": // early versions kept a custom value as text
			var text string
			text, err = a.Text()
			if text = strings.TrimSpace(text); text != "" {
				b.value = valueOf(text)
			}
		default:
			return a.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	b.line = a.Line()
	e.benches = append(e.benches, b)
	return a.hold(b.name, b.unit, b.spread, b.extra)
}

// valueOf returns the number in a text. What is no number counts as infinite, so that it is not taken
// for a missing value.
func valueOf(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(v) {
		return math.Inf(1)
	}
	return v
}

// emit emits a benchmark of the current commit.
func (a *actionHistory) emit(tool actionTool, b *actionBench) error {
	for _, l := range b.lost {
		if err := a.LeaveOut(l.line, bounds.Quote(l.name), "%s", l.why); err != nil {
			return err
		}
	}
	row := reading.Row{Line: b.line, Name: b.name, Package: b.pkg, Iters: b.counted}
	var first reading.Unit
	for i, m := range append([]metric{{b.value, b.unit}}, b.more...) {
		if i > 0 && !(m.value-m.value == 0) {
			continue // an unknown figure besides
		}
		unit := reading.UnitOf(m.unit)
		if unit.Go == "" {
			unit.Go = "value"
		}
		unit = a.directed(unit, tool.better)
		if err := a.declare(unit.Go, tool.better); err != nil {
			return err
		}
		row.Values = append(row.Values, unit.Value(m.value))
		if i == 0 {
			first = unit
		}
	}
	spread := reading.NoSpread()
	summary := false
	if tool.summarize != nil {
		summary = tool.summarize(b, first, &spread)
	}
	return a.row(row, spread, summary)
}

// directed returns a unit that can be declared better in one direction. A unit that has the other
// direction already gets another name: in Go, a lower ns/op is better, but the value of a custom
// tool in ns may be the time until a deadline.
func (a *actionHistory) directed(unit reading.Unit, better string) reading.Unit {
	if have := a.direction(unit.Go); better == "" || have == "" || have == better {
		return unit
	}
	return reading.Unit{Go: strings.ReplaceAll(unit.Go, "/", "-per-") + "-" + better, Factor: unit.Factor, From: cmp.Or(unit.From, unit.Go)}
}

// direction returns the direction of a unit, or "" if it has none yet.
func (a *actionHistory) direction(unit string) string {
	return cmp.Or(reading.Better(unit), a.better[unit])
}

// declare declares the direction of a unit, unless it is known.
func (a *actionHistory) declare(unit, better string) error {
	if better == "" || a.direction(unit) != "" || len(unit) > bounds.MaxUnit || len(a.better) >= record.MaxUnits {
		return nil
	}
	a.better[unit] = better
	return a.Declare(unit, better)
}

// short returns a hash as people write it.
func short(sha string) string {
	if record.IsHashPrefix(sha) {
		return record.ShortHash(sha)
	}
	return fact(sha, "")
}
