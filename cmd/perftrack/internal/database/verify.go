package database

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/store"
)

func newVerify(p Program) *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Check that the database is whole",
		Long: `Check that the database is whole.

verify checks SQLite's integrity and foreign keys, every run against its id, the hash of
its content, and the summary of every benchmark against its runs. It names what is
damaged and exits 2.

--repair recounts the summaries if nothing else is wrong. A summary with too many runs
is a sign of lost ones: perftrack db rebuild brings back those that git has.`,
		Example: `  perftrack db verify
  perftrack db verify --repair`,
		Args: cobra.NoArgs,
		RunE: p.run(func(cmd *cobra.Command, a *workspace.Session, _ []string) error {
			v, err := verify(cmd.Context(), p, a)
			if err != nil {
				return err
			}
			if err := printFaults(p.Term.Stdout, v); err != nil {
				return err
			}
			if repair && v.Repairable() {
				return repairAndVerify(cmd.Context(), p, a)
			}
			return verdict(p, a, v)
		}),
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "recount the summaries of benchmarks")
	return cmd
}

// verify checks the database and shows the progress.
func verify(ctx context.Context, p Program, a *workspace.Session) (v store.Verification, err error) {
	db, err := a.OpenForReading(ctx)
	if err != nil {
		return v, err
	}
	p.Term.Activity("checking the structure of the database", false, true)
	defer p.Term.ClearStatus()
	v, err = db.VerifyReporting(ctx, func(done, of int) {
		if done == 1 {
			p.Term.ClearStatus()
		}
		p.Term.Reading("checking runs", done, of)
	})
	return v, errors.Join(err, db.Close())
}

// printFaults prints one line for each fault.
func printFaults(w io.Writer, v store.Verification) error {
	var lines []string
	lines = append(append(lines, v.Problems...), v.Summaries...)
	for _, b := range v.Bad {
		lines = append(lines, fmt.Sprintf("run %s: %s", b.ID, strings.TrimPrefix(b.Err.Error(), "run "+b.ID+": ")))
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, reports.WrapMessage(line, 0)); err != nil {
			return err
		}
	}
	return nil
}

// verdict prints a line about an undamaged database, or returns an error about a damaged one.
func verdict(p Program, a *workspace.Session, v store.Verification) error {
	if v.OK() {
		_, err := fmt.Fprintf(p.Term.Stdout, "ok: %s, %s\n", reports.Plural(v.Runs, "run"), reports.Plural(v.Samples, "sample"))
		return err
	}
	d, err := a.Database(context.Background())
	if err != nil {
		return err
	}
	if v.Repairable() {
		return fault.Data(fmt.Errorf("verify %s: all runs are whole, but the summaries of %s are wrong: recount them with `perftrack db verify --repair`",
			d.Name, reports.Plural(len(v.Summaries), "benchmark")))
	}
	return fault.Data(fmt.Errorf("verify %s: %s: %s", d.Name, reports.Plural(len(v.Problems)+len(v.Bad)+len(v.Summaries), "problem"), workspace.Remedy(d.Name)))
}

// repairAndVerify recounts the summaries and checks the database again.
func repairAndVerify(ctx context.Context, p Program, a *workspace.Session) error {
	db, _, err := a.OpenForWriting(ctx)
	if err != nil {
		return err
	}
	n, err := db.Repair(ctx)
	if err = errors.Join(err, db.Close()); err != nil {
		return fault.IO(err)
	}
	if _, err := fmt.Fprintf(p.Term.Stdout, "recounted: the summaries of %s were wrong\n", reports.Plural(n, "benchmark")); err != nil {
		return err
	}
	v, err := verify(ctx, p, a)
	if err == nil {
		err = printFaults(p.Term.Stdout, v)
	}
	if err != nil {
		return err
	}
	return verdict(p, a, v)
}
