package parcel

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// A parcel that includes others is sent and received without their files, in repositories with an
// unrelated history.
func TestParents(t *testing.T) {
	gittest.Isolate(t)
	bare, a, b := gittest.TempDir(t), gittest.New(t, 1), gittest.TempDir(t)
	gittest.Run(t, bare, "init", "--quiet", "--bare")
	gittest.Run(t, b, "init", "--quiet")
	gittest.Pipe(t, bare, history("main", 1, 1800000000), "fast-import", "--quiet")
	gittest.Run(t, b, "fetch", "--quiet", bare, "main:main")
	gittest.Pipe(t, b, history("old", 1000, 1700000000), "fast-import", "--quiet")
	for dir, key := range map[string]string{bare: "receive.unpackLimit", b: "fetch.unpackLimit"} {
		gittest.Run(t, dir, "config", key, "1") // keep each transfer as a pack
	}
	one, two := cloneAt(t, a), cloneAt(t, b)
	first := writeMany(t, one, "first", 50, nil)
	send := func(p Parcel) {
		t.Helper()
		if refused, err := one.Push(t.Context(), bare, []Parcel{p}, nil, nil); err != nil || len(refused) > 0 {
			t.Fatalf("push: %v, %v", refused, err)
		}
		if err := two.Fetch(t.Context(), bare, []Parcel{p}); err != nil {
			t.Fatal(err)
		}
		if err := two.Keep(t.Context(), []Parcel{p}, nil); err != nil {
			t.Fatal(err)
		}
	}
	send(first)
	other := writeMany(t, one, "other", 2, nil)
	send(other)
	before := [2]int{packed(t, bare), packed(t, filepath.Join(b, ".git"))}
	second := writeMany(t, one, "second", 1, []Parcel{first, other})
	send(second)
	for i, dir := range []string{bare, filepath.Join(b, ".git")} {
		// A commit, its tree and a file are transferred, and perhaps the old tree as the base of a
		// delta.
		if n := packed(t, dir) - before[i]; before[i] < 56 || n < 3 || n > 4 {
			t.Errorf("%d objects were transferred first, %d later", before[i], n)
		}
	}
	if got := contents(t, two, []Parcel{second}); len(got) != 53 {
		t.Errorf("%d files", len(got))
	}
	parents, err := two.Parents(t.Context(), []Parcel{first, other, second})
	if err != nil || len(parents) != 1 || !slices.Equal(parents[second.Commit], []string{first.Commit, other.Commit}) {
		t.Errorf("parents %v, %v", parents, err)
	}
}

// history returns a branch with n commits for git fast-import, one second apart, beginning at
// start.
func history(branch string, n, start int) string {
	var in strings.Builder
	for i := range n {
		fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter C <c@example.com> %d +0000\ndata 0\n\n", branch, start+i)
	}
	return in.String()
}

// writeMany writes a parcel with n new files and the files of its parents.
func writeMany(t *testing.T, c *Clone, label string, n int, parents []Parcel) Parcel {
	t.Helper()
	var old []File
	err := c.Files(t.Context(), parents[min(1, len(parents)):], func(_ Parcel, files []File, _ int, err error) error {
		old = append(old, files...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	made, err := c.Write(t.Context(), parents, func(w *Writer) (string, error) {
		for i := range n {
			text := idOf(fmt.Sprint(label, i))
			if err := w.Write(idOf(text)+".run", []byte(text)); err != nil {
				return "", err
			}
		}
		for _, f := range old {
			if err := w.Add(f); err != nil {
				return "", err
			}
		}
		return "packs/" + idOf(label), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// packed returns the number of objects in a repository's packs. An object in two packs counts
// twice.
func packed(t *testing.T, gitDir string) (n int) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(gitDir, "objects", "pack", "*.idx"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pack := range packs {
		for line := range strings.Lines(gittest.Run(t, gitDir, "verify-pack", "-v", pack)) {
			if f := strings.Fields(line); len(f) >= 5 && len(f[0]) == 40 {
				n++
			}
		}
	}
	return n
}

// Write makes no parcel without files. Parcels with different names have different commits.
func TestWrite(t *testing.T) {
	gittest.Isolate(t)
	repo := cloneAt(t, gittest.New(t, 1))
	empty, err := repo.Write(t.Context(), nil, func(*Writer) (string, error) { return "packs/" + idOf("x"), nil })
	if kept, err2 := repo.List(t.Context()); err != nil || err2 != nil || empty.Commit != "" || len(kept) != 0 {
		t.Errorf("made %v, %v; kept %v, %v", empty, err, kept, err2)
	}
	commits := map[string]bool{}
	for _, name := range []string{"packs/" + idOf("x"), "packs/" + idOf("y")} {
		made, err := writeFile(t.Context(), repo, name, idOf("z")+".run", "z")
		if err != nil || made.Name != name {
			t.Errorf("made %v, %v", made, err)
		}
		commits[made.Commit] = true
	}
	if len(commits) != 2 {
		t.Errorf("commits %v", commits)
	}
}

func TestHolds(t *testing.T) {
	for _, tt := range []struct {
		blob, content string
		want          bool
	}{
		{"587be6b4c3f93f93c489c0111bba5596147a26cb", "x\n", true},
		{"587be6b4c3f93f93c489c0111bba5596147a26cb", "y\n", false},
		{"587be6b4c3f93f93c489c0111bba5596147a26cb", "", false},
		{"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813", "", true},
		{"473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813", "x\n", false},
	} {
		if got := (File{Blob: tt.blob}).Holds([]byte(tt.content)); got != tt.want {
			t.Errorf("%.8s holds %q: %v, want %v", tt.blob, tt.content, got, tt.want)
		}
	}
}
