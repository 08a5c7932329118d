//go:build linux

package main

import (
	"strings"
	"testing"
)

// A worker measures what the queue adds. The same rounds added again make no second job, and a
// second process of the same trial gets the stored parts.
func TestTrial(t *testing.T) {
	onBoth(t, func(t *testing.T, f *fleet) {
		s := f.queue()
		if o := s.open(f, "T1", ""); o.Procedure != "p" || o.Workers != 0 || len(o.Superseded) != 0 {
			t.Errorf("opened %+v", o)
		}
		s.send(`{"add":[{"target":"t","shard":"1/1","first":1,"last":4,"closed":["a.B"]}]}`)
		s.send(`{"add":[{"target":"t","shard":"1/1","first":1,"last":4,"closed":["a.B"]},{"target":"t","shard":"2/2","first":1,"last":4}]}`)
		f.worker("w1", "-once").wait(t)
		for range 2 {
			p := s.next(part).Part
			want := map[string]string{"1/1": `["a.B"]`, "2/2": "[]"}[p.Shard]
			if p.Attempt != 1 || p.Worker != "w1" || p.Target != "t" || p.First != 1 || p.Last != 4 || strings.Count(p.Text, want) != 4 || strings.Contains(p.Text, "saw") {
				t.Errorf("%+v", p)
			}
		}
		s.send(`{"add":[{"target":"t","shard":"1/1","first":1,"last":6}]}`)
		f.worker("w1", "-once").wait(t)
		if p := s.next(part).Part; p.First != 5 || p.Last != 6 {
			t.Errorf("%+v", p)
		}
		again := f.queue()
		again.open(f, "T1", "")
		for range 3 {
			again.next(part)
		}
		again.end("decided")
		s.end("decided")
		if n := f.count(`SELECT count(*) FROM fleet_queue WHERE state = 'completed' AND worker = 'w1'`); n != 3 {
			t.Errorf("%d jobs", n)
		}
		if n := f.count(`SELECT count(*) FROM fleet_trials WHERE state = 'decided' AND ended_us > 0`); n != 1 {
			t.Errorf("%d trials", n)
		}
	})
}
