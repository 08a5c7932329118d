package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A search uses stored runs and trials of the commits to measure fewer pairs, and finds the same
// culprit. It ignores results from other machines.
func TestBisectStoredEvidence(t *testing.T) {
	live(t)
	v := newVictim(t)
	h := &slowHistory{victim: v}
	speed := func(ns string) {
		h.write("bench.sh", "n=$(cat counter 2>/dev/null || echo 0); n=$(( (n + 1) % 5 )); echo $n > counter\necho \"BenchmarkX 1000 "+ns+"$n ns/op\"\n")
	}
	speed("10")
	h.write(".gitignore", "counter\n")
	good := h.commit("good")
	var line []string
	culprit := ""
	for i := 1; i <= 12; i++ {
		if i == 8 {
			speed("12")
		}
		h.write("remark", fmt.Sprint(i))
		line = append(line, h.commit(fmt.Sprintf("commit %d", i)))
		if i == 8 {
			culprit = line[i-1]
		}
	}
	env := v.env
	search := func(database, machine string, measured func()) (pairs, history int) {
		t.Helper()
		v.env = append(env, "PERFTRACK_DB="+filepath.Join(v.temp, "..", database), "PERFTRACK_MACHINE="+machine)
		measured()
		v.env = append(env, "PERFTRACK_DB="+filepath.Join(v.temp, "..", database), "PERFTRACK_MACHINE=here")
		v.must("bisect-helper", "auto", good+"..HEAD", "--bench", "X")
		log := v.must("bisect-helper", "log", "--format", "csv")
		if !strings.Contains(log, ",found,"+culprit+",") {
			t.Errorf("%s: the culprit is %s:\n%s", database, culprit, log)
		}
		v.must("bisect-helper", "reset")
		return strings.Count(log, ",pair,"), strings.Count(log, ",history,")
	}
	stored := func() {
		for _, i := range []int{2, 5, 6, 7, 8, 10} { // half of the commits, including the culprit
			v.must("run", "--rev", line[i-1], "--rounds", "10")
		}
		v.must("run", "--rev", line[8], "--against", line[6], "--rounds", "10")
	}
	without, none := search("without.db", "here", func() {})
	with, known := search("with.db", "here", stored)
	elsewhere, foreign := search("elsewhere.db", "elsewhere", stored)
	t.Logf("%d pairs without anything stored, %d with it, %d where it is of another machine", without, with, elsewhere)
	if none != 0 || known != 6+10 || foreign != 0 {
		t.Errorf("%d, %d and %d events of history, want 0, %d and 0", none, known, foreign, 6+10)
	}
	if with >= without || with >= elsewhere {
		t.Errorf("%d pairs without what is stored, %d with it, %d with what another machine stored", without, with, elsewhere)
	}
}
