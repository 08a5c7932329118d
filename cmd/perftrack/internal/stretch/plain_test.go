package stretch

import (
	"reflect"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/config"
)

// The worker gets what the user has configured.
func TestPlainTravels(t *testing.T) {
	target := config.Target{
		Name: "a", Kind: config.GoTest, Packages: []string{"./..."}, Only: []string{"./x"}, Layout: config.LayoutAccept, Bench: "Sort",
		Benchtime: "20ms", Procs: config.Procs{1, 4}, Timeout: time.Minute, Env: []string{"KEY"},
	}
	c := config.Default()
	c.Defaults.Isolate, c.Defaults.CPUs = true, config.CPUs{2, 3}
	c.Targets = []config.Target{target}
	c.Rules = []config.Rule{{Bench: "Sort/*", Threshold: 0.02}}
	p := Plain{Dir: "sub/dir", Config: c}
	got, err := ParsePlain(p.String())
	if err != nil || !reflect.DeepEqual(*got, p) {
		t.Errorf("read %+v, %v, want %+v", got, err, p)
	}
}

func TestPlainRefuses(t *testing.T) {
	for _, text := range []string{
		``, `{`, `{}`, `{"dir":"."}`, `{"dir":".","config":{}}`, `{"dir":"","config":{"Targets":[{"Name":"a"}]}}`,
		`{"dir":"../a","config":{"Targets":[{"Name":"a"}]}}`, `{"dir":"/a","config":{"Targets":[{"Name":"a"}]}}`,
		`{"dir":".","config":{"Targets":[{"Name":"a"},{"Name":"b"}]}}`,
	} {
		if p, err := ParsePlain(text); err == nil {
			t.Errorf("%s is %+v", text, p)
		}
	}
}
