package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/helptext"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/reports/site"
)

func newReportBadgeCommand(g *globals) *cobra.Command {
	var opt pages.Options
	var file string
	cmd := &cobra.Command{
		Use:   "badge",
		Short: "Draw a badge for a README",
		Long: `Draw an SVG badge of the state of the benchmarks, for a README.

It shows how many benchmarks have an unresolved regression or regressed in the branch's newest
check, or else "steady". It is green only if nine of ten benchmarks have a long enough
history and the last run is at most 30 days old, and "unknown" if nothing is known.
` + exitStatus,
		Example: `  perftrack report badge > badge.svg
  perftrack report badge --branch main -o docs/badge.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := g.start(cmd, helptext.RefuseEmpty(cmd, "out", "branch"))
			if err != nil {
				return err
			}
			opt.Now = now()
			s, err := pages.Open(cmd.Context(), a, opt)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, s.Close()) }()
			index, err := s.Index(cmd.Context())
			if err != nil {
				return err
			}
			regressions, err := s.Regressions(cmd.Context())
			if err != nil {
				return err
			}
			image := site.Badge(index, regressions)
			if file == "" {
				_, err = g.term.Stdout.Write(image)
				return err
			}
			if err := os.WriteFile(file, image, 0o644); err != nil {
				return fault.IO(fmt.Errorf("write the badge: %w", err))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "out", "o", "", "write the badge to `file` (default stdout)")
	f.StringVar(&opt.Branch, "branch", "", "line of development, by its `branch` (default HEAD's)")
	return cmd
}
