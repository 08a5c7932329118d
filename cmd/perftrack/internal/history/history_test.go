package history

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/comparison"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

func TestFindSeries(t *testing.T) {
	info := func(kind record.Kind, suite, pkg, name string) store.BenchmarkInfo {
		return store.BenchmarkInfo{Target: "t", BenchmarkID: record.BenchmarkID{Kind: kind, Suite: suite, Package: pkg, Name: name}}
	}
	all := []store.BenchmarkInfo{
		info(record.Bench, "", "example.com/a", "Sort/n=10"), info(record.Bench, "", "example.com/b", "Sort/n=10"),
		info(record.Bench, "", "example.com/a", "Sort/n=100"), info(record.Scope, "", "example.com/a", "Inference/GenerateToken/Forward"),
		info(record.Bench, "", "", "Plain"), info(record.Scope, "", "", "Outer/Plain"),
		info(record.Bench, "deep", "", "MatMul_512x512"), info(record.Bench, "enhanced", "", "MatMul_512x512"), info(record.Scope, "deep", "", "MatMul_512x512"),
	}
	for _, tt := range []struct{ name, want, err string }{
		{"Plain", "bench Plain", ""},
		{"lain", "bench Plain", ""}, // a benchmark is preferred to a scope inside one
		{"Forward", "scope example.com/a Inference/GenerateToken/Forward", ""},
		{"example.com/b.Sort/n=10", "bench example.com/b Sort/n=10", ""},
		{"b.Sort/n=10", "bench example.com/b Sort/n=10", ""},
		{"n=100", "bench example.com/a Sort/n=100", ""},
		{"Sort/n=10", "bench example.com/a Sort/n=10, bench example.com/b Sort/n=10", ""},
		{"MatMul_512x512", "bench deep MatMul_512x512, bench enhanced MatMul_512x512, scope deep MatMul_512x512", ""},
		{"512x512", "bench deep MatMul_512x512, bench enhanced MatMul_512x512", ""},
		{"n=10", "", "is ambiguous, because 2 benchmarks end with it"},
		{"sort", "", "similar names are"},
		{"Nothing", "", "see `perftrack list benchmarks`"},
	} {
		found, err := comparison.FindBenchmarks(all, tt.name)
		var got []string
		for _, b := range found {
			got = append(got, strings.Join(strings.Fields(fmt.Sprint(b.Kind, " ", b.Suite, " ", b.Package, " ", b.Name)), " "))
		}
		if strings.Join(got, ", ") != tt.want || (tt.err == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("FindSeries(%q) = %q, %v, want %q, %q", tt.name, got, err, tt.want, tt.err)
		}
	}
}

func TestShownUnits(t *testing.T) {
	for _, tt := range []struct{ units, asked, want string }{
		{"ns/op total-ns B/op", "", "ns/op B/op"},
		{"ns/op total-ns B/op", "total-ns", "total-ns"},
		{"ns/op total-ns B/op", "total-sec", "total-ns"},
		{"ns/op total-ns B/op", "sec/op", "ns/op"},
		{"ns/op total-ns B/op", "sec", ""},
		{"total-ns", "", "total-ns"}, // shown because there is no other unit
	} {
		got := shownUnits(store.BenchmarkInfo{Units: strings.Fields(tt.units)}, tt.asked)
		if !slices.Equal(got, strings.Fields(tt.want)) {
			t.Errorf("of %s, --unit %q shows %q, want %q", tt.units, tt.asked, got, tt.want)
		}
	}
}
