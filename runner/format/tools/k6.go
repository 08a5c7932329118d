package tools

import (
	"io"
	"math"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// K6 is the summary of k6 in all its forms: --summary-export, the data that handleSummary gets, and the
// machine-readable summary with a list of metrics. A trend is a summary without the number of samples;
// rates and counters are values.
var K6 = reading.Format{
	Name:        "k6",
	Description: "summary of k6: trends such as http_req_duration, rates, counters",
	Tool:        "k6 run --summary-export FILE, or handleSummary with JSON.stringify(data)",
	Yields:      reading.Summaries,
	Detect:      detectK6,
	Read:        readK6,
}

// detectK6 does without one of the parts, because the order of keys is random and a part may be longer
// than the head.
func detectK6(h *reading.Head) bool {
	return h.Has("root_group:object") && (h.Has("root_group.groups") || h.Has("root_group.checks")) ||
		h.Has("metrics.*.contains:string") && h.Has("metrics.*.values:object") ||
		h.Has("results.metrics[].contains:string") && h.Has("results.metrics[].values:object")
}

func readK6(r io.Reader, fileName string, emit func(benchfmt.Record) error) error {
	return reading.ReadJSON(r, fileName, emit, func(d *reading.Document) error {
		k := &k6{Document: d, units: map[[2]string]string{}}
		return k.Object(func(key string) error {
			switch key {
			case "metrics":
				return k.Object(k.metric)
			case "results":
				return k.Object(k.results)
			case "metadata":
				return k.metadata()
			}
			return k.Skip()
		})
	})
}

type k6 struct {
	*reading.Document
	m     k6Metric
	units map[[2]string]string // by figure and unit of the trend
}

// A k6Metric is a metric. Its figures are names such as avg and p(95) with values.
type k6Metric struct {
	line           int
	name           string
	kind, contains string // "" in the form of --summary-export
	figures        []k6Figure
}

type k6Figure struct {
	name string
	v    float64
}

// Limits on the figures of a metric that are kept: their number, and the length of a name.
const (
	maxFigures = 64
	maxFigure  = 64
)

func (k *k6) metadata() error {
	return k.Object(func(key string) error {
		if key != "k6Version" {
			return k.Skip()
		}
		version, err := k.Text()
		k.Fact("k6-version", version)
		return err
	})
}

// results reads the results of the machine-readable form, whose metrics are a list.
func (k *k6) results(key string) error {
	if key != "metrics" {
		return k.Skip()
	}
	return k.Array(func() error { return k.metric("") })
}

func (k *k6) metric(name string) error {
	k.m = k6Metric{name: name, figures: k.m.figures[:0]}
	if err := k.Object(k.member); err != nil {
		return err
	}
	k.m.line = k.Line()
	return k.emit()
}

func (k *k6) member(key string) (err error) {
	m := &k.m
	switch {
	case key == "name" && k.Next() == '"':
		m.name, err = k.Text()
	case key == "type" && k.Next() == '"':
		m.kind, err = k.Text()
	case key == "contains" && k.Next() == '"':
		m.contains, err = k.Text()
	case key == "values":
		err = k.Object(k.member)
	case k.Next() == '0' && len(m.figures) < maxFigures && len(key) <= maxFigure:
		var v float64
		v, err = k.Number()
		m.figures = append(m.figures, k6Figure{key, v})
	default: // thresholds are rules of k6's own
		err = k.Skip()
	}
	return err
}

// figure returns a figure, or NaN.
func (m *k6Metric) figure(name string) float64 {
	for _, f := range m.figures {
		if f.name == name {
			return f.v
		}
	}
	return math.NaN()
}

// kindOf returns the kind of a metric, by its figures if it is not stated.
func (m *k6Metric) kindOf() string {
	has := func(name string) bool { return !math.IsNaN(m.figure(name)) }
	switch {
	case m.kind != "":
		return m.kind
	case has("passes") || has("fails"):
		return "rate"
	case has("count") && has("rate"):
		return "counter"
	case has("value"):
		return "gauge"
	}
	return "trend"
}

func (k *k6) emit() error {
	m := &k.m
	switch m.kindOf() {
	case "trend":
		return k.trend()
	case "rate":
		return k.rate()
	case "counter":
		return k.counter()
	}
	if m.name == "vus" || m.name == "vus_max" {
		return nil // the load, which is no result
	}
	return k.value(reading.Value{V: m.figure("value"), Unit: "value"})
}

// timed begin the names of k6's own trends that are times. The form of --summary-export does not say
// what a trend contains.
var timed = []string{"http_req_", "iteration_duration", "group_duration", "ws_connecting", "ws_session_duration", "ws_ping", "grpc_req_duration", "browser_http_req_duration",
	"browser_web_vital_fcp", "browser_web_vital_fid", "browser_web_vital_inp", "browser_web_vital_lcp", "browser_web_vital_ttfb"}

// unit returns the unit of a trend. Times are always in milliseconds.
func (m *k6Metric) unit() reading.Unit {
	isTime := m.contains == "time"
	for _, begin := range timed {
		isTime = isTime || m.contains == "" && strings.HasPrefix(m.name, begin)
	}
	switch {
	case isTime:
		return reading.UnitOf("ms")
	case m.contains == "data":
		return reading.Unit{Go: "B/op", Factor: 1, From: "B"}
	}
	return reading.Unit{Go: "value", Factor: 1}
}

// trend emits a trend: its mean or, if the script does not ask for it, another figure.
func (k *k6) trend() error {
	m := &k.m
	unit := m.unit()
	row := reading.Row{Line: m.line, Name: m.name}
	center := "avg"
	if math.IsNaN(m.figure(center)) {
		center = "med"
	}
	if v := m.figure(center); !math.IsNaN(v) {
		row.Values = append(row.Values, unit.Value(v))
	}
	spread := reading.NoSpread()
	for _, f := range m.figures {
		if f.name == "count" {
			spread.N = reading.Count(f.v)
		}
		name, err := k.unitOf(f.name, unit.Go)
		if err != nil {
			return err
		}
		if name != "" && f.name != center {
			row.Values = append(row.Values, reading.Value{V: unit.Value(f.v).V, Unit: name})
		}
	}
	if len(row.Values) == 0 {
		return k.LeaveOut(m.line, m.name, "it has no figures")
	}
	return k.Summary(row, spread)
}

// unitOf returns the unit of a figure, such as p95-ns/op for p(95), and declares it. It returns "" for a
// figure that is none of the distribution.
func (k *k6) unitOf(figure, unit string) (string, error) {
	key := [2]string{figure, unit}
	if known, ok := k.units[key]; ok {
		return known, nil
	}
	name := map[string]string{"min": "min", "med": "p50", "max": "max"}[figure]
	if p, ok := strings.CutPrefix(figure, "p("); ok {
		name = "p" + strings.TrimSuffix(p, ")")
	}
	if name != "" {
		name += "-" + unit
	}
	if len(k.units) < maxFigures {
		k.units[key] = name
	}
	if name == "" || unit != "ns/op" {
		return name, nil
	}
	return name, k.Declare(name, "lower")
}

// rate emits the share of true values. The names of units say which direction is better.
func (k *k6) rate() error {
	v := k.m.figure("rate")
	if math.IsNaN(v) {
		v = k.m.figure("value") // in the form of --summary-export
	}
	unit, better := "ratio", ""
	switch name, _, _ := strings.Cut(k.m.name, "{"); name {
	case "checks":
		unit, better = "passed-ratio", "higher"
	case "http_req_failed":
		unit, better = "failed-ratio", "lower"
	}
	if better != "" {
		if err := k.Declare(unit, better); err != nil {
			return err
		}
	}
	return k.value(reading.Value{V: v, Unit: unit})
}

// counter emits a counter for each second, because the count depends on how long the test ran.
func (k *k6) counter() error {
	unit := "count/s"
	switch name, _, _ := strings.Cut(k.m.name, "{"); name {
	case "http_reqs":
		unit = "req/s"
	case "iterations":
		unit = "ops/s"
	case "data_received", "data_sent":
		unit = "bytes/s" // not B/s, because more is not better
	}
	if v := k.m.figure("rate"); !math.IsNaN(v) {
		return k.value(reading.Value{V: v, Unit: unit})
	}
	return k.value(reading.Value{V: k.m.figure("count"), Unit: "count"}) // in the machine-readable form
}

func (k *k6) value(v reading.Value) error {
	if math.IsNaN(v.V) {
		return k.LeaveOut(k.m.line, k.m.name, "it has no figures")
	}
	return k.Result(reading.Row{Line: k.m.line, Name: k.m.name, Values: []reading.Value{v}})
}
