package config

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseCPUs(t *testing.T) {
	const no = `: try 1 or 2-3,6`
	tests := []struct {
		list string
		want CPUs
		text string // as printed, or the error
	}{
		{"1", CPUs{1}, "1"},
		{"0", CPUs{0}, "0"},
		{"2-3,6", CPUs{2, 3, 6}, "2-3,6"},
		{" 2 , 3 ", CPUs{2, 3}, "2-3"},
		{"6,3,2,3,2-2", CPUs{2, 3, 6}, "2-3,6"},
		{"007", CPUs{7}, "7"},
		{"0-7:2", CPUs{0, 2, 4, 6}, "0,2,4,6"},
		{"1-8:3,2", CPUs{1, 2, 4, 7}, "1-2,4,7"},
		{"8191", CPUs{8191}, "8191"},

		{"", nil, `invalid list of CPUs ""` + no},
		{" ", nil, no},
		{",", nil, no},
		{"1,", nil, `invalid list of CPUs "1,"` + no},
		{"1,,2", nil, no},
		{"-1", nil, no},
		{"1-", nil, no},
		{"1--2", nil, no},
		{"1-2-3", nil, no},
		{"+1", nil, no},
		{"1 2", nil, no},
		{"1 -2", nil, no},
		{"0x3", nil, no},
		{"1.5", nil, no},
		{"all", nil, no},
		{"2:2", nil, no},
		{"0-8:0", nil, no},
		{"0-8:", nil, no},
		{"0-8:2:2", nil, no},
		{"0-8:2/4", nil, no},
		{"99999999999999999999", nil, no},
		{"3-1", nil, `invalid list of CPUs "3-1": 3-1 ends before it begins`},
		{"0,8192", nil, `invalid list of CPUs "0,8192": CPU 8192 is out of range; at most 8192 CPUs are supported`},
		{"0-2000000000", nil, `at most 8192 CPUs are supported`},
	}
	for _, tt := range tests {
		got, err := ParseCPUs(tt.list)
		text := got.String()
		if err != nil {
			text = err.Error()
		}
		if (err != nil) != (tt.want == nil) || !reflect.DeepEqual(got, tt.want) ||
			text != tt.text && (err == nil || !strings.Contains(text, tt.text)) {
			t.Errorf("ParseCPUs(%q) = %v, %q, want %v, %q", tt.list, got, text, tt.want, tt.text)
		}
	}
}

// Parsing a printed list results in the same CPUs.
func TestCPUsRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cpus := CPUs(rapid.SliceOfNDistinct(rapid.IntRange(0, 40), 1, 20, rapid.ID[int]).Draw(t, "cpus"))
		slices.Sort(cpus)
		got, err := ParseCPUs(cpus.String())
		if err != nil || !slices.Equal(got, cpus) {
			t.Errorf("%v as %q is read as %v, %v", []int(cpus), cpus, []int(got), err)
		}
	})
}
