package gitrepo

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

// script creates a repository. Each line describes one commit, and its words write (name=text),
// delete (-name) or move (a>b) files, or start (switch=), check out (back=) or merge (merge=) a
// branch.
func script(t *testing.T, lines ...string) string {
	t.Helper()
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "--quiet", "--initial-branch=main")
	for i, line := range lines {
		for word := range strings.FieldsSeq(line) {
			name, text, _ := strings.Cut(word, "=")
			from, to, _ := strings.Cut(word, ">")
			switch {
			case strings.HasPrefix(word, "-"):
				gittest.Run(t, dir, "rm", "--quiet", word[1:])
			case to != "":
				gittest.WriteFile(t, dir, to, "")
				gittest.Run(t, dir, "mv", "--force", from, to)
			case name == "switch":
				gittest.Run(t, dir, "checkout", "--quiet", "-B", text)
			case name == "back":
				gittest.Run(t, dir, "checkout", "--quiet", text)
			case name == "merge":
				gittest.Run(t, dir, "merge", "--quiet", "--no-ff", "--no-commit", "--strategy=ours", text)
			default:
				gittest.WriteFile(t, dir, name, body(text))
				gittest.Run(t, dir, "add", "--force", name)
			}
		}
		gittest.Run(t, dir, "commit", "--quiet", "--allow-empty", "-m", fmt.Sprint("c", i))
	}
	return dir
}

// body returns the content of a file with many lines, most of them the same in all versions.
func body(text string) string {
	return strings.Repeat("a line that stays\n", 20) + text + "\n"
}

func TestFileHistory(t *testing.T) {
	gittest.Isolate(t)
	moved := script(t, "a=1 other=x", "other=y", "a=2", "a>s/b", "s/b=3", "s/b>c c=4 other=z", "-c", "c=5", "c=4")
	merged := script(t, "a=1 b=6", "switch=side a=2", "back=main b=7", "merge=side", "a=3", "switch=evil a=4", "back=main b=8", "merge=evil a=5")
	reused := script(t, "a=1", "a>b", "a=9", "b=2 x=1 y=1")
	for _, tt := range []struct {
		name, dir, path string
		glob            bool
		want            string // commit:path=text
	}{
		{"every version once", moved, "other", false, "c0:other=x c1:other=y c5:other=z"},
		// c3 only moves the file, c5 moves and changes it, c6 deletes it, and c8 brings back the
		// content from c5.
		{"followed over moves, deleted and made again", moved, "c", false, "c0:a=1 c2:a=2 c4:s/b=3 c5:c=4 c7:c=5"},
		{"an old name ends where it was moved", moved, "a", false, "c0:a=1 c2:a=2"},
		{"folder", moved, "s", false, "c3:s/b=2 c4:s/b=3"},
		{"root", reused, ".", false, "c0:a=1 c2:a=9 c3:b=2"},
		{"glob", moved, "**/[bc]", true, "c3:s/b=2 c4:s/b=3 c5:c=4 c7:c=5"},
		{"no glob", moved, "**/[bc]", false, ""},
		{"never there", moved, "nothing", false, ""},
		{"a branch whose changes a merge left out, and a merge's own", merged, "a", false, "c0:a=1 c1:a=2 c4:a=3 c5:a=4 c7:a=5"},
		{"a merge of changed folders is no version", merged, ".", false, "c0:a=1 c0:b=6 c2:b=7 c1:a=2 c4:a=3 c6:b=8 c5:a=4 c7:a=5"},
		{"the old name is used again", reused, "b", false, "c0:a=1 c3:b=2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h, err := open(t, tt.dir).FileHistory(t.Context(), Files{Path: tt.path, Glob: tt.glob})
			if err != nil {
				t.Fatal(err)
			}
			if got := told(t, tt.dir, h.Versions); got != tt.want {
				t.Errorf("versions\n%s\nwant\n%s", got, tt.want)
			}
			if h.Shallow || len(h.Cut) > 0 {
				t.Errorf("a full clone is shallow: %v", h.Cut)
			}
		})
	}
}

// told formats versions as commit:path=text.
func told(t *testing.T, dir string, versions []Version) string {
	t.Helper()
	var out []string
	err := open(t, dir).Contents(t.Context(), versions, func(v Version, content io.Reader) error {
		text, err := io.ReadAll(content)
		if int64(len(text)) != v.Size {
			t.Errorf("%s has %d bytes, not %d", v.Path, len(text), v.Size)
		}
		lines := strings.Fields(string(text))
		out = append(out, v.Commit.Subject+":"+v.Path+"="+lines[len(lines)-1])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(out, " ")
}

// Versions reachable only from unmerged branches and tags are counted, and read on demand.
func TestFileHistoryOfOtherBranches(t *testing.T) {
	gittest.Isolate(t)
	dir := script(t, "a=1 b=1", "switch=side a=2", "a=3", "back=main b=2", "switch=merged a=4", "back=main b=3", "merge=merged")
	gittest.Run(t, dir, "checkout", "--quiet", "--detach", "HEAD~1")
	gittest.WriteFile(t, dir, "a", body("5"))
	gittest.Run(t, dir, "commit", "--quiet", "-am", "tagged")
	gittest.Run(t, dir, "tag", "v1")
	gittest.Run(t, dir, "checkout", "--quiet", "main")
	gittest.Run(t, dir, "update-ref", "refs/perftrack/kept", "refs/heads/side")
	for _, tt := range []struct {
		files     Files
		want      string
		elsewhere int
	}{
		{Files{Path: "a"}, "c0:a=1 c4:a=4", 3},
		{Files{Path: "a", All: true}, "c0:a=1 c1:a=2 c2:a=3 c4:a=4 tagged:a=5", 0},
		{Files{Path: "[a]", Glob: true}, "c0:a=1 c4:a=4", 3},
		{Files{Path: "[a]", Glob: true, All: true}, "c0:a=1 c1:a=2 c2:a=3 c4:a=4 tagged:a=5", 0},
		{Files{Path: "b"}, "c0:b=1 c3:b=2 c5:b=3", 0},
	} {
		h, err := open(t, dir).FileHistory(t.Context(), tt.files)
		if err != nil {
			t.Fatal(err)
		}
		// Git decides how to order separate lines of history.
		got := strings.Join(slices.Sorted(strings.FieldsSeq(told(t, dir, h.Versions))), " ")
		if got != tt.want || h.Elsewhere != tt.elsewhere {
			t.Errorf("%+v: versions %s, %d elsewhere; want %s, %d", tt.files, got, h.Elsewhere, tt.want, tt.elsewhere)
		}
	}
	gittest.Run(t, dir, "branch", "--quiet", "-D", "side")
	gittest.Run(t, dir, "tag", "-d", "v1")
	if h, err := open(t, dir).FileHistory(t.Context(), Files{Path: "a"}); err != nil || h.Elsewhere != 0 {
		t.Errorf("what perftrack keeps under refs/ is a branch: %d elsewhere, %v", h.Elsewhere, err)
	}
}

// The first content in a shallow clone may come from a missing commit.
func TestFileHistoryShallow(t *testing.T) {
	gittest.Isolate(t)
	upstream := script(t, "a=1", "a=2", "b=1", "a=3", "a=2")
	for _, tt := range []struct{ depth, want, cut string }{
		{"1", "", "c4:a=2"},
		{"2", "c4:a=2", "c3:a=3"},
		{"3", "c3:a=3", "c2:a=2"}, // c4 brings the first content back
		{"4", "c3:a=3", "c1:a=2"}, // c1 wrote it, but is missing in this clone
		{"9", "c0:a=1 c1:a=2 c3:a=3", ""},
	} {
		clone := filepath.Join(gittest.TempDir(t), "clone")
		gittest.Run(t, upstream, "clone", "--quiet", "--depth="+tt.depth, "file://"+upstream, clone)
		h, err := open(t, clone).FileHistory(t.Context(), Files{Path: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if got, cut := told(t, clone, h.Versions), told(t, clone, h.Cut); got != tt.want || cut != tt.cut || h.Shallow != (tt.depth != "9") {
			t.Errorf("depth %s: versions %q, cut %q, shallow %v; want %q, %q", tt.depth, got, cut, h.Shallow, tt.want, tt.cut)
		}
	}
}

// Reading from a partial clone fetches nothing.
func TestFileHistoryPartialClone(t *testing.T) {
	gittest.Isolate(t)
	upstream := script(t, "a=1", "a=2")
	gittest.Run(t, upstream, "config", "uploadpack.allowFilter", "true")
	clone := filepath.Join(gittest.TempDir(t), "clone")
	gittest.Run(t, upstream, "clone", "--quiet", "--no-checkout", "--filter=blob:none", "file://"+upstream, clone)
	_, err := open(t, clone).FileHistory(t.Context(), Files{Path: "a"})
	if err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter") {
		t.Fatalf("error = %v", err)
	}
	gittest.Run(t, clone, "fetch", "--quiet", "--refetch", "--no-filter")
	h, err := open(t, clone).FileHistory(t.Context(), Files{Path: "a"})
	if err != nil || told(t, clone, h.Versions) != "c0:a=1 c1:a=2" {
		t.Errorf("after the fetch: %v, %v", h.Versions, err)
	}
}

// Git never interprets a path as an option, a pattern or several paths, and only files count.
func TestFileHistoryOddPaths(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "--quiet")
	names := []string{"--output=x", "[a]*?.md", ":(top)", ":!a", "a\nb", "a\tb \"c\"", "wörter", "a"}
	for _, name := range names {
		gittest.WriteFile(t, dir, name, name)
	}
	if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "all")
	for _, name := range append(names, "link") {
		h, err := open(t, dir).FileHistory(t.Context(), Files{Path: name})
		var got []string
		for _, v := range h.Versions {
			got = append(got, v.Path)
		}
		if want := []string{name}; err != nil || name != "link" && !slices.Equal(got, want) || name == "link" && got != nil {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
}

func TestFileHistoryWithoutCommit(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.TempDir(t)
	gittest.Run(t, dir, "init", "--quiet")
	_, err := open(t, dir).FileHistory(t.Context(), Files{Path: "a"})
	if err == nil || !strings.Contains(err.Error(), "has no commits yet") {
		t.Errorf("error = %v", err)
	}
}

// A reader may stop early or leave content unread, and still gets the right content.
func TestContents(t *testing.T) {
	gittest.Isolate(t)
	big := strings.Repeat("0123456789abcdef", 1<<16) // more than fits into a pipe
	dir := script(t, "a="+big[:1<<15], "a=2", "a=3")
	gittest.WriteFile(t, dir, "a", big)
	gittest.Run(t, dir, "commit", "--quiet", "-am", "big")
	repo := open(t, dir)
	h, err := repo.FileHistory(t.Context(), Files{Path: "a"})
	if err != nil || len(h.Versions) != 4 {
		t.Fatal(h, err)
	}
	slices.Reverse(h.Versions)
	last := ""
	if err := repo.Contents(t.Context(), h.Versions, func(v Version, content io.Reader) error {
		part := make([]byte, 10)
		_, err := io.ReadFull(content, part)
		last = v.Commit.Subject + " " + string(part)
		return err
	}); err != nil || last != "c0 a line tha" {
		t.Errorf("read %q, %v", last, err)
	}
	stop := errors.New("stop")
	n := 0
	err = repo.Contents(t.Context(), h.Versions, func(Version, io.Reader) error { n++; return stop })
	if !errors.Is(err, stop) || n != 1 {
		t.Errorf("stopped: %v after %d", err, n)
	}
}
