package rust_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/format/formattest"
)

const criterionMessages = `{"reason":"benchmark-complete","id":"sum/elems 10","report_directory":"target/criterion/reports/sum","iteration_count":[10,20],"measured_values":[1000.0,4000.0],"unit":"ns","throughput":[{"per_iteration":10,"unit":"elements"},{"per_iteration":80,"unit":"bytes"}],"typical":{"estimate":100,"lower_bound":90,"upper_bound":110,"unit":"ns"},"slope":null,"change":null}
{"reason":"benchmark-complete","id":"slow","iteration_count":[1],"measured_values":[2.5],"unit":"ms","throughput":[]}
{"reason":"benchmark-complete","id":"cycles","iteration_count":[2],"measured_values":[50],"unit":"cycles","throughput":[{"per_iteration":10,"unit":"elements"}]}
{"reason":"benchmark-complete","id":"empty","iteration_count":[],"measured_values":[],"unit":"ns","throughput":[]}
{"reason":"group-complete","group_name":"sum","benchmarks":["sum/elems 10"],"report_directory":"x"}
{"reason":"benchmark-complete","id":"odd","iteration_count":[1,2],"measured_values":[1],"unit":"ns","throughput":[]}
{"reason":"benchmark-complete","id":"none","iteration_count":[0],"measured_values":[1],"unit":"ns","throughput":[]}
`

func TestCriterionMessages(t *testing.T) {
	formattest.Check(t, "criterion-messages", criterionMessages, `
		Unit ns/op from=ns
		Unit elements/s better=higher
		sum/elems_10 10 100 ns/op 1e+08 elements/s 800 MB/s
		sum/elems_10 20 200 ns/op 5e+07 elements/s 400 MB/s
		Unit ns/op from=ms
		slow 1 2.5e+06 ns/op
		cycles 2 25 cycles
		left out f:4: empty: it has no samples
		error f:6: "odd" has 1 times for 2 samples
		error f:7: "none" has a sample of 0 iterations
	`)
}

func FuzzCriterionMessages(f *testing.F) {
	formattest.Fuzz(f, "criterion-messages", criterionMessages)
}

func BenchmarkCriterionMessages(b *testing.B) {
	formattest.Bench(b, "criterion-messages", "",
		`{"reason":"benchmark-complete","id":"sum/elems 10","report_directory":"target/criterion/reports/sum/elems 10/of a path","iteration_count":[30,60],"measured_values":[124200.125,248300.25],"unit":"ns","throughput":[{"per_iteration":10,"unit":"elements"}],"typical":{"estimate":4138.1,"lower_bound":4130.2,"upper_bound":4145.3,"unit":"ns"},"mean":{"estimate":4138.1,"lower_bound":4130.2,"upper_bound":4145.3,"unit":"ns"},"median":{"estimate":4138.1,"lower_bound":4130.2,"upper_bound":4145.3,"unit":"ns"},"median_abs_dev":{"estimate":4.1,"lower_bound":4.2,"upper_bound":4.3,"unit":"ns"},"slope":null,"change":{"mean":{"estimate":0.1,"lower_bound":0.05,"upper_bound":0.15,"unit":"%"},"change":"NoChange"}}`, "\n", "\n")
}
