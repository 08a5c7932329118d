package tools

import (
	"slices"
	"testing"

	"github.com/perftrack/perftrack/mcp/place"
)

// An undecided check has a different exit status from a decided one.
func TestCheckIsStrict(t *testing.T) {
	at, err := place.Locate(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{place: at}
	for _, tt := range []struct {
		in           checkInput
		flags, words []string
	}{
		{checkInput{}, []string{"--strict=true", "--budget=5m0s"}, nil},
		{checkInput{Base: "main", Head: "HEAD", Bench: "Sum|Max", Targets: []string{"./a"}, Budget: "90s"},
			[]string{"--strict=true", "--budget=1m30s", "--base=main", "--head=HEAD", "--bench=Sum|Max"}, []string{"./a"}},
	} {
		r, err := s.check(tt.in)
		if err != nil || !slices.Equal(r.Flags, tt.flags) || !slices.Equal(r.Words, tt.words) {
			t.Errorf("%+v: %q, %q, %v", tt.in, r.Flags, r.Words, err)
		}
	}
}
