package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"os"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"
	"testing"
)

// This file has no faults.

func BenchmarkKept(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Kept(i) // suspect size-of-i
		Fib(3)
		Count()
	}
}

func BenchmarkUsed(b *testing.B) {
	n := 0
	for i := 0; i < b.N; i++ {
		n += Add(i, 1) // suspect size-of-i
	}
	sink = n
}

func BenchmarkLoop(b *testing.B) {
	for b.Loop() {
		Add(1, 2)
	}
	b.ReportMetric(float64(b.N), "ops")
}

func BenchmarkCountedDown(b *testing.B) {
	for i := b.N; i > 0; i-- {
		Kept(i) // suspect size-of-i
	}
}

func BenchmarkCopied(b *testing.B) {
	n := b.N
	for i := 0; i < n; i++ {
		Kept(i) // suspect size-of-i
	}
}

func BenchmarkBatches(b *testing.B) {
	for i := 0; i < b.N; {
		for j := 0; j < 100 && i < b.N; j++ {
			Kept(i) // suspect size-of-i
			i++
		}
	}
}

func BenchmarkInputs(b *testing.B) {
	inputs := make([]int, b.N)
	for i := range inputs {
		inputs[i] = i % 10
	}
	b.ResetTimer()
	for i := 0; i < b.N; i++ {
		Kept(inputs[i])
	}
}

func BenchmarkGivenAway(b *testing.B) { benchmarkFib(b, 5) }

func benchmarkFib(b *testing.B, n int) {
	for b.Loop() {
		Fib(n)
	}
}

func BenchmarkInSub(b *testing.B) {
	for _, n := range []int{1, 10} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			s := MakeInput(n)
			for b.Loop() {
				Sum(s)
			}
		})
	}
}

func BenchmarkParallel(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			Kept(1)
		}
	})
}

func BenchmarkFails(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if err := fails(i); err != nil { // suspect size-of-i
			fmt.Println(err)
			return
		}
		if got := Kept(i); got != i+1 { // suspect size-of-i
			b.Errorf("got %d", got)
			return
		}
		switch Kept(i) { // suspect size-of-i
		case -1:
			break
		}
		for j := range 3 {
			if j == 2 {
				break
			}
			Kept(j)
		}
	}
}

func fails(i int) error {
	if i < 0 {
		return errors.New("negative")
	}
	return nil
}

func BenchmarkSortsCopies(b *testing.B) {
	s := MakeInput(1000)
	work := make([]int, len(s))
	for b.Loop() {
		copy(work, s)
		sort.Ints(work)
		work2 := slices.Clone(s)
		slices.Sort(work2)
	}
}

func BenchmarkSorts_Sorted(b *testing.B) {
	s := MakeInput(1000)
	for b.Loop() {
		sort.Ints(s)
	}
}

func BenchmarkPausedSetup(b *testing.B) {
	b.StopTimer()
	for i := 0; i < b.N; i++ {
		s := MakeInput(100)
		for j := range s {
			s[j] = j
		}
		b.StartTimer()
		sort.Ints(s)
		b.StopTimer() // suspect timer-stopped
	}
}

func BenchmarkMakeInput(b *testing.B) {
	for b.Loop() {
		s := MakeInput(10)
		sink = len(s) + Kept(s[0])
	}
}

func BenchmarkMustCompile(b *testing.B) {
	for b.Loop() {
		re := regexp.MustCompile(`a+b`)
		re.MatchString("ab")
	}
}

func BenchmarkDecode(b *testing.B) {
	text := []byte(`{"a": 1}`)
	r := bytes.NewReader(text)
	var v any
	for b.Loop() {
		r.Reset(text)
		if err := json.NewDecoder(r).Decode(&v); err != nil {
			b.Fatal(err)
		}
		_, _ = io.ReadAll(strings.NewReader("x")) // suspect ignored-error
	}
}

func BenchmarkAppends(b *testing.B) {
	var s []int
	var buf bytes.Buffer
	m := map[int]int{}
	for i := 0; i < b.N; i++ {
		s = append(s[:0], 1, 2)
		s = append(s, 3) // suspect grows
		m[i%100] = i
		buf.Reset()
		buf.WriteString("x") // suspect ignored-error
	}
	sink = len(s)
}

func BenchmarkAwaited(b *testing.B) {
	for b.Loop() {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			Fib(3)
		}()
		wg.Wait()
	}
}

func BenchmarkSeeded(b *testing.B) {
	r := rand.New(rand.NewSource(1))
	for b.Loop() {
		sink = r.Intn(10)
	}
}

func BenchmarkWrites(b *testing.B) {
	for b.Loop() {
		fmt.Fprintln(io.Discard, "x") // suspect ignored-error
	}
}

func BenchmarkRuntime(b *testing.B) {
	m := map[string]int{}
	var x, y any = "a", "b"
	s, t := "s", []byte("t")
	for i := 0; i < b.N; i++ {
		_ = m["k"]
		_ = x == y
		_ = s + s
		_ = string(t)
	}
}

func BenchmarkShares(b *testing.B) {
	each(b, func(_ *testing.B, m map[int]int) { m[1] = 1 }, func(b *testing.B, pb *testing.PB, i int) {
		for ; pb.Next(); i++ {
			Kept(i)
		}
	})
}

func each(b *testing.B, setup func(*testing.B, map[int]int), perG func(b *testing.B, pb *testing.PB, i int)) {
	setup(b, map[int]int{})
	b.RunParallel(func(pb *testing.PB) { perG(b, pb, 3*b.N) }) // suspect n-as-size
}

func BenchmarkHundreds(b *testing.B) {
	left := int32(b.N / 100)
	for left >= 0 {
		left--
		Kept(100)
	}
}

func BenchmarkNotHere(b *testing.B) {
	if os.Getenv("NEVER_SET") == "" {
		b.Skip("not here")
	}
}
