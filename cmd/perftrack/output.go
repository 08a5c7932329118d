package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/explanation"
)

// An output is the --format flag of a command that prints a result.
type output struct{ format string }

func (o *output) addFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&o.format, "format", "text", "text, markdown, json or csv")
}

func (o *output) check(t *terminal) error {
	t.json = o.format == "json"
	return oneOf("format", o.format, "text", "markdown", "json", "csv")
}

// print writes the report to stdout in the chosen format.
func (o *output) print(t *terminal, r reports.Report) error {
	t.printed = true
	switch o.format {
	case "markdown":
		return reports.Markdown(t.stdout, r)
	case "json":
		return reports.JSON(t.stdout, r)
	case "csv":
		return reports.CSV(t.stdout, r)
	}
	return reports.Text(t.stdout, r, reports.TextOptions{Color: t.colored(), Width: t.width()})
}

// printExplained prints a report and below it where its differences come from. As
// explaining takes its time, the report comes first wherever that is not one document.
func (o *output) printExplained(t *terminal, r reports.Report, explain func() []*explanation.Explanation) error {
	if o.format == "json" {
		all := explain()
		t.clearStatus()
		return o.print(t, explanation.Attach(r, all...))
	}
	if err := o.print(t, r); err != nil {
		return err
	}
	all := explain()
	t.clearStatus()
	if len(all) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(t.stdout); err != nil {
		return err
	}
	return o.print(t, explanation.Report(all...))
}
