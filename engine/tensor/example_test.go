package tensor_test

import (
	"fmt"

	"github.com/perftrack/perftrack/engine/tensor"
)

// One layer of a perceptron, with its intermediate tensor from a pool.
func Example() {
	var pool tensor.Pool
	x := tensor.FromSlice([]float32{1, 2}, 1, 2)
	weights := tensor.FromSlice([]float32{1, 0, -1, 0, 1, 1}, 2, 3)
	bias := tensor.FromSlice([]float32{0, 10, 20}, 3)

	hidden := pool.Get(1, 3)
	tensor.MatMulInto(hidden, x, weights)
	tensor.AddRowInto(hidden, hidden, bias)
	fmt.Println(hidden.Shape(), hidden.Data())
	pool.Put(hidden)
	// Output: [1 3] [1 12 21]
}
