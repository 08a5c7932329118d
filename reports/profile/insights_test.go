package profile

import (
	"fmt"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports/reporttest"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

// For each insight there is a profile that leads to it, and a similar profile just below its
// threshold.
func TestInsights(t *testing.T) {
	const models = "profile: scopes\nsuite: enhanced\n" +
		"Model_Small_Inference 1 1000000 ns/op\nModel_Small_Inference/Model_Small_GenerateToken 10 100000 ns/op\n" +
		"Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward 10 90000 ns/op\n"
	forward := func(attention, mlp int) string {
		const in = "Model_Small_Inference/Model_Small_GenerateToken/Model_Small_Forward/"
		return fmt.Sprintf("%s%sAttention 10 %d ns/op\n%sMLP 10 %d ns/op\n", models, in, attention, in, mlp)
	}
	for _, tt := range []struct {
		rule, yes, no, want string
	}{
		{"uneven", "profile: scopes\nA 10 1000 ns/op 5001 max-ns/op\n", "profile: scopes\nA 10 1000 ns/op 4999 max-ns/op\n",
			"one call took more than 5 times the average, perhaps because of a first call, a garbage collection or a lock: A 5.001 µs of 1.000 µs on average"},
		{"uneven at all", "profile: scopes\nA 10 1000 ns/op 5001 max-ns/op\n", "profile: scopes\nA 10 1000 ns/op 4999 max-ns/op\n", "one call took more than 5 times the average"},
		{"uneven of few", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\n", "profile: scopes\nA 9 1000 ns/op 9000 max-ns/op\n", "one call took more than 5 times the average"},
		{"uneven of little", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nB 10 78000 ns/op\n", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nB 10 80000 ns/op\n", "one call took more than 5 times the average"},
		{"uneven in most rounds", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nA 10 1100 ns/op 9000 max-ns/op\nA 10 900 ns/op 900 max-ns/op\n", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nA 10 1100 ns/op 1100 max-ns/op\nA 10 900 ns/op 900 max-ns/op\n",
			"or a lock: A 9.000 µs of 1.000 µs on average, in 2 of 3 rounds"},
		{"uneven in few rounds", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nA 10 1100 ns/op 1100 max-ns/op\nA 10 900 ns/op 900 max-ns/op\n", "profile: scopes\nA 10 1000 ns/op 9000 max-ns/op\nA 10 1100 ns/op 9000 max-ns/op\nA 10 900 ns/op 900 max-ns/op\n",
			"in only a few rounds, perhaps because of another program on the machine: A 9.000 µs of 1.000 µs on average, in 1 of 3 rounds"},
		{"uneven by what it calls", "profile: scopes\nA 10 1700 ns/op 9000 max-ns/op\nA/B 10 1000 ns/op 6000 max-ns/op\n", "profile: scopes\nA 10 1700 ns/op 9000 max-ns/op\nA/B 10 1000 ns/op 8000 max-ns/op\n", " on average; A 9.000 µs of"},
		{"uneven of one caller", "profile: scopes\nA 1 50000 ns/op\nA/K 10 1000 ns/op 9000 max-ns/op\nB 1 50000 ns/op\nB/K 10 50 ns/op 50 max-ns/op\n", "profile: scopes\nA 1 50000 ns/op\nA/K 10 9000 ns/op 9000 max-ns/op\nB 1 50000 ns/op\nB/K 90 50 ns/op 50 max-ns/op\n", "K 9.000 µs of"},
		{"uneven, called by what is", "profile: scopes\nA 10 1700 ns/op 9000 max-ns/op\nA/B 10 1000 ns/op 8000 max-ns/op\n", "profile: scopes\nA 10 1700 ns/op 9000 max-ns/op\nA/B 10 1000 ns/op 1000 max-ns/op\n", ": B 8.000 µs of"},
		{"allocating", "profile: scopes\nA 10 1000 ns/op 64 B/op 1 allocs/op\n", "profile: scopes\nA 10 1000 ns/op 0 B/op 0 allocs/op\n", "hot and allocating, on average per call: A 64 B in 1.0 objects"},
		{"allocating and cold", "profile: scopes\nA 10 1000 ns/op 64 B/op 1 allocs/op\nB 10 18000 ns/op 0 B/op 0 allocs/op\n",
			"profile: scopes\nA 10 1000 ns/op 64 B/op 1 allocs/op\nB 10 20000 ns/op 0 B/op 0 allocs/op\n", "hot and allocating, on average per call: A"},
		{"a layer", forward(50000, 30000), forward(22000, 22000), " % of a forward pass of model Small: Attention"},
		{"a layer in most rounds", forward(50000, 30000) + forward(50000, 30000) + forward(40000, 40000), forward(40000, 40000) + forward(50000, 30000) + forward(30000, 50000), " % of a forward pass of model Small: Attention"},
		{"a layer like the other", forward(43000, 35000), forward(40000, 36000), " % of a forward pass of model Small: Attention"},
		{"the last layer", forward(20000, 70000), forward(45000, 45000), " % of a forward pass of model Small: MLP"},
	} {
		of := func(text string) string {
			var lines []string
			for _, l := range Report(runtest.Read(t, text)).Lists {
				for _, n := range l.Items {
					lines = append(lines, strings.ReplaceAll(n.String(), ":: ", ": "))
				}
			}
			return strings.Join(lines, "\n")
		}
		if got := of(tt.yes); !strings.Contains(got, tt.want) {
			t.Errorf("%s: no %q in\n%s", tt.rule, tt.want, got)
		}
		if got := of(tt.no); strings.Contains(got, tt.want) {
			t.Errorf("%s: %q in\n%s", tt.rule, tt.want, got)
		}
	}
}

// A ranking has the number of rows set in the view. The document always has all rows.
func TestTop(t *testing.T) {
	var text strings.Builder
	text.WriteString("profile: scopes\nRun 1 100000000 ns/op\n")
	for i := range 40 {
		fmt.Fprintf(&text, "Run/M%02d 1 %d ns/op\n", i, 10+100000*i)
	}
	run := runtest.Read(t, text.String())
	for view, want := range map[View][2]int{{}: {15, 41}, {Top: 3}: {3, 41}, {Top: 30}: {30, 41}, {All: true}: {41, 41}} {
		r := view.Report(run)
		hot, calls := reporttest.Heading(t, r, "Hot paths, by self time"), reporttest.Heading(t, r, "Call hierarchy")
		if len(hot.Rows) != want[0] {
			t.Errorf("%+v: %d hot paths, want %d", view, len(hot.Rows), want[0])
		}
		if folds := strings.Contains(reporttest.Cells(calls), "below 0.1 %"); folds == view.All {
			t.Errorf("%+v: the call tree folds: %v", view, folds)
		}
		if reporttest.Write(t, r, "json") != reporttest.Write(t, Report(run), "json") {
			t.Errorf("%+v changes the document", view)
		}
	}
}

// The report on a single run has the same figures about models as a comparison.
func TestModels(t *testing.T) {
	model := func(name string, ns, bytes int) string {
		in := "Model_" + name + "_Inference"
		return fmt.Sprintf("%s 1 %d ns/op %d B/op 10 allocs/op\n%s/Model_%s_GenerateToken 10 %d ns/op %d B/op 1 allocs/op\n", in, 10*ns, 10*bytes, in, name, ns, bytes)
	}
	r := Report(runtest.Read(t, "profile: scopes\nsuite: enhanced\n"+model("Small", 1000000, 512)+model("Medium", 5500000, 2048)))
	for heading, want := range map[string]string{
		"Models":                 "Small | 1,000.00 | 1.000 ms |",
		"Scaling between models": "Medium / Small | 5.50x | 4.00x | 7.34x | 1.33x",
	} {
		table := reporttest.Heading(t, r, heading)
		if got := reporttest.Cells(table); !strings.Contains(got, want) {
			t.Errorf("%s: no %q in %v\n%s", heading, want, table.Columns, got)
		}
	}
	if tables := (suite{}).models(); tables != nil {
		t.Errorf("%v of no figures", tables)
	}
}
