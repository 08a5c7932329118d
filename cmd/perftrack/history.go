package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/perftrack/perftrack/cmd/perftrack/app"
	"github.com/perftrack/perftrack/reports"
)

func newHistoryCommand(g *globals) *cobra.Command {
	var opt app.HistoryOptions
	var out output
	cmd := &cobra.Command{
		Use:   "history NAME",
		Short: "Show one benchmark over the commits",
		Long: `Show one benchmark over the commits, oldest first in the order of the git
history, else by commit time: median, its 95 % interval (of several runs of a
commit: the median of theirs, covering all of theirs), derived units,
environment, and a sparkline.

NAME is a benchmark's name as listed by perftrack list benchmarks, exact, or its
end if that is unique. Where several suites, packages or targets have that name,
each is shown, in tables of its own. Environments are drawn apart, too: numbers of
different machines or Go versions are never one line. Partial and failed runs, and
runs of uncommitted changes, are left out unless --all; so is total-ns, the sum
over all calls that a profile report prints, unless --unit total-ns.
` + exitStatus,
		Example: `  perftrack history MatMul_512x512
  perftrack history --all --limit 20 GELU_1000
  perftrack history --unit B/op --suite enhanced MatMul_512x512
  perftrack history --format csv MatMul_512x512 > matmul.csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := g.app(cmd, out.check(g.term), checkLimit(opt.Limit))
			if err != nil {
				return err
			}
			h, err := a.History(cmd.Context(), args[0], opt)
			if err != nil {
				return err
			}
			if h.Hidden > 0 {
				g.term.notice(fmt.Sprintf("%d partial, failed or uncommitted runs are not shown: see --all", h.Hidden))
			}
			var series []reports.HistorySeries
			for _, s := range h.Series {
				series = append(series, reports.HistorySeries{Target: s.Target, BenchmarkID: s.BenchmarkID, Points: historyPoints(s)})
			}
			return out.print(g.term, reports.History(series...))
		},
	}
	f := cmd.Flags()
	f.StringVar(&opt.Target, "target", "", "only this `target`")
	f.StringVar(&opt.Suite, "suite", "", "only this `suite`")
	f.StringVar(&opt.Unit, "unit", "", "only this `unit`: ns/op, or sec/op as it is shown")
	f.BoolVar(&opt.All, "all", false, "also partial, failed and uncommitted runs")
	f.IntVar(&opt.Limit, "limit", 0, "only the newest `n` commits (default all)")
	out.addFlag(cmd)
	return cmd
}

func checkLimit(n int) error {
	if n < 0 {
		return fmt.Errorf("--limit %d is negative", n)
	}
	return nil
}

func historyPoints(s app.Series) []reports.HistoryPoint {
	points := make([]reports.HistoryPoint, len(s.Points))
	for i, p := range s.Points {
		points[i] = reports.HistoryPoint{
			RunID: p.Run.ID, Commit: p.Run.Commit, Env: p.Run.Env, Status: p.Run.Status, Start: p.Run.Start,
			Samples: p.Benchmark.Samples,
		}
		for _, sample := range p.Benchmark.Samples {
			if p.Run.Exact(sample.Unit) {
				points[i].Exact = append(points[i].Exact, sample.Unit)
			}
		}
	}
	return points
}
