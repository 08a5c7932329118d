package bench

import (
	"bufio"
	"io"
	"math/rand"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
)

var (
	text string
)

func BenchmarkKnown(b *testing.B) {
	x := 40
	for i := 0; i < b.N; i++ {
		sink += Square(x) // suspect constant-input
		sink += Add(1, 2) // suspect constant-input
	}
}

func words(r io.Reader) int {
	n := 0
	for s := bufio.NewScanner(r); s.Scan(); n++ {
	}
	return n
}

func wordsOf(r io.Reader) int { return words(r) }

func BenchmarkReadByOurs(b *testing.B) {
	r := strings.NewReader("a b c")
	for b.Loop() {
		sink = words(r)   // want read-once
		sink = wordsOf(r) // want read-once
	}
}

func BenchmarkTotals(b *testing.B) {
	data := strings.Repeat("x", 1000)     // suspect setup-timed
	for i := 0; i < b.N; i += len(data) { // want byte-steps
		sink += strings.Count(data, "x")
	}
}

func order(s []int) { sort.Sort(sort.IntSlice(s)) }

func orderPart(n int, s []int) { slices.Sort(s[:n]) }

func BenchmarkSortsByHelper(b *testing.B) {
	s, t, u := MakeInput(100), MakeInput(100), MakeInput(100)
	for b.Loop() {
		order(s)        // want changed-input
		orderPart(5, t) // want changed-input
		v := append(u[:0], u...)
		order(v) // want changed-input
		w := u[:10]
		sort.Ints(w) // want changed-input
	}
}

func BenchmarkInputOfN(b *testing.B) {
	s := MakeInput(b.N) // want n-as-size
	b.ResetTimer()
	sink = Sum(s)
}

func BenchmarkEachOfN(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		s := MakeInput(b.N)       // want n-as-size
		done := make([]bool, b.N) // want n-as-size
		for i := 0; pb.Next(); i++ {
			done[i] = Kept(s[i]) > 0
		}
	})
}

// A queue may do its work as late as in Wait.
type queue struct{ wg sync.WaitGroup }

func (q *queue) Put(n int) { q.wg.Add(1); go func() { defer q.wg.Done(); Fib(n) }() }
func (q *queue) Wait()     { q.wg.Wait() }

func BenchmarkPut(b *testing.B) {
	var q queue
	for i := 0; i < b.N; i++ {
		q.Put(5)
	}
	b.StopTimer()
	q.Wait() // want untimed-wait
}

func BenchmarkPutLoop(b *testing.B) {
	var q queue
	for b.Loop() {
		q.Put(5)
	}
	q.Wait() // want untimed-wait
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		sink = Remembered(20) // want memoised
	}
}

func BenchmarkLookup(b *testing.B) {
	for b.Loop() {
		sink = RememberedSafely(20) // want memoised
	}
}

func phrases(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = strings.Repeat("ab ", i)
	}
	return s
}

func BenchmarkLongest(b *testing.B) {
	for b.Loop() {
		all := phrases(100) // want setup-in-loop
		sink = len(slices.Max(all))
	}
}

func BenchmarkDraws(b *testing.B) {
	var mu sync.Mutex
	r := rand.New(rand.NewSource(1))
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			mu.Lock() // want shared-lock
			n := r.Intn(10)
			mu.Unlock()
			Kept(n)
		}
	})
}

func pieces(n int) (all []string, total int) {
	for range n {
		all = append(all, "piece")
		total += len("piece")
	}
	return all, total
}

func BenchmarkPieces(b *testing.B) {
	all, total := pieces(10) // suspect setup-timed
	b.SetBytes(int64(total)) // want set-bytes
	for i := 0; i < b.N; i++ {
		sink += strings.Count(all[i%len(all)], "e")
	}
}

func BenchmarkPiecesSummed(b *testing.B) {
	all, _ := pieces(10) // suspect setup-timed
	total := 0
	for _, s := range all {
		total += len(s)
	}
	b.SetBytes(int64(total)) // want set-bytes
	for i := 0; i < b.N; i++ {
		sink += strings.Count(all[i%len(all)], "e")
	}
}

// input creates the text on the first call and returns it on later calls.
func input(b *testing.B, n int) string {
	b.StopTimer()
	if len(text) == n {
		return text // want timer-stopped
	}
	text = strings.Repeat("x", n)
	b.StartTimer()
	return text
}

func BenchmarkThroughHelper(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += strings.Count(input(b, 100), "x")
	}
}

func BenchmarkGoesOn(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer() // suspect timer-stopped
		if i%2 == 0 {
			continue // want timer-stopped
		}
		s := MakeInput(10)
		b.StartTimer()
		sink = Sum(s)
	}
}

func BenchmarkLate(b *testing.B) {
	var (
		s    []int
		runs []func(*testing.B)
	)
	for n := range 3 {
		s = MakeInput(n + 1)
		runs = append(runs, func(b *testing.B) { // want late-variable
			for b.Loop() {
				sink = Sum(s)
			}
		})
	}
	for _, f := range runs {
		b.Run("x", f)
	}
}
