package pullrequest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/exchange/exchangetest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/githubtest"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/imports"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/runner/record"
)

// wholeTrial returns a check of 300 benchmarks in ten packages, with time and memory. One benchmark
// became slower.
func wholeTrial() (runs []*record.Run) {
	for side, sha := range []string{githubtest.BaseSHA, githubtest.HeadSHA} {
		r := &record.Run{
			Target: "lib", Commit: record.Commit{SHA: sha}, Status: record.Complete, Trial: "20260101T000000-0b6f00", Side: []record.Side{record.Base, record.Head}[side], Tool: "test",
			Start: time.Date(2026, 1, 1, 0, 0, side, 0, time.UTC), End: time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC),
		}
		for _, s := range [][2]string{{"goos", "linux"}, {"goarch", "amd64"}, {"gomaxprocs", "2"}} {
			r.Set(s[0], s[1])
		}
		var ways []record.Method
		for i := range 300 {
			b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Package: fmt.Sprintf("example.com/lib/package%d", i/30), Name: fmt.Sprintf("Decode/format=%d/size=1024", i)}}
			ways = append(ways, record.Method{Package: b.Package, Name: b.Name, How: record.MethodSlices, N: 1000, Slices: 40, Length: 2_000_000, Clock: "wall"})
			units := [3][]float64{}
			for round := range 24 {
				b.Rounds = append(b.Rounds, record.Round{N: round + 1, Order: i, Iters: 40_000, Slices: 40, Spread: 0.01})
				value := float64(1000 + i)
				if side == 1 {
					value *= 1 + 0.001*float64((round*5+i)%7-3)
				}
				if side == 1 && i == 0 {
					value *= 1.3
				}
				for k, v := range []float64{value, 4096, 3} {
					units[k] = append(units[k], v)
				}
			}
			for k, unit := range []string{"ns/op", "B/op", "allocs/op"} {
				b.Samples = append(b.Samples, record.Samples{Unit: unit, Values: units[k]})
			}
			r.Benchmarks = append(r.Benchmarks, b)
		}
		r.Protocol = record.Protocol{Procedure: "check", Decision: "typical-and-mean", Methods: ways}
		runs = append(runs, r)
	}
	return runs
}

// A trial of 300 benchmarks stays the same through its export, the artifact, the comment, the
// status, an import and a sync.
func TestWholeFlow(t *testing.T) {
	tm := exchangetest.NewTeam(t, 3)
	measured, imported, synced := tm.Apps[0], tm.Apps[1], tm.Apps[2]
	tm.Add(measured, wholeTrial()...)
	export := func(a *workspace.Session) []byte {
		t.Helper()
		var text bytes.Buffer
		if err := exchange.Export(t.Context(), a, nil, &text); err != nil {
			t.Fatal(err)
		}
		return text.Bytes()
	}
	want := export(measured)

	f := newFake(t)
	f.Zip = githubtest.Archive(t, artifact.FileName, string(want))
	j := f.run(Options{})
	if ours := f.Ours(); j.err != nil || f.status() != "failure" || len(ours) != 1 ||
		!strings.Contains(ours[0].Body, "### ❌ perftrack: 1 benchmark slower, `Decode/format=0/size=1024` +30.0 % · ✅ 299 unchanged — failure, blocks the merge\n") {
		t.Errorf("status %s, %v, %s\n%v", f.status(), j.err, j.notices, ours)
	}

	file := filepath.Join(t.TempDir(), artifact.FileName)
	if err := os.WriteFile(file, want, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := imports.StoreFiles(t.Context(), imported, []string{file}, imports.Options{}); err != nil {
		t.Fatal(err)
	}
	tm.Sync(imported, exchange.SyncOptions{})
	tm.Sync(synced, exchange.SyncOptions{})
	for way, a := range map[string]*workspace.Session{"import": imported, "sync": synced} {
		if got := export(a); !bytes.Equal(got, want) {
			t.Errorf("after %s %d bytes are exported, want the same %d", way, len(got), len(want))
		}
	}
}
