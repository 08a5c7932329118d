package sqlite

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store"
)

// large returns a run of 25 benchmarks with 10 samples in each of 4 units.
func large(n int) *record.Run {
	r := sample("large", n)
	r.Commit.SHA = fmt.Sprintf("%040x", n)
	r.Benchmarks = nil
	for i := range 25 {
		b := record.Benchmark{BenchmarkID: record.BenchmarkID{Kind: record.Bench, Suite: "enhanced", Name: fmt.Sprint("Bench_", i)}}
		for j := range 10 {
			b.Rounds = append(b.Rounds, record.Round{N: j + 1, Order: i, Iters: 1000 + j, Seed: uint64(j)})
		}
		for _, unit := range []string{"ns/op", "B/op", "allocs/op", "GFLOPS"} {
			s := record.Samples{Unit: unit}
			for j := range 10 {
				s.Values = append(s.Values, float64(i*n+j)*1.0625+0.123456789)
			}
			b.Samples = append(b.Samples, s)
		}
		r.Benchmarks = append(r.Benchmarks, b)
	}
	return r
}

// BenchmarkScale works on 1,000 runs with 1,000 samples each:
//
//	go test -run '^$' -bench Scale ./store/sqlite
func BenchmarkScale(b *testing.B) {
	ctx := context.Background()
	path := filepath.Join(b.TempDir(), "perftrack.db")
	db, err := Open(ctx, path)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	n := 0
	put := func(b *testing.B) string {
		n++
		id, added, err := db.Put(ctx, large(n))
		if err != nil || !added {
			b.Fatal(added, err)
		}
		return id
	}
	for range 1000 {
		put(b)
	}
	target, id := "engine", large(0).Benchmarks[7].BenchmarkID
	for name, op := range map[string]func(b *testing.B) error{
		"Verify": func(b *testing.B) error {
			v, err := db.Verify(ctx)
			if !v.OK() {
				b.Fatalf("%+v", v)
			}
			return err
		},
		"History": func(b *testing.B) error { _, err := db.History(ctx, target, id); return err },
		"Runs":    func(b *testing.B) error { _, err := db.Runs(ctx, store.Filter{Target: target}); return err },
		"Latest": func(b *testing.B) error {
			_, err := db.Runs(ctx, store.Filter{Target: target, Newest: true, Limit: 1}.Baselines())
			return err
		},
		"Commit": func(b *testing.B) error {
			_, err := db.Runs(ctx, store.Filter{Commit: fmt.Sprintf("%040x", 500)})
			return err
		},
		"Benchmarks": func(b *testing.B) error { _, err := db.Benchmarks(ctx, store.Filter{Target: target}); return err },
		"Get":        func(b *testing.B) error { _, err := db.Get(ctx, last(b, db)); return err },
		"Backup": func(b *testing.B) error {
			o, err := open(ctx, path, defaults())
			if err != nil {
				return err
			}
			defer o.close()
			_, err = backupBefore(ctx, o.writer, path, 1)
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := op(b); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("Put", func(b *testing.B) {
		for b.Loop() {
			put(b)
		}
	})
}

func last(b *testing.B, db *store.DB) string {
	infos, err := db.Runs(context.Background(), store.Filter{Newest: true, Limit: 1})
	if err != nil || len(infos) != 1 {
		b.Fatal(len(infos), err)
	}
	return infos[0].ID
}
