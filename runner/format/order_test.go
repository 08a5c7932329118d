package format

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// The keys of a JSON object have no order, so a file with all keys in reverse gives the same records.
func TestReversedKeys(t *testing.T) {
	for _, f := range All() {
		text := sampleOf(t, f)
		if f.Forced || !reading.NewHead(text).JSON() {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			turned := reversed(t, text)
			if got, err := Detect(turned); err != nil || got.Name != f.Name {
				t.Errorf("detected %q, %v", got.Name, err)
			}
			want, got := recordsOf(t, f, text), recordsOf(t, f, turned)
			if !slices.Equal(got, want) {
				t.Errorf("reversed, it has the records\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// recordsOf returns the records of an input as sorted lines. A result has its whole configuration.
func recordsOf(t *testing.T, f Format, text []byte) (lines []string) {
	err := f.Read(bytes.NewReader(text), "f", func(rec benchfmt.Record) error {
		switch rec := rec.(type) {
		case *reading.Located:
			lines = append(lines, lineOf(rec.Result))
		case *benchfmt.Result:
			lines = append(lines, lineOf(rec))
		case *benchfmt.UnitMetadata:
			lines = append(lines, fmt.Sprintf("Unit %s %s=%s", rec.OrigUnit, rec.Key, rec.Value))
		case *benchfmt.SyntaxError:
			t.Error(rec)
		case *reading.LeftOut:
			lines = append(lines, fmt.Sprintf("left out %s: %s %t", rec.What, rec.Why, rec.Failed))
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	slices.Sort(lines)
	return lines
}

// lineOf writes a result with its configuration and its values. Their order does not count, except that
// the first value is the one that the others accompany.
func lineOf(r *benchfmt.Result) string {
	var config, more []string
	for _, v := range r.Values[1:] {
		more = append(more, fmt.Sprint(v))
	}
	slices.Sort(more)
	for _, c := range r.Config {
		config = append(config, c.Key+": "+string(c.Value))
	}
	slices.Sort(config)
	return fmt.Sprintf("%s %d %v %q %q", r.Name, r.Iters, r.Values[0], more, config)
}

// reversed returns JSON documents with the keys of all objects in reverse.
func reversed(t *testing.T, text []byte) []byte {
	var out bytes.Buffer
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	for dec.More() {
		reverse(t, dec, &out)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// reverse copies a value.
func reverse(t *testing.T, dec *json.Decoder, out *bytes.Buffer) {
	tok, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	if tok != json.Delim('{') && tok != json.Delim('[') {
		text, err := json.Marshal(tok)
		if err != nil {
			t.Fatal(err)
		}
		out.Write(text)
		return
	}
	var parts []string
	for dec.More() {
		var part bytes.Buffer
		reverse(t, dec, &part)
		if tok == json.Delim('{') {
			part.WriteString(": ")
			reverse(t, dec, &part)
		}
		parts = append(parts, part.String())
	}
	end, err := dec.Token()
	if err != nil {
		t.Fatal(err)
	}
	if tok == json.Delim('{') {
		slices.Reverse(parts)
	}
	fmt.Fprintf(out, "%v%s%v", tok, strings.Join(parts, ", "), end)
}
