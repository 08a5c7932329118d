package comparison

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/anchors"
	"github.com/perftrack/perftrack/compare/pairs"
	"github.com/perftrack/perftrack/runner/record"
)

// listed returns the runs described by lines such as "a trial=t base" or "b unpaired env=2", in
// reverse order: the newest comes first.
func listed(lines ...string) (infos []record.RunInfo) {
	for k, line := range lines {
		words := strings.Fields(line)
		i := record.RunInfo{ID: fmt.Sprint(k), Benchmarks: 3, EnvironmentID: "1"}
		i.Target, i.Status = "codec", record.Complete
		i.Commit.SHA = words[0]
		i.Start = time.Unix(int64(1000*(k+1)), 0)
		for _, w := range words[1:] {
			key, value, _ := strings.Cut(w, "=")
			switch key {
			case "trial":
				i.Trial = value
			case "base", "head":
				i.Side = record.Side(key)
			case "env":
				i.EnvironmentID = value
			case "target":
				i.Target = value
			case "dirty":
				i.Commit.Dirty = true
			case "imported":
				i.Start = time.Time{}
			case "failed":
				i.Status = record.Failed
			case "procedure":
				i.Protocol.Procedure = value
			}
		}
		infos = append(infos, i)
	}
	slices.Reverse(infos)
	return infos
}

func TestList(t *testing.T) {
	for _, c := range []struct {
		name  string
		runs  []string
		line  string
		wants []string // base, head, trials
	}{
		{"nothing", nil, "", nil},
		{"one trial", []string{"a trial=t1 base", "b trial=t1 head"}, "a b", []string{"a b [t1]"}},
		{"a continued trial", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t1 base", "b trial=t1 head"}, "a b", []string{"a b [t1]"}},
		{"a failed side is a side", []string{"a trial=t1 base", "b trial=t1 head failed"}, "a b", []string{"a b [t1]"}},
		{"two trials of a pair are one", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t2 base", "b trial=t2 head"}, "a b", []string{"a b [t1 t2]"}},
		{"two pairs", []string{"a trial=t1 base", "b trial=t1 head", "b trial=t2 base", "c trial=t2 head"}, "a b c", []string{"b c [t2]", "a b [t1]"}},
		{"one with changes is alone", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t2 base", "b trial=t2 head dirty"}, "a b", []string{"a b [t2]", "a b [t1]"}},
		{"of one side", []string{"a trial=t1 base"}, "a b", nil},
		{"calibrations, anchors and bisections are none", []string{
			"a trial=t1 base procedure=" + pairs.ProcedureCalibrate, "a trial=t1 head procedure=" + pairs.ProcedureCalibrate,
			"a trial=t2 base procedure=" + anchors.Procedure, "b trial=t2 head procedure=" + anchors.Procedure,
			"a trial=bisect-3 base", "b trial=bisect-3 head",
		}, "", nil},
		{"neighbours unpaired, the newest commit first", []string{"a", "c", "b"}, "a b c", []string{"b c []", "a b []"}},
		{"neighbours of imports, which tell no time", []string{"a imported", "b imported", "c imported"}, "a b c", []string{"b c []", "a b []"}},
		{"neighbours among trials", []string{"a", "b", "x trial=t1 base", "y trial=t1 head", "c"}, "a b c", []string{"b c []", "x y [t1]", "a b []"}},
		{"what is between was not measured", []string{"a", "d"}, "a b c d", []string{"a d []"}},
		{"a trial decides on neighbours", []string{"a trial=t1 base", "b trial=t1 head", "a", "b"}, "a b", []string{"a b [t1]"}},
		{"neighbours of other environments", []string{"a env=1", "b env=2"}, "a b", nil},
		{"neighbours of other targets", []string{"a target=x", "b target=y"}, "a b", nil},
		{"failed and changed ones are no neighbours", []string{"a", "b failed", "c dirty", "d"}, "a b c d", []string{"a d []"}},
		{"off the line", []string{"a", "x", "b"}, "a b", []string{"a b []"}},
	} {
		var got []string
		for _, l := range List(listed(c.runs...), strings.Fields(c.line)) {
			got = append(got, fmt.Sprintf("%s %s %v", l.Base.SHA, l.Head.SHA, l.Trials))
		}
		if !slices.Equal(got, c.wants) {
			t.Errorf("%s: %q, want %q", c.name, got, c.wants)
		}
	}
}

// Imported runs have no time, so the pair with the newest commit comes first.
func TestListImports(t *testing.T) {
	var runs, line []string
	for n := range 48 {
		line = append(line, fmt.Sprintf("c%02d", n))
		runs = append(runs, line[n]+" imported")
	}
	all := List(listed(runs...), line)
	if len(all) != 47 || all[0].Base.SHA != "c46" || all[0].Head.SHA != "c47" || all[46].Head.SHA != "c01" {
		t.Errorf("%d pairs, the first %s..%s, the last up to %s; want 47, c46..c47 and c01", len(all), all[0].Base.SHA, all[0].Head.SHA, all[len(all)-1].Head.SHA)
	}
}

// The newest comparison on a line is the trial of its newest commit or, without trials, the newest
// of its unpaired comparisons. Comparisons on other lines do not count.
func TestNewest(t *testing.T) {
	for _, c := range []struct {
		name       string
		runs       []string
		line, want string
	}{
		{"nothing", nil, "a b", ""},
		{"the last of one commit", []string{"a trial=t1 base", "b trial=t1 head", "x trial=t2 base", "b trial=t2 head"}, "a b", "x b [t2]"},
		{"an older commit measured later", []string{"a trial=t1 base", "c trial=t1 head", "a trial=t2 base", "b trial=t2 head"}, "a b c", "a c [t1]"},
		{"another line", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t2 base", "x trial=t2 head"}, "a b", "a b [t1]"},
		{"only another line", []string{"a trial=t2 base", "x trial=t2 head"}, "a b", ""},
		{"a commit before changes to it", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t2 base", "b trial=t2 head dirty"}, "a b", "a b [t1]"},
		{"changes to a newer commit", []string{"a trial=t1 base", "b trial=t1 head", "a trial=t2 base", "c trial=t2 head dirty"}, "a b c", "a c [t2]"},
		{"a trial before unpaired runs", []string{"a trial=t1 base", "b trial=t1 head", "c unpaired"}, "a b c", "a b [t1]"},
		{"unpaired", []string{"a unpaired", "b unpaired", "c unpaired"}, "a b c", "b c []"},
	} {
		line := strings.Fields(c.line)
		l, ok := Newest(List(listed(c.runs...), line), func(c record.Commit) (int, bool) {
			at := slices.Index(line, c.SHA)
			return at, at >= 0
		})
		got := ""
		if ok {
			got = fmt.Sprint(l.Base.SHA, " ", l.Head.SHA, " ", l.Trials)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The newest trial is the one measured last, even if a backup was imported later.
func TestNewestTrial(t *testing.T) {
	at := func(trial string, minute int) record.RunInfo {
		return record.RunInfo{Run: record.Run{Trial: trial, Start: time.Date(2026, 1, 1, 0, minute, 0, 0, time.UTC)}}
	}
	calibration := at("calibration", 9)
	calibration.Protocol.Procedure = pairs.ProcedureCalibrate
	infos := []record.RunInfo{at("backup", 1), at("backup", 2), calibration, at("", 8), at("new", 5), at("new", 6), at("old", 3)}
	if got := newestTrial(infos, infos[0]); got != "new" {
		t.Errorf("newest trial %q, want new", got)
	}
}
