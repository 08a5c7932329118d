package bench

import (
	"bufio"
	"bytes"
	"math/rand"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
)

// This file has no faults, either.

func BenchmarkVaried(b *testing.B) {
	x, y := 40, 1
	p := &y
	for i := 0; i < b.N; i++ {
		x++
		sink += Square(x) + Square(y) + Kept(3) + Square(Count())
	}
	*p = 2
}

func BenchmarkKnownInLoop(b *testing.B) {
	for b.Loop() {
		sink += Square(3)
	}
}

func first(r *bufio.Reader) byte { c, _ := r.ReadByte(); return c }

func BenchmarkRefilled(b *testing.B) {
	r := strings.NewReader("")
	buf := bufio.NewReader(strings.NewReader("abc"))
	for b.Loop() {
		r.Reset("a b c")
		sink = words(r)
		buf.Reset(r)
		sink += int(first(buf))
		sink += words(strings.NewReader("x"))
	}
}

func BenchmarkRows(b *testing.B) {
	rows := make([]int, 64)
	for i := 0; i < b.N; i += len(rows) {
		sink += Sum(rows)
	}
}

func BenchmarkBatchesOf(b *testing.B) {
	for i := 0; i < b.N; i += 10 {
		for range 10 {
			Kept(i) // suspect size-of-i
		}
	}
}

func sortedCopy(s []int) []int { s = slices.Clone(s); sort.Ints(s); return s }

func BenchmarkSortsFresh(b *testing.B) {
	s, scratch := MakeInput(100), make([]int, 0, 100)
	var a [4]int
	for b.Loop() {
		sortedCopy(s)
		v := append(scratch[:0], s...)
		order(v)
		w := scratch[:len(s)]
		copy(w, s)
		order(w)
		c := a
		sort.Ints(c[:])
	}
}

func doTimes(n int) (sum int) {
	for i := range n {
		sum += Kept(i)
	}
	return sum
}

func BenchmarkByHelper(b *testing.B) { sink = doTimes(b.N) } // suspect n-as-size

func BenchmarkParallelStart(b *testing.B) {
	s := MakeInput(100)
	b.RunParallel(func(pb *testing.PB) {
		for i := b.N; pb.Next(); i++ {
			Kept(s[i%100])
		}
	})
}

func BenchmarkPutAwaited(b *testing.B) {
	var q queue
	for i := 0; i < b.N; i++ {
		q.Put(5)
	}
	q.Wait()
	b.StopTimer()
}

func BenchmarkPutEachAwaited(b *testing.B) {
	var q queue
	for b.Loop() {
		q.Put(5)
		q.Wait()
	}
	q.Wait()
}

func BenchmarkConsumers(b *testing.B) {
	var wg sync.WaitGroup
	work := make(chan int, 10)
	wg.Add(1) // suspect setup-timed
	go func() {
		defer wg.Done()
		for range work {
		}
	}()
	for i := 0; i < b.N; i++ {
		work <- i
	}
	b.StopTimer()
	close(work)
	wg.Wait()
}

func BenchmarkCachedParse(b *testing.B) {
	for b.Loop() {
		sink = Remembered(20)
	}
}

func BenchmarkForgotten(b *testing.B) {
	for b.Loop() {
		Forget()
		sink = Counted(20)
	}
}

func BenchmarkEmptied(b *testing.B) {
	for b.Loop() {
		clear(remembered)
		sink = Remembered(20)
	}
}

func BenchmarkManyKeys(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = Remembered(i) // suspect size-of-i
	}
}

func totals(n int) []int { return MakeInput(n) } // calls the code under test

func BenchmarkTotalsOf(b *testing.B) {
	for b.Loop() {
		sink = Sum(totals(10))
		t := totals(10)
		sink += Sum(t)
	}
}

func BenchmarkLockedMap(b *testing.B) {
	var mu sync.Mutex
	m := map[int]int{}
	b.RunParallel(func(pb *testing.PB) {
		r := rand.New(rand.NewSource(1))
		for pb.Next() {
			mu.Lock()
			m[3]++
			mu.Unlock()
			Kept(r.Intn(3))
		}
	})
}

func BenchmarkAllPieces(b *testing.B) {
	all, total := pieces(10) // suspect setup-timed
	b.SetBytes(int64(total))
	for i := 0; i < b.N; i++ {
		for _, s := range all { // suspect nothing-done
			sink += strings.Count(s, "e")
		}
	}
}

func BenchmarkMeanPiece(b *testing.B) {
	all, total := pieces(10) // suspect setup-timed
	b.SetBytes(int64(total / len(all)))
	for i := 0; i < b.N; i++ {
		sink += strings.Count(all[i%len(all)], "e")
	}
}

func BenchmarkOfOneSize(b *testing.B) {
	size := 5
	all, _ := pieces(10) // suspect setup-timed
	b.SetBytes(int64(size))
	for i := 0; i < b.N; i++ {
		sink += strings.Count(all[i%len(all)], "e")
	}
}

func input2(b *testing.B, n int) string {
	b.StopTimer()
	defer b.StartTimer()
	if len(text) == n {
		return text
	}
	text = strings.Repeat("x", n)
	return text
}

func input3(b *testing.B, n int) string {
	b.StopTimer()
	if len(text) == n {
		b.StartTimer()
		return text
	}
	for range 3 {
		if n > 5 {
			continue
		}
		text = "x"
	}
	if _, err := os.Stat("."); err != nil {
		b.Fatal(err)
		return ""
	}
	b.StartTimer()
	return text
}

func BenchmarkThroughHelpers(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink += strings.Count(input2(b, 100)+input3(b, 3), "x")
	}
}

func BenchmarkNow(b *testing.B) {
	var s []int
	var runs []func(*testing.B)
	n := 0
	for i := range 3 {
		s = MakeInput(i + 1)
		b.Run("x", func(b *testing.B) {
			for b.Loop() {
				sink = Sum(s)
			}
		})
		own := MakeInput(i + 1)
		n = n + 1
		runs = append(runs, func(b *testing.B) {
			for b.Loop() {
				sink = Sum(own) + n
			}
		})
	}
	for _, f := range runs {
		b.Run("y", f)
	}
	sink += bytes.Count(nil, nil)
}
