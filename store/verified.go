package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/perftrack/perftrack/runner/record"
)

// A Memory keeps a text from one process to the next. What Read returns is what an earlier
// Write of the same program got, or ok is false.
type Memory interface {
	Read() (text []byte, ok bool)
	Write(text []byte)
}

// Remember keeps in m which runs were found to be what was stored, so that the next process need
// not read all of each. Of every run it keeps a digest of the header and of each benchmark: what is
// read without its run is held against these, so that what was damaged since is never returned. Nothing
// is kept of runs with fewer than least benchmarks together. It is called before anything is read.
func (db *DB) Remember(m Memory, least int) {
	db.found.whole.memory, db.found.whole.least = m, least
}

// verified are runs that are what was stored.
type verified struct {
	memory Memory // nil: nothing is kept
	least  int    // benchmarks that are worth it
	once   sync.Once
	mu     sync.Mutex
	runs   map[int64]wholeRun // by number
	fresh  bool               // some of them are not in the memory
}

// A wholeRun is a run that was read whole, and had the hash that is its id.
type wholeRun struct {
	ID     string
	Header uint64
	Parts  []uint64 // digests of its benchmarks, sorted

	seen bool // its header was read in this process, and is that
}

// add notes that a run is sound.
func (v *verified) add(info record.RunInfo, run *record.Run) {
	whole := wholeRun{ID: info.ID, Header: headerDigest(info), Parts: make([]uint64, len(run.Benchmarks)), seen: true}
	for i, b := range run.Benchmarks {
		whole.Parts[i] = digest(b)
	}
	slices.Sort(whole.Parts)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.runs == nil {
		v.runs = map[int64]wholeRun{}
	}
	v.runs[info.Seq], v.fresh = whole, true
}

// has reports whether a run is one of them.
func (v *verified) has(info record.RunInfo) bool {
	v.once.Do(v.load)
	v.mu.Lock()
	defer v.mu.Unlock()
	whole, ok := v.runs[info.Seq]
	if !ok || whole.ID != info.ID || !whole.seen && whole.Header != headerDigest(info) {
		return false
	}
	if !whole.seen {
		whole.seen = true
		v.runs[info.Seq] = whole
	}
	return true
}

// hasPart reports whether b is a benchmark of the sound run of that number.
func (v *verified) hasPart(seq int64, b record.Benchmark) bool {
	v.mu.Lock()
	parts := v.runs[seq].Parts
	v.mu.Unlock()
	_, ok := slices.BinarySearch(parts, digest(b))
	return ok
}

// load takes over what an earlier process knew.
func (v *verified) load() {
	if v.memory == nil {
		return
	}
	text, ok := v.memory.Read()
	var runs map[int64]wholeRun
	if !ok || gob.NewDecoder(bytes.NewReader(text)).Decode(&runs) != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for seq, run := range v.runs {
		runs[seq] = run
	}
	v.runs = runs
}

// remember keeps what is known for the next process, but for runs that were deleted.
func (db *DB) remember(ctx context.Context) {
	v := db.found.whole
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.memory == nil || !v.fresh {
		return
	}
	there, parts := make(map[int64]wholeRun, len(v.runs)), 0
	err := db.readUnchecked(ctx, func(tx *sql.Tx) error {
		return each(ctx, tx, `SELECT id FROM runs`, nil, func(rows *sql.Rows) error {
			var seq int64
			err := rows.Scan(&seq)
			if run, ok := v.runs[seq]; ok {
				there[seq] = run
				parts += len(run.Parts)
			}
			return err
		})
	})
	if err != nil || parts < v.least {
		return // it is a help and nothing more
	}
	var text bytes.Buffer
	if gob.NewEncoder(&text).Encode(there) == nil {
		v.memory.Write(text.Bytes())
		v.fresh = false
	}
}

// headerDigest tells the headers of runs apart by all that they hold.
func headerDigest(info record.RunInfo) uint64 {
	info.Run.Benchmarks = nil // digested one by one
	return shortHash(fmt.Appendf(nil, "%#v", info))
}

// digest tells benchmarks apart by all that they hold. It guards against accidents.
func digest(b record.Benchmark) uint64 {
	text := make([]byte, 0, 64+len(b.Name)+len(b.Package)+(8+len(b.Samples))*8*len(b.Rounds))
	word := func(s string) {
		text = binary.AppendUvarint(text, uint64(len(s)))
		text = append(text, s...)
	}
	number := func(n uint64) { text = binary.LittleEndian.AppendUint64(text, n) }
	for _, s := range []string{string(b.Kind), b.Suite, b.Package, b.Name} {
		word(s)
	}
	number(uint64(len(b.Rounds)))
	for _, r := range b.Rounds {
		for _, n := range []uint64{uint64(r.N), uint64(r.Order), uint64(r.Iters), r.Seed, uint64(r.Slices), math.Float64bits(r.Spread), math.Float64bits(r.Mean), math.Float64bits(r.Slow)} {
			number(n)
		}
	}
	for _, s := range b.Samples {
		word(s.Unit)
		number(uint64(len(s.Values)))
		for _, v := range s.Values {
			number(math.Float64bits(v))
		}
	}
	return shortHash(text)
}

func shortHash(text []byte) uint64 {
	sum := sha256.Sum256(text)
	return binary.LittleEndian.Uint64(sum[:8])
}
