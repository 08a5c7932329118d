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

// event is a line of `go test -json`, of which only output matters here.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// parseEvent reads an event as go test -json and test2json print it; ok is false for
// any other line.
func parseEvent(line []byte) (event, bool) {
	if len(line) < 2 || line[0] != '{' || line[len(line)-1] != '}' || !bytes.Contains(line, []byte(`"Action":`)) {
		return event{}, false
	}
	var e event // not a named result: that would be allocated for every line
	err := json.Unmarshal(line, &e)
	return e, err == nil && e.Action != ""
}

// events puts the output of go test -json together again: a benchmark's name and its
// result can come in two events, and the events of several packages can be mixed,
// while a configuration line holds for the package that printed it.
type events struct {
	partial map[source][]byte // what a source has printed since its last line break
	config  map[string][]benchfmt.Config
	current string            // package of the line that was joined last
	applied []benchfmt.Config // what configure has set on the reader's result
}

type source struct{ pkg, test string }

// join returns the line that e completes, if any. An event ends at the first line
// break, as test2json makes it.
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

// setConfig takes over a configuration line of the current package, and reports whether
// line is one.
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

// configure gives a result the configuration of the package that printed it. The
// reader keeps what is set on its result, as if it had read the lines itself.
func (es *events) configure(r *benchfmt.Result) {
	if es.partial == nil {
		return // no event so far: this is plain text
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
}

// unfinished returns the lines that got no line break, in a fixed order.
func (es *events) unfinished() [][]byte {
	var lines [][]byte
	for _, from := range slices.SortedFunc(maps.Keys(es.partial), func(a, b source) int {
		return cmp.Or(cmp.Compare(a.pkg, b.pkg), cmp.Compare(a.test, b.test))
	}) {
		lines = append(lines, es.partial[from])
	}
	return lines
}
