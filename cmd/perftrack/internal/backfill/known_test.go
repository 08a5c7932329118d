package backfill

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

// A class of workers counts as one machine, with whatever version of Go its workers have.
func TestMeasuredOnMachine(t *testing.T) {
	of := func(version, cpu string) record.Settings {
		return record.Settings{}.Set(record.KeyGoVersion, version).Set("cpu", cpu)
	}
	env := of("go1.26", "x")
	for _, tt := range []struct {
		name           string
		on             machine
		env            record.Settings
		class          string
		measured, same bool
	}{
		{"here", machine{env: env}, env, "", true, true},
		{"here, with another Go", machine{env: env}, of("go1.25", "x"), "", true, false},
		{"another machine", machine{env: env}, of("go1.26", "y"), "", false, false},
		{"workers like this machine", machine{env: env}, env, "c7g", true, true},
		{"the class", machine{class: "c7g"}, env, "c7g", true, true},
		{"another class", machine{class: "c7g"}, env, "c8g", false, true},
		{"no class", machine{class: "c7g"}, env, "", false, true},
	} {
		r := &record.Run{Env: tt.env}
		if tt.class != "" {
			r.Protocol.Spread = &record.Spread{Class: tt.class}
		}
		if got := tt.on.measured(r); got != tt.measured {
			t.Errorf("%s: measured %v, want %v", tt.name, got, tt.measured)
		}
		if got := tt.on.same(r); got != tt.same {
			t.Errorf("%s: same %v, want %v", tt.name, got, tt.same)
		}
	}
}
