package format

import (
	"fmt"
	"strings"
	"testing"
)

func TestNesting(t *testing.T) {
	for _, tt := range []struct{ names, want string }{
		{"", "map[]"},
		{"A B", "map[]"},
		{"A A/B A/B/C A/X/Y", "map[A/B:[A] A/B/C:[A/B] A/X/Y:[A]]"},
		{"A/B AB/C", "map[]"},
		{"MatMul_64 MatMul_Iteration MatMul_8 MatMulX_1 Other_Iteration", "map[MatMul_Iteration:[MatMul_64 MatMul_8]]"},
		{"A_B_Iteration A_B_1 A_C_1 A_Iteration", "map[A_B_Iteration:[A_B_1] A_Iteration:[A_B_1 A_C_1]]"},
		{"Run/X_Iteration Run X_1", "map[Run/X_Iteration:[Run]]"},
		{"Model_S_Forward Model_S_GenerateToken Model_S_Inference Model_S_Creation Model_M_Forward",
			"map[Model_S_Forward:[Model_S_GenerateToken] Model_S_GenerateToken:[Model_S_Inference]]"},
		{"Model_S_Forward Model_S_Inference", "map[Model_S_Forward:[Model_S_Inference]]"},
		{"A_Forward A_Inference", "map[]"},
		{"A A", "map[]"},
	} {
		if got := fmt.Sprint(Nesting(strings.Fields(tt.names))); got != tt.want {
			t.Errorf("Nesting(%s) = %s, want %s", tt.names, got, tt.want)
		}
	}
}

// A call hierarchy that goes in circles, or on without end, ends as a bare name.
func TestCallPaths(t *testing.T) {
	ms := newMethods("f", nil)
	told := map[string][]caller{}
	for i, n := range []string{"A", "B", "C", "D", "E", "F"} {
		ms.add(row{name: n, calls: 2}, nil, i+1, 1)
	}
	told["A"] = nil
	told["B"] = []caller{{"A", 2}}
	told["C"] = []caller{{"D", 2}}
	told["D"] = []caller{{"C", 2}}
	told["E"] = []caller{{"A", 1}} // and once from nowhere
	told["F"] = []caller{{"F", 2}}
	paths := callPaths{told: told}
	for name, want := range map[string]string{"A": "A", "B": "A/B", "C": "C", "D": "D", "E": "E", "F": "F"} {
		if got := paths.path(ms, name); got != want {
			t.Errorf("path(%s) = %s, want %s", name, got, want)
		}
	}
}

func TestNumbers(t *testing.T) {
	ms, _ := measureCalled("ms")
	mb, _ := measureCalled("MB")
	for _, tt := range []struct {
		m    measure
		cell string
		want string // value and step, or an error
	}{
		{ms, "414.730", "{4.1473e+08 1000}"}, {ms, "0", "{0 1e+06}"}, {ms, "-0.00", "{0 10000}"},
		{ms, "1,234.5", "{1.2345e+09 100000}"}, {ms, "1,234,567", "{1.234567e+12 1e+06}"}, {ms, " 7 ", "{7e+06 1e+06}"},
		{ms, "1.50e+03", "{1.5e+09 1e+07}"}, {ms, "1e-9", "{0.001 0.001}"}, {mb, "0.50", "{524288 10485.76}"},
		{ms, "1,23", ""}, {ms, "0,123", ""}, {ms, "12345,678", ""}, {ms, ",123", ""}, {ms, "1,234,", ""}, {ms, "1.234,5", ""},
		{ms, "+5", ""}, {ms, "--5", ""}, {ms, "-1,000", ""}, {ms, "-0.01", ""}, {ms, "1e", ""}, {ms, "1e400", ""}, {ms, "0x10", ""},
		{ms, "1_000", ""}, {ms, "", ""}, {ms, ".", ""}, {ms, "5 ms", ""}, {ms, "1e99999999999999999999", ""}, {mb, "1e308", ""},
	} {
		got, err := tt.m.figure(tt.cell)
		if text := fmt.Sprint(got); err == nil && text != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("figure(%q %s) = %s, %v, want %s", tt.cell, tt.m.name, text, err, tt.want)
		}
	}
}
