package bench

import (
	"sync/atomic"
	"testing"
	"time"
)

func BenchmarkLimited(b *testing.B) {
	tokens := 1 << 40
	for b.Loop() {
		Limited(&tokens)
	}
}

func BenchmarkPolled(b *testing.B) {
	for b.Loop() {
		Polled(func() bool { return true })
	}
}

func BenchmarkTimeout(b *testing.B) {
	c := make(chan int, 1)
	for b.Loop() {
		c <- 1
		select {
		case <-c:
		case <-time.After(time.Second):
			b.Fatal("late")
		}
	}
}

func BenchmarkSwaps(b *testing.B) {
	var n atomic.Int64
	for b.Loop() {
		for !n.CompareAndSwap(0, 0) { // the condition is the measured work
			Count()
		}
	}
}

func BenchmarkFilledAnew(b *testing.B) {
	input := MakeInput(10)
	for b.Loop() {
		s := append([]int(nil), input...)
		for len(s) > 0 {
			sink, s = Kept(s[0]), s[1:]
		}
	}
}
