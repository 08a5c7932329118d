package current

import (
	"bytes"
	"encoding/json"
	"strings"
)

// The limits of Bencher for names.
const (
	bencherNameLen    = 1024 // of a benchmark
	bencherMeasureLen = 64   // of the slug of a measure
)

// A metric is a value in Bencher Metric Format.
type metric struct {
	Value float64  `json:"value"`
	Lower *float64 `json:"lower_value,omitempty"`
	Upper *float64 `json:"upper_value,omitempty"`
}

// Bencher writes values in Bencher Metric Format. left has a sentence for each reason why values
// were left out.
func Bencher(values []Value) (text []byte, left []string, err error) {
	benchmarks := map[string]map[string]metric{} // encoding/json sorts the keys
	var out tally
	for i := range values {
		v := &values[i]
		name := v.fullName()
		measure, scale := measureOf(v.Unit)
		what := name + " in " + v.Unit
		switch _, taken := benchmarks[name][measure]; {
		case len(name) > bencherNameLen:
			out.add("Bencher's names have at most 1024 bytes", what)
			continue
		case taken:
			out.add("another value has the same name and measure", what)
			continue
		}
		m := metric{Value: v.Center * scale}
		if !finite(m.Value) {
			out.add("too large", what)
			continue
		}
		if v.bounded() {
			lower, upper := v.Lo*scale, v.Hi*scale
			m.Lower, m.Upper = &lower, &upper
		}
		if benchmarks[name] == nil {
			benchmarks[name] = map[string]metric{}
		}
		benchmarks[name][measure] = m
	}
	text, err = marshal(benchmarks)
	return text, out.notes(), err
}

// measureOf returns the slug of the measure for a unit and the scale of its values. Bencher has two
// measures of its own: latency in nanoseconds and throughput in operations per second.
func measureOf(unit string) (slug string, scale float64) {
	switch unit {
	case "ns/op":
		return "latency", 1
	case "sec/op":
		return "latency", 1e9
	case "ops/s":
		return "throughput", 1
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(unit), func(c rune) bool { return (c < 'a' || c > 'z') && (c < '0' || c > '9') }) {
		b.WriteString("-" + word)
	}
	slug = strings.TrimPrefix(b.String(), "-")
	if slug == "" {
		slug = "other"
	}
	return strings.TrimSuffix(slug[:min(len(slug), bencherMeasureLen)], "-"), 1
}

// marshal writes JSON for a file: indented, without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}
