package main

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// What a check costs beside measuring, where there are many binaries: 20 packages, each with
// one benchmark and other code that never runs, from empty build caches and from warm ones.
//
//	PERFTRACK_LIVE=full go test -run LiveFullPackages -v -timeout 1h ./cmd/perftrack
func TestLiveFullPackages(t *testing.T) {
	if !full() {
		t.Skip("it takes minutes: PERFTRACK_LIVE=full go test -run LiveFullPackages -v -timeout 1h ./cmd/perftrack")
	}
	m := newWorkModule(t)
	m.git("checkout", "-q", "-b", "packages", "live")
	m.git("rm", "-q", "work.go", "work_test.go")
	m.write("perftrack.toml", "[[target]]\nname = \"work\"\nkind = \"gotest\"\npackages = [\"./...\"]\n")
	work, bench := m.fixture("work.go.txt"), "package work\n\nimport \"testing\"\n\nvar sink uint64\n\nfunc Benchmark%s(b *testing.B) {\n\tfor b.Loop() {\n\t\tsink += Spin(sink + 1)\n\t}\n}\n"
	packages := checksOr(t, 20)
	for i := range packages {
		name := fmt.Sprintf("p%02d", i)
		if err := os.Mkdir(filepath.Join(m.repo, name), 0o755); err != nil {
			t.Fatal(err)
		}
		m.write(filepath.Join(name, "work.go"), work)
		m.write(filepath.Join(name, "work_test.go"), fmt.Sprintf(bench, fmt.Sprintf("Spin%02d", i)))
	}
	m.commit("packages")
	m.git("checkout", "-q", "-b", "packages-same")
	for i := range packages {
		m.write(filepath.Join(fmt.Sprintf("p%02d", i), "other.go"), otherCode)
	}
	m.commit("the same in all of them")
	m.env = append(m.env, "GOCACHE="+t.TempDir())
	for _, caches := range []string{"cold", "warm"} {
		m.env = append(m.env, "PERFTRACK_DB="+filepath.Join(m.temp, caches+".db"))
		c := m.check("packages", "packages-same")
		counts := map[string]int{}
		for _, verdict := range c.verdict {
			counts[verdict]++
		}
		fmt.Printf("%d packages, %s: %v, %v, %.0f %% of it in benchmark processes\n", len(c.verdict), caches, counts, c.took.Round(time.Second), c.share)
		if len(c.verdict) != packages {
			t.Errorf("%d benchmarks, not %d", len(c.verdict), packages)
		}
	}
}
