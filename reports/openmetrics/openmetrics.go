// Package openmetrics writes text in the format of OpenMetrics 1.0, which Prometheus and its kin
// read. Package reports/current writes the medians of benchmarks with it, and perftrack serve adds
// the metrics of its queue.
package openmetrics

import (
	"math"
	"strconv"
	"strings"
)

// The kinds of families that perftrack writes.
const (
	Gauge = "gauge"
	Info  = "info"
)

// A Family describes samples of one kind. If it has a unit, its name must end with the unit.
type Family struct {
	Name string
	Kind string // Gauge or Info
	Unit string // "" for none
	Help string
}

// A Writer writes families, one after the other. The zero value is ready to use.
type Writer struct {
	b   strings.Builder
	now Family
}

// Family begins a family. All samples up to the next one belong to it.
func (w *Writer) Family(f Family) {
	w.now = f
	w.b.WriteString("# HELP " + f.Name + " " + escaper.Replace(f.Help) + "\n# TYPE " + f.Name + " " + f.Kind + "\n")
	if f.Unit != "" {
		w.b.WriteString("# UNIT " + f.Name + " " + f.Unit + "\n")
	}
}

// Sample writes a value of the current family. The labels alternate between names and values.
func (w *Writer) Sample(value float64, labels ...string) {
	w.b.WriteString(w.now.Name)
	if w.now.Kind == Info {
		w.b.WriteString("_info")
	}
	for i := 0; i < len(labels); i += 2 {
		w.b.WriteString([]string{"{", ","}[min(i, 1)] + labels[i] + `="` + escaper.Replace(strings.ToValidUTF8(labels[i+1], "\uFFFD")) + `"`)
	}
	if len(labels) > 0 {
		w.b.WriteString("}")
	}
	w.b.WriteString(" " + number(value) + "\n")
}

// Append writes families that another Writer wrote.
func (w *Writer) Append(families string) { w.b.WriteString(families) }

// Families returns the text of the families without its end, for [Writer.Append].
func (w *Writer) Families() string { return w.b.String() }

// Text returns the whole text with its end. A text without families is valid, too.
func (w *Writer) Text() []byte { return []byte(w.b.String() + "# EOF\n") }

// number writes integers in full, and other numbers in the shortest form that reads back equal.
func number(value float64) string {
	if value == math.Trunc(value) && math.Abs(value) < 1<<53 {
		return strconv.FormatFloat(value, 'f', -1, 64)
	}
	return strconv.FormatFloat(value, 'g', -1, 64)
}

// escaper escapes the characters that a label or a help text cannot contain.
var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, `"`, `\"`)
