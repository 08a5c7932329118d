//go:build unix

package proc

import (
	"testing"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/runner/drawtest"
)

func TestCapture(t *testing.T) {
	tests := []struct {
		head, tail int64
		in         string
		want       string
		dropped    int64
	}{
		{4, 0, "", "", 0},
		{4, 0, "abcd", "abcd", 0},
		{4, 0, "abcde", "abcd", 1},
		{4, 4, "abcdefgh", "abcdefgh", 0},
		{4, 4, "abcdefghi", "abcd\n... 1 bytes left out ...\nfghi", 1},
		{2, 3, "abcdefghijklmnopqrstuvwxyz", "ab\n... 21 bytes left out ...\nxyz", 21},
	}
	for _, tt := range tests {
		for chunk := 1; chunk <= len(tt.in)+1; chunk++ {
			c := &capture{head: tt.head, tail: tt.tail}
			for in := tt.in; len(in) > 0; {
				n := min(chunk, len(in))
				if got, err := c.Write([]byte(in[:n])); got != n || err != nil {
					t.Fatalf("Write = %d, %v", got, err)
				}
				in = in[n:]
			}
			if kept, dropped, err := c.finish(); string(kept) != tt.want || dropped != tt.dropped || err != nil {
				t.Errorf("head %d, tail %d, %q in chunks of %d: kept %q, dropped %d, %v; want %q, %d",
					tt.head, tt.tail, tt.in, chunk, kept, dropped, err, tt.want, tt.dropped)
			}
		}
	}
}

// The kept bytes are exactly the beginning and the end of the stream, and dropped is the number of
// all other bytes.
func TestCaptureKeepsBothEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &capture{head: rapid.Int64Range(0, 20).Draw(t, "head"), tail: rapid.Int64Range(0, 20).Draw(t, "tail")}
		head, tail := c.head, c.tail
		var all []byte
		for _, p := range rapid.SliceOf(rapid.SliceOfN(rapid.Byte(), 0, 30)).Draw(t, "writes") {
			all = append(all, p...)
			_, _ = c.Write(p)
			if int64(len(c.first)) > head || int64(len(c.last)) > 2*tail {
				t.Fatalf("holds %d+%d bytes with limits %d+%d", len(c.first), len(c.last), head, tail)
			}
		}
		kept, dropped, _ := c.finish()
		n := int64(len(all))
		if want := max(0, n-head-tail); dropped != want {
			t.Fatalf("dropped %d of %d with limits %d+%d, want %d", dropped, n, head, tail, want)
		}
		if dropped == 0 && string(kept) != string(all) {
			t.Fatalf("kept %q of %q", kept, all)
		}
		if dropped > 0 {
			first, last := string(all[:head]), string(all[n-tail:])
			if string(kept[:head]) != first || string(kept[int64(len(kept))-tail:]) != last {
				t.Fatalf("kept %q of %q", kept, all)
			}
		}
	})
}

func TestWholeLines(t *testing.T) {
	for in, want := range map[string]string{"": "", "ab": "ab", "a\nb": "a\n", "a\nb\n": "a\nb\n"} {
		if got := string(wholeLines([]byte(in))); got != want {
			t.Errorf("wholeLines(%q) = %q, want %q", in, got, want)
		}
	}
}
