package documents

import (
	"encoding/json"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
)

func TestNumber(t *testing.T) {
	for _, tt := range []struct {
		v    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-3, "-3"}, {123456789, "123456789"}, {1.0 / 3, "0.333333"},
		{1.23456789e-7, "1.23457e-07"}, {-2.5, "-2.5"}, {1e300, "1e+300"}, {1e15, "1e+15"},
		{math.NaN(), "null"}, {math.Inf(1), "null"}, {math.Inf(-1), "null"},
	} {
		text, err := json.Marshal(Number(tt.v))
		if err != nil || string(text) != tt.want {
			t.Errorf("%v: %s, %v; want %s", tt.v, text, err, tt.want)
		}
		var back Number
		if err := json.Unmarshal(text, &back); err != nil {
			t.Errorf("%v: %v", tt.v, err)
		}
		if number := !math.IsNaN(tt.v) && !math.IsInf(tt.v, 0); number != !math.IsNaN(float64(back)) || number && math.Abs(float64(back)-tt.v) > 1e-5*math.Abs(tt.v) {
			t.Errorf("%v: read back as %v", tt.v, back)
		}
	}
}

// Every id is a valid file name on any system, and different names have different ids.
func TestSafeID(t *testing.T) {
	odd := []string{
		"</script>", "__proto__", "\x00\x01", "\u202egnp.exe", "\xff\xfe", "../../etc/passwd", "..", ".", "/", "C:\\con", "nul", "", " ",
		"%2e%2e%2f", "a/b", "a?b#c&d=e", strings.Repeat("long", 5000), strings.Repeat("\u0301", 300), "日本語/ベンチ", "😀",
	}
	file := regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*(\.\.[a-z0-9][a-z0-9_-]*)?$`)
	seen := map[string]string{}
	for _, name := range append(odd, "20261123-101530-ab12", "20261123-101530-AB12", "0123abcd..4567cdef", "0123..abcd..4567", "....", "abcd..") {
		id := SafeID(name)
		if !file.MatchString(id) || len(id) > 200 {
			t.Errorf("%.100q: id %q", name, id)
		}
		if other, ok := seen[id]; ok {
			t.Errorf("%.100q and %.100q are both %q", name, other, id)
		}
		seen[id] = name
	}
	for _, name := range []string{"20261123-101530-ab12", "0123abcd..4567cdef"} {
		if got := SafeID(name); got != name {
			t.Errorf("%q became %q", name, got)
		}
	}
	if reports.HashID("b", "a", "bc") == reports.HashID("b", "ab", "c") || reports.HashID("b", "a") != "b4162fddd39a3e422" {
		t.Error("ids of parts")
	}
}
