package gitrepo

import (
	"fmt"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func TestTags(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 3)
	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if tags, err := repo.Tags(t.Context()); err != nil || len(tags) != 0 {
		t.Errorf("tags of none: %v, %v", tags, err)
	}
	gittest.Run(t, dir, "tag", "light", "HEAD~1")
	gittest.Run(t, dir, "tag", "-m", "annotated", "release/v1", "HEAD~1")
	gittest.Run(t, dir, "tag", "-m", "a tag of a tag", "again", "release/v1")
	gittest.Run(t, dir, "tag", "other", "HEAD")
	gittest.Run(t, dir, "tag", "tree", "HEAD^{tree}") // does not point to a commit
	tags, err := repo.Tags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for rev, want := range map[string]string{"HEAD": "[other]", "HEAD~1": "[again light release/v1]", "HEAD~2": "[]"} {
		c, err := repo.Resolve(t.Context(), rev)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(tags[c.SHA]); got != want {
			t.Errorf("tags of %s: %s, want %s", rev, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 3)
	gittest.Run(t, dir, "tag", "-m", "annotated", "release/v1", "HEAD~1")
	gittest.Run(t, dir, "branch", "side", "HEAD~2")
	repo, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ refs, commits, want int }{{10, 2, 5}, {1, 10, 4}} {
		names, err := repo.Names(t.Context(), tt.refs, tt.commits)
		if err != nil || len(names) != tt.want {
			t.Errorf("%+v: %q, %v", tt, names, err)
		}
		for _, n := range names {
			if _, err := repo.Resolve(t.Context(), n.Name); err != nil || n.Subject == "" {
				t.Errorf("%+v: %v", n, err)
			}
		}
	}
	empty, err := Open(t.Context(), gittest.New(t, 0))
	if err != nil {
		t.Fatal(err)
	}
	if names, err := empty.Names(t.Context(), 10, 10); err != nil || len(names) != 0 {
		t.Errorf("of no commit: %q, %v", names, err)
	}
}
