package artifact

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/gitrepo"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
)

// entries returns a zip archive of the given files.
func entries(t *testing.T, files ...zip.FileHeader) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, h := range files {
		w, err := z.CreateHeader(&h)
		if err == nil {
			_, err = w.Write([]byte("x"))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestUntrustedTrial(t *testing.T) {
	good := githubtest.Trial(1)
	link := zip.FileHeader{Name: FileName}
	link.SetMode(fs.ModeSymlink | 0o777)
	line := func(old, new string) string { return strings.ReplaceAll(good, old, new) }
	for _, tt := range []struct {
		name string
		data []byte
		err  string // "" if no error is expected
	}{
		{"text", []byte(good), ""},
		{"archive", githubtest.Archive(t, FileName, good), ""},
		{"empty", nil, "no benchmark results"},
		{"no archive after all", []byte("PK\x03\x04"), "open archive"},
		{"another name", githubtest.Archive(t, "x/"+FileName, good), "must contain the file trial.txt and nothing else"},
		{"up", githubtest.Archive(t, "../"+FileName, good), "must contain the file"},
		{"absolute", githubtest.Archive(t, "/"+FileName, good), "must contain the file"},
		{"drive", githubtest.Archive(t, `C:\`+FileName, good), "must contain the file"},
		{"twice", entries(t, zip.FileHeader{Name: FileName}, zip.FileHeader{Name: FileName}), "must contain the file"},
		{"symbolic link", entries(t, link), "must contain the file"},
		{"bomb", githubtest.Archive(t, FileName, strings.Repeat("x", 1<<24)), "unpacks to more than the limit of 100 times its size"},
		{"NaN", []byte(line("100 1000 ns/op", "100 NaN ns/op") + "BenchmarkX 1 NaN ns/op\n"), "NaN"},
		{"infinite", []byte(good + "BenchmarkX 1 1e400 ns/op\n"), "value out of range"},
		{"negative", []byte(good + "BenchmarkX 1 -5 ns/op\n"), "negative"},
		{"control character in a name", []byte(good + "BenchmarkX\x1b[31m 1 5 ns/op\n"), "control character"},
		{"unit too long", []byte(good + "BenchmarkX 1 5 " + strings.Repeat("u", 33) + "\n"), "unit is longer than the limit of 32 bytes"},
		{"name too long", []byte(good + "Benchmark" + strings.Repeat("n", 513) + " 1 5 ns/op\n"), "benchmark name is longer than the limit of 512 bytes"},
		{"one side", []byte(line("side: head", "side: base")), "several commits"},
		{"a run again", []byte(good + good), "has the same sample twice"},
		{"no side", []byte(line("side: head\n", "side:\n")), "the runs do not belong to one trial"},
		{"two trials", []byte(strings.Replace(good, "trial: 2", "trial: 3", 1)), "the runs do not belong to one trial"},
		{"id of a trial", []byte(line("trial: 2", "trial: <b>2")), "the trial's id"},
		{"short commit", []byte(line(githubtest.HeadSHA, githubtest.HeadSHA[:12])), "does not name its commit"},
		{"dirty", []byte(line("side: head", "dirty: true\nside: head")), "uncommitted changes"},
		{"a round far out", []byte(line("round: 20\n", "round: 2000000000\n")), "exceeds the limit of 10000 rounds"},
		{"a file that is too large", bytes.Repeat([]byte(strings.Repeat("x", 1023)+"\n"), bounds.MaxInput/1024+1), "larger than the limit of 64 MiB"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			runs, err := ParseTrial(tt.data, "artifact")
			switch {
			case tt.err == "" && (err != nil || len(runs) != 2):
				t.Errorf("%d runs, %v", len(runs), err)
			case tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)):
				t.Errorf("%v, want %q", err, tt.err)
			}
		})
	}
}

// An error about a file names the file first and then its mistakes.
func TestUntrustedFileSaysWhatIsNotUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trial.txt")
	if err := os.WriteFile(file, []byte(githubtest.Trial(1)+"BenchmarkX 1 NaN ns/op\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ReadFile(file)
	if want := "nothing was imported from " + file + ", because of\n  " + file + ":"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// Judging a small text must not take much memory.
func TestUntrustedTrialIsDense(t *testing.T) {
	var b strings.Builder
	b.WriteString(githubtest.Trial(1))
	b.WriteString("round: 10000\n")
	for i := range 300 {
		fmt.Fprintf(&b, "BenchmarkSparse%d-2 1 5 ns/op\n", i)
	}
	if _, err := ParseTrial([]byte(b.String()), "artifact"); err == nil || !strings.Contains(err.Error(), "add up to more than") {
		t.Errorf("%v", err)
	}
}

func FuzzUntrustedTrial(f *testing.F) {
	f.Add([]byte(githubtest.Trial(1)))
	f.Add([]byte("PK\x03\x04"))
	f.Fuzz(func(t *testing.T, data []byte) {
		runs, err := ParseTrial(data, "fuzz")
		if err != nil {
			return
		}
		for _, r := range runs {
			if !gitrepo.IsHash(r.Commit.SHA) || r.Trial != runs[0].Trial {
				t.Errorf("run of %q in %q", r.Commit.SHA, r.Trial)
			}
		}
	})
}
