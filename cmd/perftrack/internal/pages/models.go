package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/reports/site/documents"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// Models returns the models in the newest run with models. If there is no such run, it returns the
// kernels in the newest run with kernels.
func (s *Site) Models(ctx context.Context) (*documents.Models, error) {
	engine := naming.EngineOf()
	places := map[bool][]int{} // indices of runs; the key is whether they contain a model
	for _, b := range s.benchmarks {
		if i := s.at.Run(b.Last); i >= 0 && inference.IsPart(b.BenchmarkID, engine) {
			model := !engine.IsKernel(naming.Leaf(b.Name))
			places[model] = append(places[model], i)
		}
	}
	for _, model := range []bool{true, false} {
		slices.SortFunc(places[model], cmp.Compare) // newest first
		for _, i := range slices.Compact(places[model]) {
			run, err := s.db.Get(ctx, s.runs[i].ID)
			switch {
			case errors.Is(err, store.ErrDamaged):
				continue
			case err != nil:
				return nil, fault.IO(err)
			}
			if figures := inference.Of(run); len(figures) > 0 {
				if err := s.reach(run, figures); err != nil {
					return nil, err
				}
				return documents.NewModels(i, figures), nil
			}
		}
	}
	return documents.NewModels(-1, nil), nil
}

// reach compares the figures with the machine's peak performance from reference.toml. An entry
// applies if it names the machine's label or its processor model.
func (s *Site) reach(run *record.Run, figures []inference.Figures) error {
	all, _, err := config.ReadReferences(s.lines.Place().ConfigDir())
	if err != nil {
		return fault.Config(err)
	}
	for _, p := range all.Peaks {
		if p.Unit != "GFLOPS" || p.Machine == "" || p.Machine != run.Env.Get(record.KeyMachine) && p.Machine != run.Env.Get(record.KeyCPU) {
			continue
		}
		for i := range figures {
			figures[i].Reach(p.Value, strings.TrimSuffix("reference.toml, "+p.Source, ", "))
		}
		break // use the first entry, as in the reports
	}
	return nil
}
