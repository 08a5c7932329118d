package config

import (
	"strings"
	"testing"
)

func TestParseReferences(t *testing.T) {
	all, err := ParseReferences([]byte(`
[[reference]]
bench = "MatMul_512x512"
name = "OpenBLAS"
value = 95
unit = "GFLOPS"
source = "https://example.com"
machine = "AMD EPYC"
[[peak]]
machine = "AMD EPYC"
value = 140.5
source = "data sheet"
`), "reference.toml")
	if err != nil || len(all.List) != 1 || len(all.Peaks) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	if want := (Reference{"MatMul_512x512", "OpenBLAS", 95, "GFLOPS", "https://example.com", "AMD EPYC"}); all.List[0] != want {
		t.Errorf("%+v, want %+v", all.List[0], want)
	}
	if want := (Peak{"AMD EPYC", "data sheet", "GFLOPS", 140.5}); all.Peaks[0] != want {
		t.Errorf("%+v, want %+v", all.Peaks[0], want)
	}
}

// A mistake is reported with its file and line.
func TestReferenceMistakes(t *testing.T) {
	const whole = "[[reference]]\nbench = \"B\"\nname = \"N\"\nunit = \"GFLOPS\"\nsource = \"S\"\nmachine = \"M\"\n"
	for text, want := range map[string]string{
		whole:                              "reference.toml:1: reference: missing key value",
		whole + "value = -1\n":             "reference.toml:7: value must be a number above zero",
		whole + "value = \"9\"\n":          "reference.toml:7: value must be a number above zero",
		whole + "value = inf\n":            "reference.toml:7: value must be a number above zero",
		whole + "value = 1\nspeed = 2\n":   `reference.toml:8: unknown key "speed"`,
		"[reference]\n":                    "reference.toml:1: reference must be a list of tables: write [[reference]]",
		"[[peak]]\nmachine = \"M\"\n":      "reference.toml:1: peak: missing key value",
		"references = 1\n":                 `reference.toml:1: unknown key "references"`,
		"[[reference]\n":                   "reference.toml:1:",
		"[[peak]]\nvalue = 1\nvalue = 2\n": "reference.toml:3:",
	} {
		if _, err := ParseReferences([]byte(text), "reference.toml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	if _, ok, err := ReadReferences(t.TempDir()); ok || err != nil {
		t.Errorf("of no file: %v, %v", ok, err)
	}
}
