package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/pages"
	"github.com/perftrack/perftrack/reports/site"
)

func newReportBadgeCommand(g *globals) *cobra.Command {
	var opt pages.Options
	var file string
	cmd := &cobra.Command{
		Use:   "badge",
		Short: "Draw a badge of how things stand, for a README",
		Long: `Draw an SVG badge of how things stand, for a README.

It says how many benchmarks have a regression in force, or regressed in the newest
check of the branch, else "steady". It is green only where nine of ten benchmarks have a
history long enough to tell and the last run is not older than 30 days, and says
"unknown" where nobody knows. The page of perftrack report has the same as badge.svg.
` + exitStatus,
		Example: `  perftrack report badge > badge.svg
  perftrack report badge --branch main -o docs/badge.svg`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			a, err := g.start(cmd, refuseEmpty(cmd, "out", "branch"))
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
				_, err = g.term.stdout.Write(image)
				return err
			}
			if err := os.WriteFile(file, image, 0o644); err != nil {
				return fault.IO(fmt.Errorf("write the badge: %w", err))
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVarP(&file, "out", "o", "", "write it into this `file` (default stdout)")
	f.StringVar(&opt.Branch, "branch", "", "whose line of development it is about (default that of HEAD)")
	return cmd
}
