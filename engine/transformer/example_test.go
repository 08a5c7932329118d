package transformer_test

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/transformer"
)

// An untrained model chooses the five most likely tokens after a prompt.
func Example() {
	model := transformer.New(transformer.Small, 1)
	greedy := transformer.NewSampler(0, 0, 0)
	tokens, err := model.NewSession().Generate(nil, []int{3, 1, 4, 1, 5}, 5, greedy)
	fmt.Println(model.ParameterCount(), len(tokens), err)
	// Output: 470528 5 <nil>
}
