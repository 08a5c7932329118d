package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/format/reading"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/program"
)

// goFormat is the format of a program whose output shows no other.
const goFormat = "gobench"

// formatOf returns the name of the format of an output: the declared one, or else the one that its
// beginning shows. An output that may be in several formats is an error.
func formatOf(declared string, text []byte) (string, error) {
	if declared != "" {
		return declared, nil
	}
	f, err := format.Detect(text)
	if errors.As(err, new(*reading.AmbiguousError)) {
		return "", err
	}
	if err != nil {
		return goFormat, nil // it may be a log without results
	}
	return f.Name, nil
}

// readAs reads a text in the declared format, or in the one that it shows.
func readAs(declared string, text []byte, label string, emit func(benchfmt.Record) error) error {
	name, err := formatOf(declared, text)
	if err != nil {
		return fmt.Errorf("read %s: %w", label, err)
	}
	return format.Read(name, text, label, emit)
}

// clearResults removes what earlier processes of the program wrote, and reports whether the program
// writes its results instead of printing them.
func clearResults(prog program.Program) (bool, error) {
	w, ok := prog.(program.Writer)
	if !ok {
		return false, nil
	}
	return w.ClearResults()
}

// readWritten reads the results that the program wrote.
func (o *output) readWritten(prog program.Program) error {
	file := func(fsys fs.FS, name string) error {
		text, err := readFile(fsys, name)
		if err != nil {
			return err
		}
		o.texts = append(o.texts, text)
		return readAs(prog.Format(), text, name, o.add)
	}
	folder := func(fsys fs.FS, name string) error { return format.ReadFolder(fsys, name, o.add) }
	return prog.(program.Writer).ReadResults(file, folder)
}

// readFile reads a file up to the limit for an input.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > bounds.MaxInput {
		return nil, fmt.Errorf("%s: input is larger than the limit of %d MiB", name, bounds.MaxInput>>20)
	}
	return fs.ReadFile(fsys, name)
}

// readPrinted reads what the process printed, and returns the text without what a cleaner removed.
func (o *output) readPrinted(text []byte) []byte {
	prog := o.m.programs[o.side]
	if c, ok := prog.(cleaner); ok {
		text, o.wrong = c.Clean(o.slot, text)
	}
	o.texts = append(o.texts, text)
	o.note(readAs(prog.Format(), text, o.slot.String(), o.add))
	return text
}

// looksLike returns the format of the results if it is certainly another than the declared one, or "".
func (o *output) looksLike() string {
	for _, text := range o.texts {
		if declared := o.m.Target.Format; declared != "" {
			if other := format.Other(declared, text); other != "" {
				return other
			}
		}
	}
	return ""
}

// leaveOut records that a benchmark failed, by the harness's own account. The others count.
func (o *output) leaveOut(rec *reading.LeftOut) {
	if rec.Failed {
		o.m.fail(o.side, program.Slot{Bench: rec.What}, rec.Why)
		o.filtered = true
	}
}

// note keeps the first error of reading.
func (o *output) note(err error) {
	if o.bad == nil {
		o.bad = err
	}
}

// reduce makes one sample of a benchmark's repetitions in a process.
func (o *output) reduce() {
	if o.m.Target.Kind == config.Command && o.m.Profile == "" {
		o.results = perProcess(o.results)
	}
}

// printedBy returns what a process printed, in whole lines if it was killed.
func printedBy(res proc.Result) []byte {
	if res.TimedOut || res.Canceled {
		return wholeLines(res.Stdout)
	}
	return res.Stdout
}

// wholeLines cuts off an incomplete last line, whose last number may be cut, too.
func wholeLines(text []byte) []byte { return text[:bytes.LastIndexByte(text, '\n')+1] }

// nothing describes a process of a whole target that succeeded without results.
func (o *output) nothing() string {
	t := o.m.Target
	other := o.looksLike()
	switch {
	case other != "":
		return fmt.Sprintf("its results look like %s, but perftrack.toml declares the format %s", other, t.Format)
	case len(t.Results) > 0:
		return "wrote no benchmark results to " + strings.Join(t.Results, ", ")
	case t.Format == "":
		return "printed nothing in a known format, such as BenchmarkX 100 1234 ns/op: name its format in perftrack.toml, or the files that it writes as results"
	}
	return "printed nothing in the format " + t.Format
}
