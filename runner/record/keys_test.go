package record_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// Existing environment keys keep their order, and new ones follow them. Otherwise the ids of stored
// environments and the texts of stored runs would change.
func TestEnvironmentIDsAreKept(t *testing.T) {
	keys := strings.Fields("goos goarch cpu cpu-count gomaxprocs goversion goamd64 build-flags cpu-governor simd layout machine " +
		"cpu-affinity gogc gomemlimit godebug")
	if got := record.EnvironmentKeys; !slices.Equal(got[:min(len(got), len(keys))], keys) {
		t.Errorf("environment keys\n%s, want\n%s", got, keys)
	}
	var full record.Settings
	for i, key := range keys {
		full = append(full, record.Setting{Key: key, Value: fmt.Sprint("v", i)})
	}
	plain := record.Settings{
		{Key: "goos", Value: "linux"}, {Key: "goarch", Value: "amd64"}, {Key: "cpu", Value: "Example CPU @ 2.00GHz"}, {Key: "cpu-count", Value: "8"},
		{Key: "gomaxprocs", Value: "8"}, {Key: "goversion", Value: "go1.26.8"}, {Key: "goamd64", Value: "v1"}, {Key: "layout", Value: "rotate"},
	}
	for _, tt := range []struct {
		env  record.Settings
		want string
	}{{full, "c9b9440429e6"}, {plain, "5cf1b0885c6a"}} {
		if got := tt.env.EnvironmentID(); got != tt.want {
			t.Errorf("%v has the id %s, want %s", tt.env, got, tt.want)
		}
	}
}

// Each key appears only once in the table and sets only columns that make sense for its role.
func TestKeys(t *testing.T) {
	origins := []record.Origin{record.ByMachine, record.ByRunner, record.ByProgram, record.ByUser, record.ByPerftrack}
	sentence := regexp.MustCompile(`^[A-Z].*\.$`)
	seen := map[string]bool{}
	for _, k := range record.Keys {
		if seen[k.Name] {
			t.Errorf("%s stands in the table twice", k.Name)
		}
		seen[k.Name] = true
		if !slices.Contains(origins, k.SetBy) || !sentence.MatchString(k.Doc) {
			t.Errorf("%s: set by %q, %q", k.Name, k.SetBy, k.Doc)
		}
		if k.Foreign && k.Role != record.HeaderKey || (k.Fixed || k.Common) && k.Role != record.EnvironmentKey || k.Parts > 0 && k.Role != record.FactKey && k.Role != record.HeaderKey {
			t.Errorf("%s: a column that its role %s does not have", k.Name, k.Role)
		}
	}
}

func TestLookup(t *testing.T) {
	for _, tt := range []struct {
		name    string
		known   bool
		role    record.Role
		program bool
	}{
		{"goos", true, record.EnvironmentKey, false},
		{"simd", true, record.EnvironmentKey, true},
		{"pkg", true, record.SampleKey, true},
		{"round", true, record.SampleKey, false},
		{"commit", true, record.HeaderKey, false},
		{"alpha-share", true, record.FactKey, false},
		{"judged-by", true, record.FactKey, false},
		{"judged-by-2", true, record.FactKey, false},
		{"judged-by-16", true, record.FactKey, false},
		{"judged-by-1", false, record.FactKey, true},
		{"judged-by-02", false, record.FactKey, true},
		{"judged-by-x", false, record.FactKey, true},
		{"starved-2", false, record.FactKey, true},
		{"result", true, record.FactKey, true},
		{"runstamp", false, record.FactKey, true},
		{"-", false, record.FactKey, true},
		{"", false, record.FactKey, true},
	} {
		_, known := record.Lookup(tt.name)
		if role, program := record.RoleOf(tt.name), record.FromProgram(tt.name); known != tt.known || role != tt.role || program != tt.program {
			t.Errorf("%q: known %v, role %s, from a program %v", tt.name, known, role, program)
		}
	}
}
