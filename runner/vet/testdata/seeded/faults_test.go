package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"math/rand"
	"os"
	"regexp"
	"sort"
	"strings"
	"testing"
	"time"
)

var (
	sink    int
	history []int
	seen    = map[int]bool{}
)

func BenchmarkUnusedCall(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Add(i, 2) // want unused-result, suspect size-of-i
	}
}

func BenchmarkUnusedBlank(b *testing.B) {
	for i := range b.N {
		_ = Square(i) // want unused-result, suspect size-of-i
	}
}

func BenchmarkUnusedVariable(b *testing.B) {
	var r int
	for i := 0; i < b.N; i++ {
		r = Mul(i, 3) // want unused-result, suspect size-of-i
	}
	_ = r
}

func BenchmarkNoLoop(b *testing.B) { // want no-loop
	sink = Fib(20)
}

func BenchmarkNoLoopOfItsOwn(b *testing.B) { // want no-loop
	for i := 0; i < 1000; i++ {
		sink = Fib(5)
	}
}

func BenchmarkSizeIsN(b *testing.B) {
	s := make([]int, b.N) // want n-as-size
	b.ResetTimer()
	sort.Ints(s)
}

func BenchmarkArgumentIsN(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = Fib(b.N) // want n-as-size
	}
}

func BenchmarkLoopInLoop(b *testing.B) {
	for i := 0; i < b.N; i++ {
		for j := 0; j < b.N; j++ { // want n-as-size
			sink += j
		}
	}
}

func BenchmarkArgumentIsI(b *testing.B) {
	for i := 0; i < b.N; i++ {
		sink = Fib(i) // suspect size-of-i
	}
}

func BenchmarkStepsAreI(b *testing.B) {
	for i := 0; i < b.N; i++ {
		for j := 0; j < i; j++ { // want size-of-i
			sink += j
		}
	}
}

func BenchmarkMixed(b *testing.B) {
	data := MakeInput(b.N) // want mixed-loops
	for b.Loop() {
		sink = Sum(data)
	}
}

func BenchmarkMixedLoops(b *testing.B) {
	for b.Loop() {
		for i := 0; i < b.N; i++ { // want mixed-loops
			sink = Sum(nil)
		}
	}
}

func BenchmarkTwoLoops(b *testing.B) {
	for b.Loop() {
		sink = Fib(3)
	}
	for b.Loop() { // want mixed-loops
		sink = Fib(4)
	}
}

func BenchmarkOuter(b *testing.B) {
	for _, n := range []int{1, 2} {
		b.Run(fmt.Sprint(n), func(inner *testing.B) { // suspect n-as-size
			for i := 0; i < b.N; i++ { // want outer-b
				sink = Fib(n)
			}
		})
	}
}

func BenchmarkParallelN(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) { // want parallel-loop
		for i := 0; i < b.N; i++ {
			Kept(i) // suspect size-of-i
		}
	})
}

func BenchmarkParallelOnce(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) { // want parallel-loop
		Kept(1)
	})
}

func BenchmarkBreaks(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if sink = Fib(5); sink > 3 {
			break // want left-early
		}
	}
}

func BenchmarkReturns(b *testing.B) {
	for b.Loop() {
		sink = Fib(5)
		return // want left-early
	}
}

func BenchmarkResets(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.ResetTimer() // want timer-reset
		sink = Fib(5)
	}
}

func BenchmarkStopped(b *testing.B) {
	b.StopTimer()      // want timer-stopped
	s := MakeInput(10) // suspect setup-timed
	for i := 0; i < b.N; i++ {
		sink = Sum(s)
	}
}

func BenchmarkPaused(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer() // suspect timer-stopped
		s := MakeInput(100)
		b.StartTimer()
		sink = Sum(s)
	}
}

func BenchmarkSum(b *testing.B) {
	for i := 0; i < b.N; i++ {
		s := MakeInput(1000) // want setup-in-loop
		sink = Sum(s)
	}
}

func BenchmarkMatch(b *testing.B) {
	for b.Loop() {
		re := regexp.MustCompile(`a+b`) // want setup-in-loop
		re.MatchString("caab")
	}
}

func BenchmarkReads(b *testing.B) {
	for b.Loop() {
		text, err := os.ReadFile("work.go") // want setup-in-loop
		if err != nil {
			b.Fatal(err)
		}
		sink = bytes.Count(text, []byte("x"))
	}
}

func BenchmarkFills(b *testing.B) {
	for b.Loop() {
		s := make([]int, 100)
		for i := range s { // want setup-in-loop
			s[i] = i
		}
		sink = Sum(s)
	}
}

func BenchmarkSetupTimed(b *testing.B) {
	s := MakeInput(1 << 20) // suspect setup-timed
	for i := 0; i < b.N; i++ {
		sink = s[i%len(s)]
	}
}

func BenchmarkPrints(b *testing.B) {
	for i := 0; i < b.N; i++ {
		fmt.Println(Fib(3))           // want prints, suspect ignored-error
		log.Printf("%d", i)           // want prints, suspect size-of-i
		b.Log(i)                      // want prints, suspect size-of-i
		fmt.Fprintln(os.Stderr, i)    // want prints, suspect ignored-error, suspect size-of-i
		io.WriteString(os.Stdout, "") // want prints, suspect ignored-error
	}
}

func BenchmarkSleeps(b *testing.B) {
	for b.Loop() {
		time.Sleep(time.Millisecond) // want sleeps
	}
}

func BenchmarkDefers(b *testing.B) {
	for b.Loop() {
		f, err := os.Open(os.DevNull)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close() // want defers
	}
}

func BenchmarkUnawaited(b *testing.B) {
	for b.Loop() {
		go Fib(20) // want unawaited
	}
}

func BenchmarkSorts(b *testing.B) {
	s := MakeInput(1000)
	for b.Loop() {
		sort.Ints(s) // want changed-input
	}
}

func BenchmarkSortsByOurs(b *testing.B) {
	s := MakeInput(100)
	for b.Loop() {
		BubbleSort(s) // want changed-input
	}
}

func BenchmarkReadsOnce(b *testing.B) {
	r := strings.NewReader(`{"a": 1}`)
	var v any
	for b.Loop() {
		_ = json.NewDecoder(r).Decode(&v) // want read-once, suspect ignored-error
	}
}

func BenchmarkReadsAllOnce(b *testing.B) {
	buf := bytes.NewBufferString("words")
	for b.Loop() {
		io.ReadAll(buf) // want read-once, suspect ignored-error
	}
}

func BenchmarkGrowsGlobal(b *testing.B) {
	for i := 0; i < b.N; i++ {
		history = append(history, i) // want grows, suspect size-of-i
	}
}

func BenchmarkGrowsMap(b *testing.B) {
	for i := 0; i < b.N; i++ {
		seen[i] = true // want grows
	}
}

func BenchmarkGrowsLocal(b *testing.B) {
	var all []int
	for i := 0; i < b.N; i++ {
		all = append(all, i) // suspect grows, suspect size-of-i
		sink = Sum(all)
	}
}

func BenchmarkGrowsString(b *testing.B) {
	s := ""
	for i := 0; i < b.N; i++ {
		s += "x" // want grows
	}
	sink = len(s)
}

func BenchmarkRandom(b *testing.B) {
	s := MakeInput(100)
	rand.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] }) // want random-input
	for b.Loop() {
		sink = Sum(s)
	}
}

func BenchmarkClockSeed(b *testing.B) {
	r := rand.New(rand.NewSource(time.Now().UnixNano())) // want random-input
	for b.Loop() {
		sink = r.Intn(10)
	}
}
