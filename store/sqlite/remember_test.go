package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/perftrack/perftrack/internal/drawtest"
	"github.com/perftrack/perftrack/internal/livetest"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
	"github.com/perftrack/perftrack/store/storetest"
)

// A page is a memory of a test.
type page struct {
	text   []byte
	writes int
}

func (p *page) Read() ([]byte, bool) { return p.text, p.text != nil }
func (p *page) Write(text []byte)    { p.text, p.writes = slices.Clone(text), p.writes+1 }

// everything is all that a reader can get of the database, as text: by itself, or with what an earlier
// process remembered.
func everything(t rapid.TB, path string, memory store.Memory) (all []string) {
	ctx := context.Background()
	db, err := OpenReadOnly(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	if memory != nil {
		db.Remember(memory, 0)
	}
	infos, err := db.Runs(ctx, store.Filter{})
	if err == nil {
		infos, err = db.Sound(ctx, infos, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range infos {
		all = append(all, fmt.Sprintf("%+v", i))
	}
	benchmarks, err := db.Benchmarks(ctx, store.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range benchmarks {
		points, err := db.History(ctx, b.Target, b.BenchmarkID)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, fmt.Sprintf("%+v %+v", b, points))
	}
	if bad := db.Damaged(); len(bad) > 0 {
		t.Fatalf("damaged: %v", bad)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return all
}

// What is read with the memory of earlier processes is what is read without it, whatever was stored,
// deleted and accepted between them.
func TestRememberedEqualsAnew(t *testing.T) {
	livetest.FewChecks(t, 20)
	rapid.Check(t, func(t *rapid.T) {
		dir, err := os.MkdirTemp("", "remember")
		if err != nil {
			t.Fatal(err)
		}
		defer os.RemoveAll(dir)
		path, memory := filepath.Join(dir, "perftrack.db"), &page{}
		db, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		var ids []string
		for range rapid.IntRange(1, 8).Draw(t, "steps") {
			switch rapid.SampledFrom([]string{"put", "put", "delete", "accept", "read"}).Draw(t, "step") {
			case "put":
				r := storetest.Runs().Draw(t, "run")
				r.Target = rapid.SampledFrom([]string{"a", "b"}).Draw(t, "target")
				id, _, err := db.Put(t.Context(), r)
				if err != nil {
					t.Skip("cannot be stored: ", err)
				}
				ids = append(ids, id)
			case "delete":
				if len(ids) > 0 {
					d := record.Deletion{Runs: []string{rapid.SampledFrom(ids).Draw(t, "gone")}, Time: time.Unix(1, 0), Reason: "noise"}
					if _, err := db.Delete(t.Context(), d); err != nil {
						t.Fatal(err)
					}
				}
			case "accept":
				a := record.Acceptance{Target: "a", Benchmark: "B", Commit: fmt.Sprintf("%040x", len(ids)), Reason: "a reason for it", Time: time.Unix(1, 0)}
				if _, _, err := db.Accept(t.Context(), a); err != nil {
					t.Fatal(err)
				}
			}
			if with, without := everything(t, path, memory), everything(t, path, nil); !slices.Equal(with, without) {
				t.Fatalf("with a memory\n%q\nand without\n%q", with, without)
			}
		}
	})
}

// A second process reads only what the first one did not know, and writes only then; of too little
// nothing is kept.
func TestRememberedOnce(t *testing.T) {
	path, memory := filepath.Join(t.TempDir(), "perftrack.db"), &page{}
	db := openAt(t, path)
	defer db.Close()
	for i := range 5 {
		if _, _, err := db.Put(t.Context(), sample("r", i)); err != nil {
			t.Fatal(err)
		}
		everything(t, path, memory)
		if everything(t, path, memory); memory.writes != i+1 {
			t.Errorf("after %d runs it was written %d times", i+1, memory.writes)
		}
	}
	few, err := OpenReadOnly(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	small := &page{}
	few.Remember(small, 1000)
	infos, err := few.Runs(t.Context(), store.Filter{})
	if err == nil {
		_, err = few.Sound(t.Context(), infos, nil)
	}
	if err != nil || few.Close() != nil || small.writes != 0 {
		t.Errorf("%d writes, %v", small.writes, err)
	}
}

// Whatever happens to the file after its runs were found whole, and to the memory: nothing is read
// that was not stored.
func TestDamageAfterRemembering(t *testing.T) {
	random, memory := dice(t), &page{}
	g := newGolden(t, 40)
	intact, ids := intactContents(t, g)
	everything(t, g.copy(t), memory)
	if memory.writes != 1 {
		t.Fatal("nothing is remembered")
	}
	left := 0
	for i := range scale(100, 1000) {
		data, what := mutate(random, g.data)
		path := filepath.Join(t.TempDir(), "perftrack.db")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		db, err := OpenReadOnly(context.Background(), path)
		if err != nil {
			continue
		}
		known := &page{text: memory.text}
		if i%10 == 9 { // as if cut off, which the file of the memory would find
			known.text = known.text[:random.IntN(len(known.text))]
		}
		db.Remember(known, 0)
		got, err := readContents(db, ids[:len(ids)/2]) // the others only by their histories
		for key, text := range got {
			if intact[key] != text {
				t.Errorf("%s: %s is read as\n%s\nand was\n%s", what, key, text, intact[key])
			}
		}
		if err != nil {
			left++
		}
		db.Close()
	}
	if left == 0 {
		t.Error("no damage was noticed")
	}
}

// Every field of a benchmark is in its digest, also one that is added.
func TestRoundsAreDigested(t *testing.T) {
	if n := reflect.TypeFor[record.Round]().NumField(); n != 8 {
		t.Errorf("a round has %d fields: add what is new to the digest in store/verified.go", n)
	}
	if n := reflect.TypeFor[record.Benchmark]().NumField(); n != 3 {
		t.Errorf("a benchmark has %d fields: add what is new to the digest in store/verified.go", n)
	}
}
