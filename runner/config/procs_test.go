package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestParseProcs(t *testing.T) {
	const no = ": try 1,2,4"
	for _, tt := range []struct {
		list string
		want Procs
		text string // as printed, or the error
	}{
		{"4", Procs{4}, "4"},
		{"1,2,4", Procs{1, 2, 4}, "1,2,4"},
		{" 4 , 1,2,1", Procs{1, 2, 4}, "1,2,4"},
		{"4096", Procs{4096}, "4096"},

		{"", nil, `invalid list of thread counts ""` + no},
		{"0", nil, no},
		{"-1", nil, no},
		{"a", nil, `invalid list of thread counts "a"` + no},
		{"1,", nil, no},
		{"1-4", nil, no},
		{"1.5", nil, no},
		{"4097", nil, "4097 threads are too many: the limit is 4096"},
		{"99999999999999999999", nil, no},
		{"1" + strings.Repeat(",2", 99), Procs{1, 2}, "1,2"},
	} {
		got, err := ParseProcs(tt.list)
		text := got.String()
		if err != nil {
			text = err.Error()
		}
		if (err != nil) != (tt.want == nil) || !reflect.DeepEqual(got, tt.want) || !strings.Contains(text, tt.text) {
			t.Errorf("ParseProcs(%q) = %v, %q, want %v, %q", tt.list, got, text, tt.want, tt.text)
		}
	}
}

// Only targets of kind gotest may list GOMAXPROCS values.
func TestProcsOfATarget(t *testing.T) {
	c, err := Parse([]byte("[[target]]\nname = \"a\"\nkind = \"gotest\"\nprocs = \"1,4\"\n"), "perftrack.toml")
	if err != nil || !reflect.DeepEqual(c.Targets[0].Procs, Procs{1, 4}) {
		t.Errorf("read %+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"[[target]]\nname = \"a\"\nkind = \"gotest\"\nprocs = \"0\"\n":               `procs: invalid list of thread counts "0"`,
		"[[target]]\nname = \"a\"\nkind = \"command\"\nrun = \"x\"\nprocs = \"1\"\n": "procs is only for targets of kind gotest",
	} {
		if _, err := Parse([]byte(text), "perftrack.toml"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is read with %v, want %s", text, err, want)
		}
	}
}
