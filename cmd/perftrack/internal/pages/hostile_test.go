package pages

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspacetest"
	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/sqlite"
)

// texts lists names chosen to run a script, leave a folder or break a line.
var texts = []string{
	"</script><script>alert(1)</script>", "<!--<script>", `<img/src=x/onerror="alert(1)">`, `");alert(1);("`, `\");alert(1);//`, "'-alert(1)-'", "`${alert(1)}`",
	"javascript:alert(1)", "__proto__", "../../../etc/passwd", "..", "a/../b", `C:\nul`, "%2e%2e%2f", "a?b#c&d=e", "\u2028\u2029x", "\u202egnp.exe", "\u200b\u2066x", "\ufeffx",
	"=cmd()", "@everyone", "::error::x", strings.Repeat("long", 120), "o" + strings.Repeat("\u0301", 200), "日本語/ベンチ",
}

// hostileRun returns a run with text in place of every name.
func hostileRun(sha, text string, n int) *record.Run {
	long := text
	if len(long) > 500 {
		long = long[:500]
	}
	r := &record.Run{
		Target: long, Commit: record.Commit{SHA: sha, Branch: text, Time: time.Unix(int64(1000*n), 0)}, Start: time.Unix(int64(1000*n), 0), Tool: long, Status: record.Failed,
		Trial: long, Side: record.Head, Env: record.Settings{{Key: record.KeyCPU, Value: long}}, Facts: record.Settings{{Key: record.KeyHost, Value: long}},
		Failures: []record.Failure{{Benchmark: long, Reason: long}},
	}
	unit := "u/op"
	if len(text) <= record.MaxUnitLen {
		unit = text
	}
	r.Benchmarks = []record.Benchmark{{
		BenchmarkID: record.BenchmarkID{Kind: record.Bench, Suite: long, Package: long, Name: long}, Rounds: []record.Round{{N: 1, Iters: 1}},
		Samples: []record.Samples{{Unit: unit, Values: []float64{float64(n)}}},
	}}
	return r
}

// hostileSession returns a session with hostile names for everything in its repository and
// database.
func hostileSession(t *testing.T) *workspace.Session {
	t.Helper()
	a, commit := workspacetest.New(t)
	a.DB = filepath.Join(t.TempDir(), "perftrack.db")
	db, err := sqlite.Open(t.Context(), a.DB)
	if err != nil {
		t.Fatal(err)
	}
	stored := 0
	for i, text := range texts {
		sha := commit(fmt.Sprintf("2026-01-%02dT00:00:00Z", i%28+1))
		amend := exec.CommandContext(t.Context(), "git", "-c", "user.name="+text, "-c", "user.email=t@example.com", "commit", "-q", "--amend", "--reset-author", "--allow-empty", "--cleanup=verbatim", "-m", text)
		amend.Dir = a.Dir
		if amend.Run() == nil { // otherwise git refuses the name
			c := exec.CommandContext(t.Context(), "git", "rev-parse", "HEAD")
			c.Dir = a.Dir
			out, err := c.Output()
			if err != nil {
				t.Fatal(err)
			}
			sha = strings.TrimSpace(string(out))
		}
		tag := exec.CommandContext(t.Context(), "git", "tag", "--", text)
		tag.Dir = a.Dir
		_ = tag.Run() // most texts are not valid tag names
		if _, _, err := db.Put(t.Context(), hostileRun(sha, text, i+1)); err == nil {
			stored++
		} else if _, _, err = db.Put(t.Context(), plainRun(sha, i+1)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if stored < 15 {
		t.Fatalf("only %d of %d hostile runs can be stored", stored, len(texts))
	}
	return a
}

func plainRun(sha string, n int) *record.Run {
	r := hostileRun(sha, "plain", n)
	r.Trial, r.Side, r.Status, r.Failures = "", record.NoSide, record.Complete, nil
	return r
}

var (
	safeFile = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)
	dataCall = regexp.MustCompile(`\Aperftrack\.data\(("[^"\\]*"),(.*),("[^"\\]*")\);\n\z`)
)

// With hostile names of commits, benchmarks and machines, the site's files have harmless names, and
// nothing in the data ends the script or the string around it.
func TestHostileSite(t *testing.T) {
	a := hostileSession(t)
	s, err := Open(t.Context(), a, Options{Title: texts[0]})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	dir := t.TempDir()
	if err := site.Write(t.Context(), dir, s, nil, nil); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if !safeFile.MatchString(e.Name()) {
			t.Errorf("a file is called %q", e.Name())
		}
		if rel, _ := filepath.Rel(dir, path); e.IsDir() || !strings.HasPrefix(filepath.ToSlash(rel), "data/") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		checkData(t, path, text, seen)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts { // each text is in the data, unchanged
		if record.OneLine(text) == text && !seen[text] {
			t.Errorf("%.60q stands nowhere", text)
		}
	}
	said := map[string]bool{}
	for _, c := range s.commits {
		said[c.Subject], said["by "+c.Author] = true, true
	}
	for _, text := range texts[:6] {
		if !said[text] {
			t.Errorf("no commit has the subject %q", text)
		}
	}
	if !said["by javascript:alert(1)"] {
		t.Error("no commit says who wrote it")
	}
	one := filepath.Join(t.TempDir(), "one.html")
	if err := site.WriteSingle(t.Context(), one, s, nil); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if n, all := bytes.Count(page, []byte("<script")), bytes.Count(page, []byte("</script>")); n != all || bytes.Contains(page, []byte("<script>alert")) {
		t.Errorf("the single page begins %d scripts and ends %d", n, all)
	}
}

// checkData fails the test unless a file is a single call with JSON of harmless characters as its
// argument. It adds the strings in the JSON to seen.
func checkData(t *testing.T, path string, text []byte, seen map[string]bool) {
	t.Helper()
	if !utf8.Valid(text) || bytes.ContainsAny(text, "<>&\u2028\u2029\x00\r") || bytes.Count(text, []byte("\n")) != 1 {
		t.Errorf("%s: %.200q", path, text)
	}
	m := dataCall.FindSubmatch(text)
	if m == nil {
		t.Fatalf("%s is no call: %.200q", path, text)
	}
	var document any
	if err := json.Unmarshal(m[2], &document); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	note(document, seen)
}

func note(v any, seen map[string]bool) {
	switch v := v.(type) {
	case string:
		seen[v] = true
	case []any:
		for _, one := range v {
			note(one, seen)
		}
	case map[string]any:
		for _, one := range v {
			note(one, seen)
		}
	}
}
