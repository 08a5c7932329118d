package record_test

import (
	"testing"

	"github.com/perftrack/perftrack/runner/record"
)

func TestWayOf(t *testing.T) {
	ways := []record.Method{{Why: "all"}, {Package: "m", Name: "F", Why: "function"}, {Package: "m", Name: "F/a/b", Why: "leaf"}, {Name: "G", Why: "without a package"}}
	for _, tt := range []struct{ pkg, name, want string }{
		{"m", "F/a/b", "leaf"}, {"m", "F/a/c", "function"}, {"m", "F", "function"}, {"m", "FF", "all"},
		{"other", "F/a", "all"}, {"m", "G/1", "without a package"}, {"", "", "all"},
	} {
		if w, ok := record.MethodOf(ways, tt.pkg, tt.name); !ok || w.Why != tt.want {
			t.Errorf("%s.%s has the way %q, want %q", tt.pkg, tt.name, w.Why, tt.want)
		}
	}
	if w, ok := record.MethodOf(ways[1:], "m", "H"); ok {
		t.Errorf("H has the way %+v", w)
	}
}
