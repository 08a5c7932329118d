package train_test

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/train"
	"github.com/perftrack/perftrack/engine/transformer"
)

// A small model learns to continue a text.
func Example() {
	var text []int
	for range 40 {
		for _, letter := range []byte("perftrack ") {
			text = append(text, int(letter))
		}
	}
	model := transformer.New(transformer.Config{Vocab: 128, Context: 16, Dim: 16, Layers: 1, Heads: 2}, 1)
	options := train.DefaultAdamW
	options.LearningRate = 0.01
	trainer, err := train.NewTrainer(model, train.Options{Batch: 4, Seed: 1, Optimizer: options})
	if err != nil {
		fmt.Println(err)
		return
	}
	var epoch train.Epoch
	for range 10 {
		if epoch, err = trainer.Epoch(nil, text); err != nil {
			fmt.Println(err)
			return
		}
	}
	next, err := model.NewSession().Generate(nil, text[:4], 6, transformer.NewSampler(0, 0, 0))
	fmt.Println(epoch.Steps, epoch.Samples, epoch.Loss < 0.5, err)
	for _, letter := range next {
		fmt.Printf("%c", letter)
	}
	// Output:
	// 6 24 true <nil>
	// track
}
