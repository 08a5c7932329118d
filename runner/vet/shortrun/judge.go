package shortrun

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/gobench"
)

// The two values of benchtime to compare.
const (
	short = 10 * time.Millisecond
	long  = 100 * time.Millisecond
)

// A Judgement is the result of running a benchmark function.
type Judgement struct {
	Signs []Sign
	Ran   Timings // results of the judged benchmarks
	// Unjudged names the benchmarks that could not be judged, with the reason, or is "".
	Unjudged string
}

// Judge runs a benchmark function twice, with benchtimes that differ by a factor of ten, and then
// reruns the benchmarks that show a sign of a fault. It looks for the last two kinds of signs only
// if suspected returns true for them. It stops after the duration longest.
func (b Binary) Judge(ctx context.Context, function string, suspected func(Kind) bool, longest time.Duration) (j Judgement, err error) {
	end := b.Now().Add(min(longest, b.Limits.Function))
	left := func() time.Duration { return end.Sub(b.Now()) }
	j.Ran = Timings{}
	whole := "^" + regexp.QuoteMeta(function) + "$"
	brief, err := b.run(ctx, whole, short.String(), left()/3)
	if err != nil {
		return j, err
	}
	full, err := b.run(ctx, whole, long.String(), left())
	if err != nil {
		return j, err
	}
	var missing []string
	for _, name := range brief.names {
		first, second := brief.timings[name], full.timings[name]
		if second.N == 0 {
			missing = append(missing, name)
			continue
		}
		found, unsure, err := b.signs(ctx, name, first, second, suspected, left)
		if err != nil {
			return j, err
		}
		if unsure != "" {
			missing = append(missing, name)
			full.cut = unsure
			continue
		}
		second.Op = min(first.Op, second.Op)
		j.Ran[name] = second
		j.Signs = append(j.Signs, found...)
	}
	if sign, ok, err := b.stalled(ctx, function, brief, full, suspected, left); err != nil {
		return j, err
	} else if ok {
		j.Signs = append(j.Signs, sign)
	}
	j.Unjudged = unjudged(brief, full, missing)
	return j, nil
}

// unjudged returns the names of a function's benchmarks that could not be judged, with the reason,
// or "".
func unjudged(brief, full output, missing []string) string {
	at, cut := full.at, full.cut
	if brief.cut != "" {
		at, cut = brief.at, brief.cut
	}
	switch {
	case cut == "" && len(brief.names) == 0:
		return "no result: the benchmark was skipped, or its output is mixed with its results"
	case cut == "" && len(missing) > 0:
		return few(missing) + ": the names change from run to run"
	case cut == "":
		return ""
	case len(missing) > 0:
		return few(missing) + " and later ones: " + cut
	case at != "" && len(brief.names) > 0:
		return at + " and later ones: " + cut
	case len(brief.names) > 0:
		return "benchmarks after " + brief.names[len(brief.names)-1] + ": " + cut
	}
	return cut
}

// few joins names. If there are more than three, it joins the first two and adds the number of
// remaining names.
func few(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:2], ", "), len(names)-2)
	}
	return strings.Join(names, ", ")
}

// stalled looks for a stopped timer in the benchmark that was running when a run was cut short, if
// that fault is suspected. The testing package runs such a benchmark until the measured time is
// long enough, which may take hours.
func (b Binary) stalled(ctx context.Context, function string, brief, full output, suspected func(Kind) bool, left func() time.Duration) (Sign, bool, error) {
	at := full.at
	if brief.cut != "" {
		at = brief.at
	}
	if at == "" && brief.cut != "" && len(brief.names) == 0 {
		at = strings.TrimPrefix(function, "Benchmark")
	}
	if at == "" || !suspected(MostlyPaused) {
		return Sign{}, false, nil
	}
	again, err := b.run(ctx, gobench.Expression(at), "10x", left())
	if err != nil || again.timings[at].N == 0 {
		return Sign{}, false, err
	}
	found, unsure, err := b.pausedMostly(ctx, at, again.timings[at], left)
	return Sign{MostlyPaused, at, found}, found != "" && unsure == "", err
}
