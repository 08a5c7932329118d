// Package formattest checks the readers of package format: all in the same way. Start with Dump, which
// shows the records of an input as lines; Fuzz and Grow are in files of their own.
package formattest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/record"
)

// Dump reads text in the format called name and returns its records as lines: configuration and units
// as in the benchmark format, results with their units as written, "error" for a bad line, and "left
// out" for what a reader leaves out. The last line is the error of the whole input, if there is one.
func Dump(t testing.TB, name, text string) string {
	t.Helper()
	f, err := format.ByName(name)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	config := map[string]string{}
	err = f.Read(strings.NewReader(text), "f", func(rec benchfmt.Record) error {
		switch rec := rec.(type) {
		case *benchfmt.Result:
			writeConfig(&out, config, rec.Config)
			fmt.Fprintf(&out, "%s %d", rec.Name, rec.Iters)
			for _, v := range rec.Values {
				value, unit := v.Value, v.Unit
				if v.OrigUnit != "" {
					value, unit = v.OrigValue, v.OrigUnit
				}
				fmt.Fprintf(&out, " %v %s", value, unit)
			}
			out.WriteByte('\n')
		case *benchfmt.UnitMetadata:
			fmt.Fprintf(&out, "Unit %s %s=%s\n", rec.OrigUnit, rec.Key, rec.Value)
		case *benchfmt.SyntaxError:
			fmt.Fprintf(&out, "error %v\n", rec)
		case *reading.LeftOut:
			fmt.Fprintf(&out, "left out f:%d: %s: %s\n", rec.Line, rec.What, rec.Why)
		default:
			t.Errorf("unknown record %T", rec)
		}
		return nil
	})
	if err != nil {
		fmt.Fprintf(&out, "failed %v\n", err)
	}
	return out.String()
}

// writeConfig writes the keys that have changed, except for the one that every foreign result has.
func writeConfig(out *strings.Builder, before map[string]string, now []benchfmt.Config) {
	present := map[string]bool{}
	for _, c := range now {
		present[c.Key] = true
		if before[c.Key] != string(c.Value) && c.Key != record.KeyGOMAXPROCS {
			fmt.Fprintf(out, "%s: %s\n", c.Key, c.Value)
		}
		before[c.Key] = string(c.Value)
	}
	for _, key := range []string{record.KeyPackage, record.KeySuite, "commit", "branch", "commit-time"} {
		if before[key] != "" && !present[key] {
			fmt.Fprintf(out, "%s:\n", key)
			delete(before, key)
		}
	}
}

// Check compares the records of an input with the lines that a person wrote, and checks that the
// format is detected. Blank lines and indentation in want do not count.
func Check(t *testing.T, name, text, want string) {
	t.Helper()
	f, err := format.Detect([]byte(text))
	if forced, _ := format.ByName(name); !forced.Forced && (err != nil || f.Name != name) {
		t.Errorf("detected %q, %v; want %q", f.Name, err, name)
	}
	if got, want := tidy(Dump(t, name, text)), tidy(want); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func tidy(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// results returns the results of an input, or an error.
func results(f format.Format, text []byte) (all []*benchfmt.Result, err error) {
	err = f.Read(bytes.NewReader(text), "f", func(rec benchfmt.Record) error {
		if r, ok := rec.(*benchfmt.Result); ok {
			all = append(all, r.Clone())
		}
		return nil
	})
	return all, err
}
