package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/modules"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pager"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/sources"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/explanation"
	"github.com/perftrack/perftrack/runner/record"
)

// printable are the formats of --format, which every command with a result has. Those of
// --output that are for the pages of a CI are of commands that measure or judge benchmarks.
var printable = outputs.Formats[:4]

// An output is the --format flag of a command that prints a result, and its --output.
type output struct {
	format string
	cmd    *cobra.Command
	files  []string
	known  []string // formats of --output
}

// addFlag declares the flags of a command. For the pages of a CI, its reports have outcomes.
func (o *output) addFlag(cmd *cobra.Command) { o.declare(cmd, printable) }

// addFlagForCI declares them for a command whose reports have outcomes.
func (o *output) addFlagForCI(cmd *cobra.Command) { o.declare(cmd, outputs.Formats) }

func (o *output) declare(cmd *cobra.Command, known []string) {
	o.cmd, o.known = cmd, known
	cmd.Flags().StringVar(&o.format, "format", "text", "text, markdown, json or csv")
	cmd.Flags().StringArrayVar(&o.files, "output", nil, "also write the result as `FORMAT=FILE`, repeated: "+strings.Join(known, ", "))
}

// check refuses a format or a file that cannot be. From then on the files say how the
// command ended, see [terminal.writeFiles].
func (o *output) check(t *terminal) error {
	t.json = o.format == "json"
	err := oneOf("format", o.format, printable...)
	files, fileErr := outputs.Parse(o.files, o.known, o.cmd.Flags().Args())
	if err = errors.Join(err, fileErr); err == nil {
		t.files, t.command = files, o.cmd.CommandPath()
	}
	return err
}

// print writes the report to stdout in the chosen format, and keeps it for the files.
func (o *output) print(t *terminal, r reports.Report) error {
	return o.printEach(t, always(r))
}

// printFailing prints a report in spite of an error, with which the command ends: JSON says so,
// because who reads that sees no stderr.
func (o *output) printFailing(t *terminal, of func(format string) reports.Report, err error) error {
	f := failureOf(context.Background(), err)
	if f == nil || o.format != "json" {
		return o.printEach(t, of)
	}
	printErr := o.print(t, of(o.format).Failing(*f))
	t.results[len(t.results)-1] = of // the files of --output say it by themselves
	return printErr
}

// always is a report that is the same in all formats.
func always(r reports.Report) func(format string) reports.Report {
	return func(string) reports.Report { return r }
}

// printEach prints a report that is another one in some formats.
func (o *output) printEach(t *terminal, of func(format string) reports.Report) error {
	t.results = append(t.results, of)
	t.printed = true
	return write(t.stdout, o.format, of(o.format), reports.TextOptions{Color: t.colored(), Width: t.width()})
}

// paged prints a report that may be long: on a terminal by the pager that git would use.
func (o *output) paged(ctx context.Context, t *terminal, r reports.Report, plain bool) error {
	if plain || o.format != "text" {
		return o.print(t, r)
	}
	stdout, program := t.pager(ctx)
	if program == "" {
		return o.print(t, r)
	}
	var b bytes.Buffer
	if err := write(&b, o.format, r, reports.TextOptions{Color: t.colored(), Width: t.width()}); err != nil {
		return err
	}
	if !pager.Show(ctx, program, b.Bytes(), stdout, os.Stderr, os.Environ()) {
		return o.print(t, r)
	}
	t.results, t.printed = append(t.results, always(r)), true
	return nil
}

// write writes a report in a format.
func write(w io.Writer, format string, r reports.Report, opt reports.TextOptions) error {
	switch format {
	case "markdown":
		return reports.Markdown(w, r)
	case "json":
		return reports.JSON(w, r)
	case "csv":
		return reports.CSV(w, r)
	case "junit":
		return reports.JUnit(w, r)
	case "codequality":
		return reports.CodeQuality(w, r)
	case "sarif":
		return reports.SARIF(w, r)
	}
	return reports.Text(w, r, opt)
}

// printExplained prints a report and below it where its differences come from. As
// explaining takes its time, the report comes first wherever that is not one document.
func (o *output) printExplained(t *terminal, of func(format string) reports.Report, explain func() []*explanation.Explanation) error {
	var all []*explanation.Explanation
	attached := func(format string) reports.Report { return explanation.Attach(of(format), all...) }
	if o.format == "json" {
		t.results = append(t.results, of) // for the files, should this be the end
		all = explain()
		t.clearStatus()
		t.results = t.results[:len(t.results)-1]
		err := o.printEach(t, attached)
		if len(all) > 0 {
			t.results = append(t.results, always(explanation.Report(all...)))
		}
		return err
	}
	if err := o.printEach(t, attached); err != nil {
		return err
	}
	all = explain()
	t.clearStatus()
	if len(all) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(t.stdout); err != nil {
		return err
	}
	if err := o.print(t, explanation.Report(all...)); err != nil || o.format != "text" {
		return err
	}
	return o.again(t, of(o.format)) // what it explains has pushed that off the screen
}

// again says the summary of a report once more.
func (o *output) again(t *terminal, r reports.Report) error {
	if r.Terminal != nil {
		r = r.Terminal()
	}
	if _, err := fmt.Fprintln(t.stdout); err != nil {
		return err
	}
	return reports.Text(t.stdout, reports.Report{Summary: r.Summary, Tone: r.Tone}, reports.TextOptions{Color: t.colored(), Width: t.width()})
}

// writeFiles writes the files of --output, whatever the command ended with: that is said in
// each of them, unless it is a verdict that they show. If one of them cannot be written, the
// others say that. It returns what the command is to end with.
func (t *terminal) writeFiles(ctx context.Context, err error) error {
	failure := failureOf(ctx, err)
	var gate gateError
	regressed := errors.As(err, &gate)
	written, lost := t.writeAll(t.files, failure, regressed)
	if lost != nil && failure == nil { // then those that could be written say so
		_, again := t.writeAll(written, failureOf(ctx, lost), regressed)
		lost = errors.Join(lost, again)
	}
	if regressed && lost != nil {
		return lost // a verdict that nobody gets to see is none
	}
	return errors.Join(err, lost)
}

// writeAll writes each of the files, and returns those that could be written.
func (t *terminal) writeAll(files []outputs.File, failure *reports.Failure, gated bool) (written []outputs.File, lost error) {
	for _, f := range files {
		text, err := t.render(f.Format, failure, gated)
		if err == nil {
			err = f.Write(text)
		}
		if err != nil {
			lost = errors.Join(lost, err)
			continue
		}
		written = append(written, f)
	}
	return written, lost
}

// render returns what goes into a file of the format: all reports where people read it,
// else the first one, which is what the command is for. Whatever a gate tripped on, a file
// for a CI shows no success.
func (t *terminal) render(format string, failure *reports.Failure, gated bool) ([]byte, error) {
	shown := []reports.Report{{Title: t.command}}
	if len(t.results) > 0 {
		shown = shown[:0]
		for _, of := range t.results {
			shown = append(shown, of(format))
		}
	}
	if format != "text" && format != "markdown" {
		shown = shown[:1]
	}
	if of := shown[0].Outcomes; gated && failure == nil && of != nil && !slices.ContainsFunc(of(), reports.Outcome.Gates) {
		failure = &reports.Failure{Kind: "gate", Message: "the gate tripped on what is not listed here: see the report"}
	}
	if t.places != nil && slices.Contains(outputs.Formats[len(printable):], format) {
		shown[0].Where = t.places()
	}
	var b bytes.Buffer
	for i, r := range shown {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == len(shown)-1 && failure != nil {
			r = r.Failing(*failure)
		}
		if err := write(&b, format, r, reports.TextOptions{}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// failureOf is what a command failed with, in the words of its message; nil where it did
// what was asked, and where what it prints says it all.
func failureOf(ctx context.Context, err error) *reports.Failure {
	var gate gateError
	verdict := errors.As(err, &gate)
	switch {
	case err == nil, verdict && gate.code == exitRegression:
		return nil
	case verdict:
		return &reports.Failure{Kind: "strict", Message: "something is inconclusive, suspect, failed or missing, and --strict asks for all"}
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return &reports.Failure{Kind: "interrupted", Message: "interrupted" + besidesCancel(err)}
	}
	return &reports.Failure{Kind: kindOf(err), Message: err.Error()}
}

// placesOf returns a function that says where a benchmark is declared in the work tree, nil
// where the user stands in none.
func placesOf(ctx context.Context, a *workspace.Session) func(target string, id record.BenchmarkID) reports.Place {
	where, _ := a.LocateUnconfigured(ctx)
	root := modules.FindRoot(where.Dir)
	if where.Repo != nil {
		root = where.Repo.Root()
	}
	if root == "" {
		return nil
	}
	return sources.Open(os.DirFS(root)).Place
}
