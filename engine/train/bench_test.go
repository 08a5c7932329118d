package train

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/engine/transformer"
)

// BenchmarkStep trains on batches of whole windows, with as many workers as there are processors
// and with one worker:
//
//	go test -run '^$' -bench Step ./engine/train
func BenchmarkStep(b *testing.B) {
	for _, model := range []struct {
		name   string
		config transformer.Config
	}{{"Small", transformer.Small}, {"Medium", transformer.Medium}} {
		c := model.config
		for _, workers := range []int{0, 1} {
			b.Run(fmt.Sprintf("model=%s/batch=4/workers=%d", model.name, workers), func(b *testing.B) {
				trainer := newTrainer(b, transformer.New(c, 1), Options{Batch: 4, Workers: workers, Optimizer: DefaultAdamW})
				batch := trainer.assemble(repeating(4*c.Context+1), []int{0, 1, 2, 3})
				b.ReportAllocs()
				for b.Loop() {
					if _, err := trainer.Step(nil, batch); err != nil {
						b.Fatal(err)
					}
				}
				perSecond := float64(b.N) / b.Elapsed().Seconds()
				b.ReportMetric(perSecond*4, "samples/s")
				b.ReportMetric(perSecond*float64(4*c.Context), "tok/s")
				b.ReportMetric(perSecond*float64(StepFLOPs(c, 4, c.Context))/1e9, "GFLOPS")
			})
		}
	}
}

// BenchmarkMLPStep measures a step of the tracked MLP.
func BenchmarkMLPStep(b *testing.B) {
	m := newMLP(b, mlpOptions)
	features, labels := Clusters(1, 32, mlpOptions.In, mlpOptions.Out)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := m.Step(nil, features, labels); err != nil {
			b.Fatal(err)
		}
	}
	perSecond := float64(b.N) / b.Elapsed().Seconds()
	b.ReportMetric(perSecond*32, "samples/s")
	b.ReportMetric(perSecond*float64(mlpOptions.StepFLOPs(32))/1e9, "GFLOPS")
}
