package console

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

	"github.com/perftrack/perftrack/cmd/perftrack/internal/completion"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/outputs"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pager"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/ci"
	"github.com/perftrack/perftrack/reports/explanation"
)

// printable lists the values of --format, accepted by all commands with a result. The remaining
// formats are meant for CI systems' own pages and can only be written to files.
var printable = outputs.Formats[:4]

// An Output holds the values of --format and --output.
type Output struct {
	Format string
	cmd    *cobra.Command
	Files  []string
	known  []string // formats allowed for --output
}

// AddFlag declares --format and --output with the formats of every report.
func (o *Output) AddFlag(cmd *cobra.Command) { o.declare(cmd, printable) }

// AddFlagForCI declares --format and --output with all formats. The command's reports must have
// outcomes, because the formats for CI systems show them.
func (o *Output) AddFlagForCI(cmd *cobra.Command) { o.declare(cmd, outputs.Formats) }

func (o *Output) declare(cmd *cobra.Command, known []string) {
	o.cmd, o.known = cmd, known
	cmd.Flags().StringVar(&o.Format, "format", "text", "text, markdown, json or csv")
	cmd.Flags().StringArrayVar(&o.Files, "output", nil, "also write the result as `FORMAT=FILE` (repeatable): "+strings.Join(known, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", completion.Output(known)) // fails only for unknown flags
}

// Check returns an error for unknown formats and unsuitable files. If it returns nil,
// [Console.WriteFiles] will write the command's result to the files.
func (o *Output) Check(t *Console) error {
	t.JSON = o.Format == "json"
	err := helptext.OneOf("format", o.Format, printable...)
	files, fileErr := outputs.Parse(o.Files, o.known, o.cmd.Flags().Args())
	if err = errors.Join(err, fileErr); err == nil {
		t.Files, t.Command = files, o.cmd.CommandPath()
	}
	return err
}

// Print writes the report to stdout in the chosen format and keeps it for the --output files.
func (o *Output) Print(t *Console, r reports.Report) error {
	return o.PrintEach(t, Always(r))
}

// PrintFailing prints the report of a command that fails with err. JSON output includes the error,
// because its readers do not see stderr.
func (o *Output) PrintFailing(t *Console, of func(format string) reports.Report, err error) error {
	f := FailureOf(context.Background(), err)
	if f == nil || o.Format != "json" {
		return o.PrintEach(t, of)
	}
	printErr := o.Print(t, of(o.Format).Failing(*f))
	t.Results[len(t.Results)-1] = of // WriteFiles adds the error itself
	return printErr
}

// Always returns a function that returns r for every format.
func Always(r reports.Report) func(format string) reports.Report {
	return func(string) reports.Report { return r }
}

// PrintEach prints a report with different content for each format.
func (o *Output) PrintEach(t *Console, of func(format string) reports.Report) error {
	t.Results = append(t.Results, of)
	t.printed = true
	return Write(t.Stdout, o.Format, of(o.Format), reports.TextOptions{Color: t.colored(), Width: t.width()})
}

// Paged prints a long report. On a terminal, it uses the user's pager unless plain is set.
func (o *Output) Paged(ctx context.Context, t *Console, r reports.Report, plain bool) error {
	if plain || o.Format != "text" {
		return o.Print(t, r)
	}
	stdout, program := t.pager(ctx)
	if program == "" {
		return o.Print(t, r)
	}
	var b bytes.Buffer
	if err := Write(&b, o.Format, r, reports.TextOptions{Color: t.colored(), Width: t.width()}); err != nil {
		return err
	}
	if !pager.Show(ctx, program, b.Bytes(), stdout, os.Stderr, os.Environ()) {
		return o.Print(t, r)
	}
	t.Results, t.printed = append(t.Results, Always(r)), true
	return nil
}

// Write writes r to w in the given format.
func Write(w io.Writer, format string, r reports.Report, opt reports.TextOptions) error {
	switch format {
	case "markdown":
		return reports.Markdown(w, r)
	case "json":
		return reports.JSON(w, r)
	case "csv":
		return reports.CSV(w, r)
	case "junit":
		return ci.JUnit(w, r)
	case "codequality":
		return ci.CodeQuality(w, r)
	case "sarif":
		return ci.SARIF(w, r)
	}
	return reports.Text(w, r, opt)
}

// PrintExplained prints a report and then its explanations, which take a while to compute. JSON
// must be a single document, so it is printed only when the explanations are complete.
func (o *Output) PrintExplained(t *Console, of func(format string) reports.Report, explain func() []*explanation.Explanation) error {
	var all []*explanation.Explanation
	attached := func(format string) reports.Report { return explanation.Attach(of(format), all...) }
	if o.Format == "json" {
		t.Results = append(t.Results, of) // so the files contain the report even if explain does not return
		all = explain()
		t.ClearStatus()
		t.Results = t.Results[:len(t.Results)-1]
		err := o.PrintEach(t, attached)
		if len(all) > 0 {
			t.Results = append(t.Results, Always(explanation.Report(all...)))
		}
		return err
	}
	if err := o.PrintEach(t, attached); err != nil {
		return err
	}
	all = explain()
	t.ClearStatus()
	if len(all) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(t.Stdout); err != nil {
		return err
	}
	if err := o.Print(t, explanation.Report(all...)); err != nil || o.Format != "text" {
		return err
	}
	return o.again(t, of(o.Format)) // the explanations pushed the summary off the screen
}

// again prints the summary of a report once more.
func (o *Output) again(t *Console, r reports.Report) error {
	if r.Terminal != nil {
		r = r.Terminal()
	}
	if _, err := fmt.Fprintln(t.Stdout); err != nil {
		return err
	}
	return reports.Text(t.Stdout, reports.Report{Summary: r.Summary, Tone: r.Tone}, reports.TextOptions{Color: t.colored(), Width: t.width()})
}

// WriteFiles writes every --output file, with the command's error if it failed. If a file cannot be
// written, WriteFiles adds this error to the other files and returns it, joined with err. If err is
// only a verdict, the new error replaces it.
func (t *Console) WriteFiles(ctx context.Context, err error) error {
	failure := FailureOf(ctx, err)
	var gate GateError
	regressed := errors.As(err, &gate)
	written, lost := t.writeAll(t.Files, failure, regressed)
	if lost != nil && failure == nil { // also report the error in the files that could be written
		_, again := t.writeAll(written, FailureOf(ctx, lost), regressed)
		lost = errors.Join(lost, again)
	}
	if regressed && lost != nil {
		return lost // the error replaces the verdict
	}
	return errors.Join(err, lost)
}

// writeAll writes the files. It returns the written files and an error about the others.
func (t *Console) writeAll(files []outputs.File, failure *reports.Failure, gated bool) (written []outputs.File, lost error) {
	for _, f := range files {
		text, err := t.Render(f.Format, failure, gated)
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

// Render returns the content of an --output file. Text and Markdown files contain all reports;
// files in other formats contain only the first one, the command's result. If the gate failed, no
// file for a CI system shows a success.
func (t *Console) Render(format string, failure *reports.Failure, gated bool) ([]byte, error) {
	shown := []reports.Report{{Title: t.Command}}
	if len(t.Results) > 0 {
		shown = shown[:0]
		for _, of := range t.Results {
			shown = append(shown, of(format))
		}
	}
	if format != "text" && format != "markdown" {
		shown = shown[:1]
	}
	if of := shown[0].Outcomes; gated && failure == nil && of != nil && !slices.ContainsFunc(of(), reports.Outcome.Gates) {
		failure = &reports.Failure{Kind: "gate", Message: "the gate failed for a reason not listed here: see the report"}
	}
	if t.Places != nil && slices.Contains(outputs.Formats[len(printable):], format) {
		shown[0].Where = t.Places()
	}
	var b bytes.Buffer
	for i, r := range shown {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == len(shown)-1 && failure != nil {
			r = r.Failing(*failure)
		}
		if err := Write(&b, format, r, reports.TextOptions{}); err != nil {
			return nil, err
		}
	}
	return b.Bytes(), nil
}

// FailureOf describes a command's failure, using the text of its error message. It returns nil if
// the command succeeded or if its report shows the verdict.
func FailureOf(ctx context.Context, err error) *reports.Failure {
	var gate GateError
	verdict := errors.As(err, &gate)
	switch {
	case err == nil, verdict && gate.Code == ExitRegression:
		return nil
	case verdict:
		return &reports.Failure{Kind: "strict", Message: "something is inconclusive, suspect, failed or missing, which --strict does not allow"}
	case ctx.Err() != nil || errors.Is(err, context.Canceled):
		return &reports.Failure{Kind: "interrupted", Message: "interrupted" + BesidesCancel(err)}
	}
	return &reports.Failure{Kind: kindOf(err), Message: err.Error()}
}
