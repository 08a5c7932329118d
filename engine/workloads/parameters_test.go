package workloads

import (
	"bytes"
	"strings"
	"testing"
)

// A profile uses its parameters and repeats them in its suite line.
func TestProfileParameters(t *testing.T) {
	for asked, tokens := range map[string]string{
		"standard tokens=3":                       "BenchmarkInferenceComplete/GenerateToken 9",
		"standard tokens=2 prompt=100":            "BenchmarkInferenceComplete/GenerateToken 6",
		"deep tokens=4 prompt=3 model=small":      "BenchmarkInference/GenerateToken 12",
		"standard tokens=2 prompt=3 model=1x32":   "BenchmarkInferenceComplete/GenerateToken 6",
		"standard model=Medium tokens=1 prompt=1": "BenchmarkInferenceComplete/GenerateToken 3",
	} {
		var out bytes.Buffer
		if err := Profile(asked, &out); err != nil {
			t.Fatal(err)
		}
		fields := strings.Join(strings.Fields(out.String()), " ")
		if !strings.Contains(out.String(), "suite: "+asked+"\n") || !strings.Contains(fields, tokens) {
			t.Errorf("%q, without %q:\n%s", asked, tokens, out.String())
		}
	}
}

func TestProfileRefusesParameters(t *testing.T) {
	for _, asked := range []string{
		"enhanced tokens=3", "standard tokens=0", "standard tokens=-1", "standard tokens=99999999999999999999", "standard tokens=", "standard prompt=65537",
		"standard model=huge", "deep model=256x8192", "deep model=64x1024 prompt=65536", "standard model=0x32", "standard model=2x33", "standard model=257x32", "standard model=2x", "standard model=2x32x2", "standard speed=9", "standard x",
	} {
		if err := Profile(asked, &bytes.Buffer{}); err == nil || !strings.HasPrefix(err.Error(), "profile "+strings.Fields(asked)[0]+": ") {
			t.Errorf("%q: %v", asked, err)
		}
	}
}
