package reading

import (
	"bytes"
	"testing"
)

func TestFills(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{"row 1\nrow 2\n", true},
		{"starting\nrow 1\r\n    at main.cc\n", true},
		{"It is fast:\nThe table:\nrow 1\nSee the docs.\n", false},
		{"", false},
	} {
		ours := func(line []byte) bool { return bytes.HasPrefix(line, []byte("row ")) }
		if got := Fills([]byte(tt.text), ours); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}
