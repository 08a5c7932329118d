package parcel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/gitrepo/internal/gittest"
)

func cloneAt(t *testing.T, dir string) *Clone {
	t.Helper()
	repo, err := gitrepo.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	return Of(repo)
}

func idOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// writeFile writes a parcel with a single file.
func writeFile(ctx context.Context, repo *Clone, parcel, file, text string) (Parcel, error) {
	return repo.Write(ctx, nil, func(w *Writer) (string, error) { return parcel, w.Write(file, []byte(text)) })
}

// writeRuns writes one parcel for each text.
func writeRuns(t *testing.T, repo *Clone, texts ...string) (all []Parcel) {
	t.Helper()
	for _, text := range texts {
		id := idOf(text)
		made, err := writeFile(t.Context(), repo, "runs/"+id, id+".run", text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, made)
	}
	return all
}

// contents returns all files in the parcels of list, as "parcel file content".
func contents(t *testing.T, repo *Clone, list []Parcel) (out []string) {
	t.Helper()
	err := repo.Files(t.Context(), list, func(p Parcel, files []File, _ int, err error) error {
		if err != nil {
			out = append(out, p.Name[:9]+": "+err.Error())
			return nil
		}
		return repo.Read(t.Context(), files, func(f File, size int64, content io.Reader) error {
			text, err := io.ReadAll(content)
			if int64(len(text)) != size {
				t.Errorf("%s has %d bytes, not %d", f.Name, len(text), size)
			}
			out = append(out, p.Name[:9]+" "+f.Name[:4]+f.Name[64:]+" "+string(text))
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestParcels(t *testing.T) {
	gittest.Isolate(t)
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			bare, a, b := gittest.TempDir(t), gittest.TempDir(t), gittest.TempDir(t)
			gittest.Run(t, bare, "init", "--quiet", "--bare", "--object-format="+format)
			gittest.Run(t, a, "init", "--quiet", "--object-format="+format)
			gittest.Run(t, b, "init", "--quiet", "--object-format="+format)
			one, two := cloneAt(t, a), cloneAt(t, b)
			made := writeRuns(t, one, "first\n", "second\n", "")
			if again := writeRuns(t, two, "first\n", "second\n", ""); !slices.Equal(made, again) {
				t.Errorf("the same files are %v here and %v there", made, again)
			}
			if kept, err := one.List(t.Context()); err != nil || len(kept) != 3 {
				t.Errorf("kept %v, %v", kept, err)
			}
			if refused, err := one.Push(t.Context(), bare, made, nil, nil); err != nil || len(refused) != 0 {
				t.Fatalf("%v, %v", refused, err)
			}
			gittest.Run(t, a, "fsck", "--strict")
			theirs, others, err := two.ListRemote(t.Context(), bare)
			if err != nil || len(theirs) != 3 || others != 0 {
				t.Fatalf("%v, %d, %v", theirs, others, err)
			}
			if err := two.Fetch(t.Context(), bare, theirs); err != nil {
				t.Fatal(err)
			}
			if err := two.Keep(t.Context(), theirs, nil); err != nil {
				t.Fatal(err)
			}
			got := strings.Join(contents(t, two, theirs), "|")
			for _, want := range []string{".run first\n", ".run second\n", ".run "} {
				if !strings.Contains(got, want) {
					t.Errorf("read %q, want %q", got, want)
				}
			}
			// Users do not see parcels among their branches or tags.
			if out := gittest.Run(t, b, "branch", "-a") + gittest.Run(t, b, "tag"); out != "" {
				t.Errorf("branches and tags: %q", out)
			}
			refused, err := two.Push(t.Context(), bare, nil, theirs[:1], nil)
			left, _, err2 := two.ListRemote(t.Context(), bare)
			if err := errors.Join(err, err2); err != nil || len(refused) != 0 || !slices.Equal(left, theirs[1:]) {
				t.Errorf("after a removal: %v, %v, %v", left, refused, err)
			}
		})
	}
}

// A push never replaces a reference that already has the parcel's name: the remote refuses it and
// keeps the old commit.
func TestParcelNameTaken(t *testing.T) {
	gittest.Isolate(t)
	bare, dir := gittest.TempDir(t), gittest.New(t, 1)
	gittest.Run(t, bare, "init", "--quiet", "--bare")
	repo := cloneAt(t, dir)
	name := "runs/" + idOf("x")
	gittest.Run(t, dir, "push", "--quiet", bare, "HEAD:"+parcelRefs+name)
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	made := writeRuns(t, repo, "x")
	refused, err := repo.Push(t.Context(), bare, made, nil, nil)
	if err != nil || refused[name].Reason == "" {
		t.Errorf("refused %v, %v", refused, err)
	}
	theirs, _, err := repo.ListRemote(t.Context(), bare)
	if err != nil || len(theirs) != 1 || theirs[0].Commit != head {
		t.Errorf("the remote has %v, %v", theirs, err)
	}
	// A name can also be taken in this clone.
	gittest.Run(t, dir, "update-ref", parcelRefs+"runs/"+idOf("y"), head)
	made = writeRuns(t, repo, "y", "z")
	if len(made) != 2 || made[0].Commit == head {
		t.Errorf("made %v", made)
	}
	if got := gittest.Run(t, dir, "rev-parse", parcelRefs+"runs/"+idOf("y")); got != head {
		t.Errorf("the reference was moved to %s", got)
	}
	if got := contents(t, repo, made); len(got) != 2 {
		t.Errorf("read %q", got)
	}
}

// References with names of any other form are counted, but never passed to git.
func TestHostileParcels(t *testing.T) {
	gittest.Isolate(t)
	bare, dir := gittest.TempDir(t), gittest.New(t, 1)
	gittest.Run(t, bare, "init", "--quiet", "--bare")
	gittest.Run(t, dir, "push", "--quiet", bare, "HEAD:refs/heads/main")
	canary := filepath.Join(t.TempDir(), "canary")
	id := idOf("x")
	for _, ref := range []string{
		"refs/perftrack/runs/--upload-pack=x", "refs/perftrack/runs/$(touch " + canary + ")", "refs/perftrack/runs/" + id + ";id",
		"refs/perftrack/runs/" + strings.ToUpper(id), "refs/perftrack/runs/" + id + "0", "refs/perftrack/" + id, "refs/perftrack/x/" + id,
		"refs/perftrack/runs/a/" + id, "refs/perftrack/runs/abc", "refs/perftrack/runs/" + id[:63] + "\u00e9", "refs/perftrackx/runs/" + id,
		"refs/heads/refs/perftrack/runs/" + id,
	} {
		gittest.WriteFile(t, bare, ref, gittest.Run(t, dir, "rev-parse", "HEAD")+"\n")
	}
	repo := cloneAt(t, dir)
	theirs, others, err := repo.ListRemote(t.Context(), bare)
	if err != nil || len(theirs) != 0 || others < 7 {
		t.Errorf("%v, %d others, %v", theirs, others, err)
	}
	if _, err := os.Lstat(canary); err == nil {
		t.Error("the canary was made")
	}
	for _, name := range []string{"runs/--x", "runs/../../heads/main", "heads/main", "", "runs/" + id + "\n"} {
		if _, err := writeFile(t.Context(), repo, name, id+".run", ""); err == nil {
			t.Errorf("made a parcel %q", name)
		}
	}
	for _, name := range []string{"x", id, id + ".", id + ".run/x", "../" + id + ".run", id + ".run\nD x", ".git"} {
		if _, err := writeFile(t.Context(), repo, "runs/"+id, name, ""); err == nil {
			t.Errorf("made a file %q", name)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".git", "fast_import_crash_*")); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	if kept, err := repo.List(t.Context()); err != nil || len(kept) != 0 {
		t.Errorf("kept %v, %v", kept, err)
	}
}

// A reference with a valid name need not point to a parcel.
func TestOddParcels(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	gittest.WriteFile(t, dir, "sub/file", "x")
	gittest.Run(t, dir, "add", ".")
	gittest.Run(t, dir, "commit", "--quiet", "-m", "folder")
	repo := cloneAt(t, dir)
	head := gittest.Run(t, dir, "rev-parse", "HEAD")
	blob := gittest.Run(t, dir, "rev-parse", "HEAD:n")
	link := gittest.Run(t, dir, "hash-object", "-w", "n")
	linked := strings.TrimSpace(gittest.Pipe(t, dir, fmt.Sprintf("120000 blob %s\t%s.run\n", link, idOf("l")), "mktree"))
	list := []Parcel{
		{"runs/" + idOf("a"), head}, {"runs/" + idOf("b"), blob}, {"runs/" + idOf("c"), strings.Repeat("1", 40)}, {"runs/" + idOf("d"), linked},
	}
	var got []string
	err := repo.Files(t.Context(), list, func(p Parcel, files []File, _ int, err error) error {
		got = append(got, fmt.Sprint(len(files), " ", err))
		return nil
	})
	want := []string{
		`0 its entry "n" is not a regular file`, "0 it is not a commit with files", "0 it is not a commit with files",
		fmt.Sprintf("0 its entry %q is not a regular file", idOf("l")+".run"),
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v\nwant %q", got, err, want)
	}
	err = repo.Read(t.Context(), []File{{"x", head}, {"y", strings.Repeat("1", 40)}, {"z", blob}}, func(f File, size int64, content io.Reader) error {
		if (content != nil) != (f.Name == "z") {
			t.Errorf("%s: content %v", f.Name, content)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	for _, raw := range []string{"100644", "100644 x", "100644 x\x00", "100644 x\x00short"} {
		if files, _, err := parseTree([]byte(raw), 20); err == nil {
			t.Errorf("parseTree(%q) = %v", raw, files)
		}
	}
	mixed := "100644 .gitmodules\x00" + strings.Repeat("h", 20) + "100644 " + idOf("x") + ".run\x00" + strings.Repeat("h", 20)
	if files, others, err := parseTree([]byte(mixed), 20); err != nil || len(files) != 1 || others != 1 {
		t.Errorf("%v, %d others, %v", files, others, err)
	}
	big := strings.Repeat("100644 "+idOf("x")+".run\x00"+strings.Repeat("h", 20), MaxFiles)
	if files, _, err := parseTree([]byte(big), 20); err != nil || len(files) != MaxFiles {
		t.Errorf("%d files, %v", len(files), err)
	}
	if _, _, err := parseTree([]byte(big+big[:100]), 20); err == nil {
		t.Error("one file too many is taken")
	}
}

func TestRemote(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := cloneAt(t, dir)
	if _, err := repo.Remote(t.Context(), "", dir); !errors.Is(err, ErrNoRemote) {
		t.Errorf("no remote: %v", err)
	}
	gittest.Run(t, dir, "remote", "add", "up", "/nowhere")
	for _, tt := range []struct{ name, want string }{
		{"", "up"}, {"up", "up"}, {"/abs/x.git", "/abs/x.git"}, {"https://example.org/x", "https://example.org/x"},
		{"git@example.org:x", "git@example.org:x"}, {"../x.git", "/some/x.git"},
	} {
		if got, err := repo.Remote(t.Context(), tt.name, "/some/where"); err != nil || got != tt.want {
			t.Errorf("Remote(%q) = %q, %v", tt.name, got, err)
		}
	}
	for _, name := range []string{"-x", "--upload-pack=touch x", "a\x00b", "a\nb"} {
		if got, err := repo.Remote(t.Context(), name, "/some/where"); err == nil {
			t.Errorf("Remote(%q) = %q", name, got)
		}
	}
	gittest.Run(t, dir, "remote", "add", "fork", "/nowhere")
	if _, err := repo.Remote(t.Context(), "", dir); err == nil || !strings.Contains(err.Error(), "fork") {
		t.Errorf("two remotes: %v", err)
	}
	gittest.Run(t, dir, "remote", "add", "origin", "/nowhere")
	if got, err := repo.Remote(t.Context(), "", dir); err != nil || got != "origin" {
		t.Errorf("origin: %q, %v", got, err)
	}
	_, _, err := repo.ListRemote(t.Context(), "origin")
	var remote *RemoteError
	if !errors.As(err, &remote) || remote.Denied || remote.Action != "read" {
		t.Errorf("an unreachable remote: %v", err)
	}
	canary := filepath.Join(t.TempDir(), "canary")
	if _, _, err := repo.ListRemote(t.Context(), "ext::touch "+canary); err == nil {
		t.Error("ext:: was followed")
	}
	if _, err := os.Lstat(canary); err == nil {
		t.Error("the canary was made")
	}
}

// A lock left behind by git when the machine crashed does not block for long.
func TestStaleLocks(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	repo := cloneAt(t, dir)
	stale, held := ".git/"+parcelRefs+"runs/"+idOf("x")+".lock", ".git/"+parcelRefs+"runs/"+idOf("y")+".lock"
	gittest.WriteFile(t, dir, stale, "")
	gittest.WriteFile(t, dir, held, "")
	gittest.WriteFile(t, dir, ".git/refs/heads/other.lock", "")
	old := time.Now().Add(-time.Hour)
	for _, name := range []string{stale, ".git/refs/heads/other.lock"} {
		if err := os.Chtimes(filepath.Join(dir, name), old, old); err != nil {
			t.Fatal(err)
		}
	}
	unlock, err := repo.Lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if made := writeRuns(t, repo, "x"); len(made) != 1 {
		t.Errorf("made %v", made)
	}
	for _, name := range []string{held, ".git/refs/heads/other.lock"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	// While the lock is held, Lock waits, and its context can cancel the wait.
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	waited := false
	if _, err := repo.Lock(ctx, func() { waited = true }); !errors.Is(err, context.DeadlineExceeded) || !waited {
		t.Errorf("locked twice: %v, waited %v", err, waited)
	}
	unlock()
	unlock, err = repo.Lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	unlock()
}

// A git process creating references finishes even if its perftrack is killed. Until then, no other
// exchange may begin.
func TestLockOutlivesPerftrack(t *testing.T) {
	gittest.Isolate(t)
	dir := gittest.New(t, 1)
	one, two := cloneAt(t, dir), cloneAt(t, dir)
	unlock, err := one.Lock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	lock := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		defer cancel()
		unlock, err := two.Lock(ctx, nil)
		if err == nil {
			unlock()
		}
		return err
	}
	made, err := one.Write(t.Context(), nil, func(w *Writer) (string, error) {
		big := make([]byte, 1<<20) // so that git has begun to read
		if err := w.Write(idOf("x")+".run", big); err != nil {
			return "", err
		}
		unlock() // as the end of the process would
		if err := lock(); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("locked while git writes: %v", err)
		}
		return "runs/" + idOf("x"), nil
	})
	if err != nil || !made.Valid() {
		t.Errorf("made %v, %v", made, err)
	}
	if err := lock(); err != nil {
		t.Error(err)
	}
}

// The name of the remote does not affect the detection of denials.
func TestDenied(t *testing.T) {
	for stderr, want := range map[string]bool{
		"fatal: '/tmp/1403/401' does not appear to be a git repository":                              false,
		"fatal: unable to access 'https://h/x/': The requested URL returned error: 403":              true,
		"error: RPC failed; HTTP 401 curl 22 The requested URL returned error: 401":                  true,
		"git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.":       true,
		"ssh: Could not resolve hostname h403: Name or service not known\nfatal: Could not read it.": false,
	} {
		if got := isDenial(stderr); got != want {
			t.Errorf("%q: denied %v, want %v", stderr, got, want)
		}
	}
}

func TestEssence(t *testing.T) {
	for _, tt := range []struct{ stderr, want string }{
		{"fatal: '/x' does not appear to be a git repository\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.", "'/x' does not appear to be a git repository"},
		{"ssh: connect to host h port 22: Connection refused\r\nfatal: Could not read from remote repository.", "ssh: connect to host h port 22: Connection refused"},
		{"remote: error: no room        \nremote: \nerror: failed to push some refs to 'x'", "no room"},
		{"error: failed to push some refs to 'x'", ""},
		{"", ""},
		{strings.Repeat("\u00e9", 400), strings.Repeat("\u00e9", 250) + "..."},
	} {
		if got := essence(tt.stderr); got != tt.want {
			t.Errorf("essence(%q) = %q, want %q", tt.stderr, got, tt.want)
		}
	}
	for name, want := range map[string]string{
		"origin": "origin", "https://u:p@h/x": "https://h/x", "https://u:p@@h/x@y": "https://h/x@y", "git@h:x": "git@h:x", "/a@b/c": "/a@b/c",
	} {
		if got := ShownRemote(name); got != want {
			t.Errorf("ShownRemote(%q) = %q, want %q", name, got, want)
		}
	}
}
