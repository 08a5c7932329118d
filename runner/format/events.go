package format

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// event is one line of `go test -json` output. Only the events with output are used here.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// parseEvent parses an event as printed by go test -json and test2json. It returns false for any
// other line.
func parseEvent(line []byte) (event, bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' || !bytes.Contains(line, []byte(`"Action":`)) {
		return event{}, false
	}
	var e event // a named result would be allocated for every line
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Action != ""
}

// events reassembles the output of go test -json. A benchmark's name and its result may come in two
// events, the events of several packages may be interleaved, and a configuration line applies only
// to its own package.
type events struct {
	partial map[source][]byte // output of each source since the last line break
	config  map[string][]benchfmt.Config
	current string            // package of the last line from join
	applied []benchfmt.Config // configuration set on the reader's result by configure
}

type source struct{ pkg, test string }

// join returns the line that e completes, if any. Text after the first line break in an event is
// ignored, because test2json writes at most one line per event.
func (es *events) join(e event) (line []byte, ok bool) {
	if e.Action != "output" || e.Output == "" {
		return nil, false
	}
	if es.partial == nil {
		es.partial = make(map[source][]byte)
		es.config = make(map[string][]benchfmt.Config)
	}
	from := source{e.Package, e.Test}
	text, _, ok := strings.Cut(e.Output, "\n")
	line = append(es.partial[from], text...)
	if !ok {
		es.partial[from] = line
		return nil, false
	}
	delete(es.partial, from)
	es.current = e.Package
	return bytes.TrimSuffix(line, []byte("\r")), true
}

// setConfig stores line for the current package if it is a configuration line, and reports whether
// it is one.
func (es *events) setConfig(line []byte) bool {
	key, value, ok := configLine(line)
	if !ok {
		return false
	}
	all := slices.DeleteFunc(slices.Clone(es.config[es.current]), sameKey(string(key)))
	if len(value) > 0 {
		all = append(all, benchfmt.Config{Key: string(key), Value: bytes.Clone(value), File: true})
	}
	es.config[es.current] = all
	return true
}

func sameKey(key string) func(benchfmt.Config) bool {
	return func(c benchfmt.Config) bool { return c.Key == key }
}

// configure applies the configuration of the current package to r. It returns false if r comes from
// plain text before any event. The reader keeps the configuration as if it had read
// the configuration lines itself.
func (es *events) configure(r *benchfmt.Result) bool {
	if es.partial == nil {
		return false
	}
	want := es.config[es.current]
	if es.current != "" && !slices.ContainsFunc(want, sameKey(record.KeyPackage)) {
		pkg := benchfmt.Config{Key: record.KeyPackage, Value: []byte(es.current), File: true}
		want = append(slices.Clip(want), pkg)
	}
	for _, c := range es.applied {
		if !slices.ContainsFunc(want, sameKey(c.Key)) {
			r.SetConfig(c.Key, "")
		}
	}
	for _, c := range want {
		bounds.SetConfig(r, c)
	}
	es.applied = want
	return true
}

// unfinished returns the lines without a line break so far, in a fixed order.
func (es *events) unfinished() [][]byte {
	var lines [][]byte
	for _, from := range slices.SortedFunc(maps.Keys(es.partial), func(a, b source) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.test, b.test))
	}) {
		lines = append(lines, es.partial[from])
	}
	return lines
}
