package program

import (
	"context"
	"slices"
	"strings"
	"testing"
)

// If no suite is given, benchmarks and profiles come from the first one.
func TestEngineSuite(t *testing.T) {
	for _, tt := range []struct {
		suite, profile string // in the plan
		want           string
	}{
		{"", "", "engine -suite enhanced -bench ^MatMul_64x64$ -benchtime 1x"},
		{"memory", "", "engine -suite memory -bench ^MatMul_64x64$ -benchtime 1x"},
		{"", DefaultSuite, "engine -profile enhanced"},
		{"", "memory", "engine -profile memory"},
	} {
		e := engineProgram{plan: &Spec{Engine: []string{"engine"}, Suite: tt.suite, Profile: tt.profile, Benchtime: "1x"}}
		if got := strings.Join(e.Command(Slot{Bench: "MatMul_64x64"}).Argv, " "); got != tt.want {
			t.Errorf("suite %q, profile %q: %s, want %s", tt.suite, tt.profile, got, tt.want)
		}
	}
}

// The engine lists the benchmarks in the given suite. Its profile is one slot, and its samples are
// not filtered by benchmark names.
func TestEngineSlots(t *testing.T) {
	// An engine whose only benchmark is named after the requested suite.
	engine := []string{"/bin/sh", "-c", `test "$1 $2" = "-list -suite" && echo "$3"`, "engine"}
	for _, tt := range []struct {
		suite, profile string
		want           Slot
	}{
		{"", "", Slot{Bench: "enhanced"}},
		{"memory", "", Slot{Bench: "memory"}},
		{"", DefaultSuite, Slot{Package: "the built-in engine"}},
	} {
		e := engineProgram{plan: &Spec{Engine: engine, Suite: tt.suite, Profile: tt.profile}, dir: t.TempDir()}
		got, err := e.Slots(context.Background())
		if err != nil || !slices.Equal(got, []Slot{tt.want}) {
			t.Errorf("suite %q, profile %q: slots %v, %v, want %v", tt.suite, tt.profile, got, err, tt.want)
		}
	}
}
