package bench

import (
	"math/rand"
	randv2 "math/rand/v2"
	"slices"
	"testing"
	"time"
)

func BenchmarkSeedsAll(b *testing.B) {
	rand.Seed(time.Now().UnixNano()) // want random-input
	r := rand.New(rand.NewSource(1))
	for b.Loop() {
		sink = r.Intn(10)
	}
}

func BenchmarkSeedsPCG(b *testing.B) {
	r := randv2.New(randv2.NewPCG(uint64(time.Now().UnixNano()), 1)) // want random-input
	for b.Loop() {
		sink = r.IntN(10)
	}
}

func BenchmarkReverses(b *testing.B) {
	s := MakeInput(100)
	for b.Loop() {
		slices.Reverse(s) // want changed-input
	}
}

func BenchmarkCompacts(b *testing.B) {
	s := MakeInput(100)
	for b.Loop() {
		slices.Compact(s) // want changed-input
	}
}

func BenchmarkLogsCount(b *testing.B) {
	for i := 0; i < b.N; i++ {
		if sink = Square(sink); sink < 0 {
			b.Fatal("negative after less than", b.N)
		}
	}
}
