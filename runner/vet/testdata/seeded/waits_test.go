package bench

import (
	"container/list"
	"testing"
	"time"
)

func BenchmarkSleepsWithin(b *testing.B) {
	for b.Loop() {
		if _, err := Retry(1); err != nil { // want sleeps
			b.Fatal(err)
		}
		Remote(2) // want sleeps, suspect ignored-error
	}
}

func BenchmarkTicks(b *testing.B) {
	tick := time.NewTicker(time.Microsecond) // suspect setup-timed
	for i := 0; i < b.N; i++ {
		<-tick.C                       // want sleeps
		<-time.After(time.Microsecond) // want sleeps
	}
}

func BenchmarkKeys(b *testing.B) {
	m := map[int]int{}
	for i := 0; i < b.N; i++ {
		for k := range m { // suspect nothing-done
			Kept(k)
		}
	}
}

func BenchmarkDrained(b *testing.B) {
	l := list.New()
	s := MakeInput(10)
	for range s {
		l.PushBack(1)
	}
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			for e := l.Front(); e != nil; e = l.Front() { // suspect nothing-done
				l.Remove(e)
			}
		}
	})
	b.Run("slice", func(b *testing.B) {
		for b.Loop() {
			for len(s) > 0 { // suspect nothing-done
				s = s[1:]
			}
		}
	})
}
