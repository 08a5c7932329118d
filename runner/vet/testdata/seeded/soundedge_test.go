package bench

import (
	"bytes"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"testing"
)

// These benchmarks only seem to have faults.

func BenchmarkLogs(b *testing.B) {
	logger := slog.New(slog.NewTextHandler(io.Discard, nil))
	for b.Loop() {
		logger.Info("x")
		slog.String("k", "v")
	}
}

func fill(buf *bytes.Buffer) { buf.Reset(); buf.WriteString("x") }

func BenchmarkBuffers(b *testing.B) {
	var one, two, three bytes.Buffer
	m := map[int]int{}
	all := map[int]int{}
	for i := 0; i < b.N; i++ {
		one.WriteString("x") // suspect ignored-error
		fill(&one)
		two.WriteString("x") // suspect ignored-error
		two.Truncate(0)
		three.WriteString("x") // suspect ignored-error
		three = bytes.Buffer{}
		var four strings.Builder
		four.WriteString("x") // suspect ignored-error
		m[i] = i
		delete(m, i) // suspect size-of-i
		all[i] = i
		clear(all)
	}
}

func BenchmarkStays(b *testing.B) {
	for b.Loop() {
	inner:
		for i := range 3 {
			for j := range 3 {
				if i+j == 3 {
					break inner
				}
				if j == 9 {
					goto next
				}
			}
		}
	next:
		switch sink {
		case 99:
			b.Error("ninety-nine")
			return
		}
		if sink == 98 {
			panic("ninety-eight")
		}
		if _, ok := counts[3]; !ok {
			break
		}
		func() {
			if sink == 4 {
				return
			}
		}()
	}
}

var counts = map[int]int{}

type tester struct{ b *testing.B }

func (t tester) run() {
	for t.b.Loop() {
		Kept(1)
	}
}

func BenchmarkInStruct(b *testing.B) { tester{b: b}.run() }

func BenchmarkInStructPlain(b *testing.B) { tester{b}.run() }

func BenchmarkByAnotherName(b *testing.B) {
	t := b
	tester{t}.run()
}

func BenchmarkStartedAgain(b *testing.B) {
	var q queue
	for i := 0; i < b.N; i++ {
		q.Put(5)
	}
	b.StopTimer()
	b.StartTimer()
	q.Wait()
}

func BenchmarkAppendsToOther(b *testing.B) {
	var kept []int
	for b.Loop() {
		s := make([]int, 0, 10)
		for i := range 10 {
			kept = append(s, i)
		}
		sink = Sum(kept) + Sum(s)
	}
}

func BenchmarkReset(b *testing.B) {
	s := MakeInput(100)
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		sink = Sum(s)
	}
}

func BenchmarkConverts(b *testing.B) {
	b.ReportAllocs()
	x := int64(len("abc"))
	f := func() {}
	f()
	for i := 0; i < b.N; i++ {
		sink = int(x)
	}
}

func BenchmarkFailures(b *testing.B) {
	for i := 0; i < b.N; i++ {
		_, _ = strconv.Atoi("x")
	}
}

func BenchmarkChecked(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if n, err := strconv.Atoi("1"); err != nil || n == 0 {
			b.Fatal(err)
		}
		n, err := strconv.Atoi("1")
		_ = n
		if err != nil {
			b.Fatal(err)
		}
		_, text := pair()
		_ = text
		_, _ = pair()
	}
}

func pair() (error, string) { return nil, strconv.Itoa(Count()) }

type point struct{ x, y int }

func (p *point) set(x int) int { p.x = x; return p.x }

func add(p *int) int { *p++; return *p }

func BenchmarkWritesThrough(b *testing.B) {
	var p point
	var c chan int
	var f func() int = Count
	n := 0
	s := []int{1, 2}
	for i := 0; i < b.N; i++ {
		p.set(3)
		_ = add(&n)
		_ = f()
		_ = []byte("abc")
		_ = sum(s)
		select {
		case <-c:
		default:
		}
	}
}

func sum(s []int) (n int) {
	for _, x := range s {
		n += x
	}
	return n
}

func BenchmarkMakeInputLarge(b *testing.B) {
	for b.Loop() {
		s := MakeInput(100000)
		sink = len(s) + Kept(s[0])
	}
}

func BenchmarkTwoSteps(b *testing.B) {
	for b.Loop() {
		n := Fib(3)
		sink = Kept(n)
	}
}

func BenchmarkPausedLonger(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer() // suspect timer-stopped
		Count()
		s := MakeInput(10)
		b.StartTimer()
		sink = Sum(s)
	}
}

func BenchmarkGlobalsOfOthers(b *testing.B) {
	for b.Loop() {
		io.Copy(io.Discard, strings.NewReader("x")) // suspect ignored-error
	}
}

func BenchmarkBatchesOfTen(b *testing.B) {
	i := 0
	for i < b.N {
		for _, n := range MakeInput(10) {
			sink = Kept(int(n))
			i++
			if i >= b.N {
				return
			}
		}
	}
}

func BenchmarkBatchesTheOtherWay(b *testing.B) {
	for i := 0; i < b.N; {
		sink = Kept(1)
		if i++; b.N <= i {
			break
		}
		if b.N == i {
			break
		}
	}
}
