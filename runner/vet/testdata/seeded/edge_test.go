package bench

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"
)

// Faults in rarer forms.

var (
	journal bytes.Buffer
	letters strings.Builder
)

func BenchmarkPrintsOtherwise(b *testing.B) {
	for b.Loop() {
		println("x")                  // want prints
		print("x")                    // want prints
		slog.Info("x")                // want prints
		os.Stdout.Write([]byte("x"))  // want prints, suspect ignored-error
		os.Stderr.WriteString("done") // want prints, suspect ignored-error
	}
}

func BenchmarkPrintsSometimes(b *testing.B) {
	for b.Loop() {
		if sink == 7 {
			println("seven") // want prints
		}
		switch sink {
		case 8:
			println("eight") // want prints
		}
	}
}

func BenchmarkJournal(b *testing.B) {
	var own bytes.Buffer
	for i := 0; i < b.N; i++ {
		journal.WriteString("x") // want grows, suspect ignored-error
		letters.WriteByte('x')   // want grows, suspect ignored-error
		own.WriteString("x")     // suspect grows, suspect ignored-error
		sink = own.Len() + len(own.Bytes()) + letters.Len()
	}
}

func BenchmarkLeavesByGoto(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if sink = Kept(i); sink == 1000 { // suspect size-of-i
			goto done // want left-early
		}
	}
done:
	sink = 0
}

func BenchmarkLeavesByLabel(b *testing.B) {
all:
	for b.Loop() {
		for i := range 10 {
			if Kept(i) == 20 {
				break all // want left-early
			}
		}
		switch sink {
		case 1:
			break all // want left-early
		case 2:
			return // want left-early
		}
		select {
		default:
			return // want left-early
		}
	}
}

func BenchmarkLeavesElse(b *testing.B) {
	for b.Loop() {
		if _, err := strconv.Atoi("1"); err != nil {
			b.Fatal(err)
		} else {
			break // want left-early
		}
		if sink == 3 {
			Kept(3)
		} else {
			break // want left-early
		}
	}
}

func BenchmarkRangeInRange(b *testing.B) {
	for range b.N {
		for range b.N { // want n-as-size
			Kept(1)
		}
	}
}

func BenchmarkCountedAfter(b *testing.B) {
	for b.Loop() {
		Kept(1)
	}
	for i := 0; i < b.N; i++ { // want mixed-loops
		Kept(1)
	}
}

func BenchmarkParallelBoth(b *testing.B) {
	b.RunParallel(func(pb *testing.PB) { // want parallel-loop
		for pb.Next() {
			Kept(1)
		}
		for i := 0; i < b.N; i++ {
			Kept(2)
		}
	})
}

func BenchmarkSizesOfI(b *testing.B) {
	for i := 0; i < b.N; i++ {
		s := make([]byte, i) // want size-of-i
		sink = len(s)
		sink += strings.Count(strings.Repeat("x", i), "x")             // want size-of-i
		sink += bytes.Count(bytes.Repeat([]byte("x"), i), []byte("x")) // want size-of-i
		for range i {                                                  // want size-of-i
			Kept(1)
		}
	}
}

func BenchmarkGivesUp(b *testing.B) {
	b.StopTimer()
	s := MakeInput(10) // suspect setup-timed
	if sink == 12345 {
		return // want timer-stopped
	}
	b.StartTimer()
	for i := 0; i < b.N; i++ {
		sink = Sum(s)
	}
}

func BenchmarkFillsByAppend(b *testing.B) {
	for b.Loop() {
		var s []int
		for i := range 100 { // want setup-in-loop
			s = append(s, i)
		}
		sink = Sum(s)
	}
}

func BenchmarkPreparesAfterStart(b *testing.B) {
	for i := 0; i < b.N; i++ {
		b.StopTimer() // suspect timer-stopped
		Count()
		b.StartTimer()
		s := MakeInput(10) // want setup-in-loop
		sink = Sum(s)
	}
}

func loadNumbers(n int) *[]int { s := MakeInput(n); return &s }

func BenchmarkAdds(b *testing.B) {
	for b.Loop() {
		s := loadNumbers(10) // want setup-in-loop
		sink = Sum(*s)
	}
}

func BenchmarkWorksBefore(b *testing.B) {
	for i := range 100 { // suspect setup-timed
		sink += i
	}
	for i := 0; i < b.N; i++ {
		Kept(1)
	}
}

func BenchmarkIgnores(b *testing.B) {
	var v any
	for i := 0; i < b.N; i++ {
		n, _ := strconv.Atoi("x")           // suspect ignored-error
		_ = json.Unmarshal([]byte("}"), &v) // suspect ignored-error
		_, _ = strconv.Atoi("7")            // suspect ignored-error
		json.Unmarshal([]byte("{}"), &v)    // suspect ignored-error
		strconv.ParseBool("maybe")          // suspect ignored-error
		switch n {
		case 0:
			_ = errors.New("x") // suspect ignored-error
		}
	}
}

func BenchmarkMinimum(b *testing.B) {
	x, y := 3, 4
	for i := 0; i < b.N; i++ {
		_ = min(x, y) + len("abc") + Mul(x, y) // want unused-result, suspect constant-input
		_ = x < y                              // want unused-result
	}
}

func BenchmarkLeavesBeforeItsBound(b *testing.B) {
	other := 3
	for i := 0; i < b.N; i++ {
		sink = Kept(2)
		if i >= b.N/2 {
			break // want left-early
		}
		if i < b.N {
			break // want left-early
		}
		if b.N > i {
			break // want left-early
		}
		if other >= b.N {
			break // want left-early
		}
		if i == b.N {
			break
		} else {
			break // want left-early
		}
	}
}
