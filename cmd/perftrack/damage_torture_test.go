package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/console"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/scaletest"
	"github.com/perftrack/perftrack/store/sqlite"
)

// reading lists the commands that show stored results. The server for agents runs the same
// commands.
var reading = []string{
	"export", "export --to json", "export --to medians", "list runs", "list benchmarks", "list trials",
	"history Work000/n=10 --format json", "history --steps --format json", "compare HEAD~1 HEAD --all --format json", "report summary --format markdown",
	"comment --dry-run", "sync --dry-run",
}

// shown lists documents loaded by the page.
var shown = []string{"data/index.js", "data/runs.js", "data/commits.js", "data/regressions.js"}

// generated matches the time of a document's creation.
var generated = regexp.MustCompile(`"generated":\d+`)

// An answer is the output of a reading command, and whether the command reported damage.
type answer struct {
	text string
	told bool
}

func readAll(t *testing.T) map[string]answer {
	t.Helper()
	all := map[string]answer{}
	for _, words := range reading {
		var out, errs bytes.Buffer
		code := run(strings.Fields(words), strings.NewReader(""), &out, &errs)
		all[words] = answer{out.String(), code == console.ExitError || strings.Contains(errs.String(), "the database is damaged")}
	}
	s := startServing(t)
	for _, path := range shown {
		status, body := s.get(t, path)
		body = generated.ReplaceAllString(body, "")
		all["serve "+path] = answer{body, status != http.StatusOK || strings.HasPrefix(body, "perftrack.fail(")}
	}
	s.stop()
	for path, a := range all {
		if strings.HasPrefix(path, "serve ") && strings.Contains(s.stderr.String(), "left out, because the database is damaged") {
			a.told = true
			all[path] = a
		}
	}
	return all
}

// If the database file is damaged, each command either shows the stored results unchanged or
// reports an error. PERFTRACK_LIVE=short runs a short form of the test.
//
//	PERFTRACK_TORTURE=full go test -run DamagedFiles -timeout 60m ./cmd/perftrack
//
// runs every command on 160 damaged files. The files are the same each time, so -run
// DamagedFiles/10. reads ten of them; PERFTRACK_DRAWS=N makes others.
func TestDamagedFilesAreNamed(t *testing.T) {
	live(t)
	n, seed := 6, draws(t)
	if os.Getenv("PERFTRACK_TORTURE") == "full" {
		n = 160
	}
	database := emptyRepository(t)
	gitIn(t, ".", nil, "init", "-q", "--bare", "remote.git")
	gitIn(t, ".", nil, "remote", "add", "origin", "remote.git")
	size := scaletest.Size{Benchmarks: 12, Runs: 40, Samples: 6}
	for i := range size.Runs {
		gitIn(t, ".", nil, "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "--allow-empty", "-m", fmt.Sprint(i))
	}
	size.Commits = strings.Fields(gitIn(t, ".", nil, "rev-list", "--reverse", fmt.Sprint("-", size.Runs), "HEAD"))
	db, err := sqlite.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	if err := size.Fill(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("trial.txt", []byte(githubtest.Trial(2)), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if code := run([]string{"import", "trial.txt"}, strings.NewReader(""), &out, &out); code != console.ExitOK {
		t.Fatal(out.String())
	}
	intact := readAll(t)
	for what, a := range intact {
		if a.told || a.text == "" {
			t.Fatalf("%s of the sound file: %s", what, a.text)
		}
	}
	whole, err := os.ReadFile(database)
	if err != nil {
		t.Fatal(err)
	}
	told, same := 0, 0
	for i := range n {
		t.Run(fmt.Sprintf("%03d", i), func(t *testing.T) {
			data, what := damage(rand.New(rand.NewPCG(seed, uint64(i))), whole)
			hurt := filepath.Join(t.TempDir(), "runs.db")
			if err := os.WriteFile(hurt, data, 0o644); err != nil {
				t.Fatal(err)
			}
			t.Setenv("PERFTRACK_DB", hurt)
			for command, a := range readAll(t) {
				switch {
				case a.told:
					told++
				case a.text == intact[command].text:
					same++
				default:
					t.Errorf("%s: %s is silent:\n%s", what, command, differing(a.text, intact[command].text))
				}
			}
		})
	}
	t.Logf("%d readings tell of damage, %d are those of the sound file", told, same)
}

// draws returns the seed for the random damage: PERFTRACK_DRAWS, or 1 if it is not set.
func draws(t *testing.T) uint64 {
	text := os.Getenv("PERFTRACK_DRAWS")
	if text == "" {
		return 1
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("PERFTRACK_DRAWS: %v", err)
	}
	return seed
}

// differing returns the parts of both texts around their first difference.
func differing(text, from string) string {
	i := 0
	for i < min(len(text), len(from)) && text[i] == from[i] {
		i++
	}
	part := func(s string) string { return s[min(len(s), max(0, i-100)):min(len(s), i+200)] }
	return part(text) + "\nof the sound file:\n" + part(from)
}

// damage returns a copy of the file with an error like that of a faulty disk, and a description of
// the error.
func damage(random *rand.Rand, whole []byte) (data []byte, what string) {
	const page = 4096
	data = bytes.Clone(whole)
	pages := len(data) / page
	to := 1 + random.IntN(pages-1)
	switch random.IntN(4) {
	case 0:
		clear(data[to*page : (to+1)*page])
		return data, fmt.Sprintf("page %d zeroed", to+1)
	case 1:
		from := 1 + random.IntN(pages-1)
		copy(data[to*page:(to+1)*page], whole[from*page:])
		return data, fmt.Sprintf("page %d over page %d", from+1, to+1)
	case 2:
		for {
			if i := random.IntN(len(data)); '1' <= data[i] && data[i] <= '8' {
				data[i]++
				return data, fmt.Sprintf("digit at %d", i)
			}
		}
	}
	bits := 1 + random.IntN(64)
	for range bits {
		data[random.IntN(len(data))] ^= 1 << random.IntN(8)
	}
	return data, fmt.Sprintf("%d bits", bits)
}
