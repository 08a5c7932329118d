package scopes

import (
	"fmt"
	"testing"
)

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
