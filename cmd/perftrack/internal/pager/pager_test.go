package pager

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProgram(t *testing.T) {
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_SYSTEM", os.DevNull)
	t.Chdir(t.TempDir())
	for _, tt := range []struct{ gitPager, pager, want string }{
		{"", "more -d", "more -d"},
		{"most", "more", "most"},
		{"cat", "more", ""},
	} {
		t.Setenv("GIT_PAGER", tt.gitPager)
		if tt.gitPager == "" {
			if err := os.Unsetenv("GIT_PAGER"); err != nil {
				t.Fatal(err)
			}
		}
		t.Setenv("PAGER", tt.pager)
		if got := Program(t.Context(), os.Getenv); got != tt.want {
			t.Errorf("GIT_PAGER=%q PAGER=%q: %q, want %q", tt.gitPager, tt.pager, got, tt.want)
		}
	}
}

// The pager gets the text and git's settings. If it fails, as less does when interrupted, the text
// is not printed again.
func TestShow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shown")
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	for _, tt := range []struct {
		program string
		environ []string
		seen    bool
		want    string
	}{
		{`cat; printf " $LESS $LV"`, []string{"PATH=" + os.Getenv("PATH")}, true, "text FRX -c"},
		{`cat; printf " $LESS"`, []string{"PATH=" + os.Getenv("PATH"), "LESS=S"}, true, "text S"},
		{"cat; exit 2", []string{"PATH=" + os.Getenv("PATH")}, true, "text"},
		{"no-such-pager-anywhere", []string{"PATH=" + os.Getenv("PATH")}, false, ""},
	} {
		if err := out.Truncate(0); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Seek(0, 0); err != nil {
			t.Fatal(err)
		}
		null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		seen := Show(t.Context(), tt.program, []byte("text"), out, null, tt.environ)
		null.Close()
		got, err := os.ReadFile(path)
		if err != nil || seen != tt.seen || string(got) != tt.want {
			t.Errorf("%s: %v, %q, %v; want %v, %q", tt.program, seen, got, err, tt.seen, tt.want)
		}
	}
}
