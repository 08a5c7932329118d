package reports_test

import (
	"fmt"
	"os"

	"github.com/perftrack/perftrack/reports"
)

// A report is built once and can then be laid out by any of the writers.
func ExampleListing() {
	listing := reports.Listing("Targets", reports.Table{
		Columns: []reports.Column{{Title: "target", Code: true}, {Title: "benchmarks", Right: true}},
		Rows: [][]reports.Cell{
			{{Text: "codec"}, {Text: "12", Value: 12}},
			{{Text: "a|b"}, {Text: "3", Value: 3}},
		},
	})
	if err := reports.Text(os.Stdout, listing, reports.TextOptions{}); err != nil {
		fmt.Println(err)
	}
	if err := reports.Markdown(os.Stdout, listing); err != nil {
		fmt.Println(err)
	}
	// Output:
	// target  benchmarks
	// codec           12
	// a|b              3
	// ## Targets
	//
	// | target | benchmarks |
	// |:--|--:|
	// | `codec` | 12 |
	// | `a│b` | 3 |
}
