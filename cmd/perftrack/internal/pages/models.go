package pages

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/reports/inference"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/naming"
	"github.com/perftrack/perftrack/store"
)

// Models are those of the newest run that has any, else the kernels of the newest one that has
// a kernel.
func (s *Site) Models(ctx context.Context) (*site.Models, error) {
	engine := naming.EngineOf()
	places := map[bool][]int{} // of runs, by whether they have a model
	for _, b := range s.benchmarks {
		if i := s.at.Run(b.Last); i >= 0 && inference.IsPart(b.BenchmarkID, engine) {
			model := !engine.IsKernel(naming.Leaf(b.Name))
			places[model] = append(places[model], i)
		}
	}
	for _, model := range []bool{true, false} {
		slices.SortFunc(places[model], cmp.Compare) // the newest first
		for _, i := range slices.Compact(places[model]) {
			run, err := s.db.Get(ctx, s.runs[i].ID)
			switch {
			case errors.Is(err, store.ErrDamaged):
				continue
			case err != nil:
				return nil, fault.IO(err)
			}
			if figures := inference.Of(run); len(figures) > 0 {
				return site.NewModels(i, figures), nil
			}
		}
	}
	return site.NewModels(-1, nil), nil
}
