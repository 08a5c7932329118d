package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"

	"github.com/perftrack/perftrack/engine/kernels"
)

// A goal is a limit on a ratio: of speeds, where more is better, or of times, where less is better.
type goal struct {
	speed, time float64 // 0 if there is no goal for it
}

// A line compares our result with one other library's.
type line struct {
	what, ours, peer, theirs, ratio, goal, met string
}

// compare adds a line that compares ours with a peer. show formats the time of each.
func (b *bench) compare(what string, ours, peer *contestant, g goal, show func(*contestant) string) {
	b.ratio(what, show(ours), peer.name, show(peer), peer.median()/ours.median(), g)
}

// ratio adds a line with the ratio of our speed to the peer's speed.
func (b *bench) ratio(what, ours, peer, theirs string, speed float64, g goal) {
	l := line{what: what, ours: ours, peer: peer, theirs: theirs, ratio: fmt.Sprintf("%.2fx the speed", speed)}
	met := hundredths(speed) >= g.speed
	switch {
	case g.speed > 0:
		l.goal = fmt.Sprintf("at least %.2fx", g.speed)
	case g.time > 0:
		l.ratio, l.goal = fmt.Sprintf("%.2fx the time", 1/speed), fmt.Sprintf("at most %.2fx", g.time)
		met = hundredths(1/speed) <= g.time
	}
	if l.goal != "" {
		l.met = map[bool]string{true: "yes", false: "**no**"}[met]
	}
	b.lines = append(b.lines, l)
}

// hundredths rounds x in the same way as a ratio is displayed, because further digits would be
// noise.
func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

func gflops(c *contestant) string { return fmt.Sprintf("%.1f GFLOPS", c.rate()) }

func micros(c *contestant) string { return fmt.Sprintf("%.1f µs", 1e6*c.median()) }

// each returns a function that formats the time per element of a contestant that processes n
// elements.
func each(n int) func(*contestant) string {
	return func(c *contestant) string { return fmt.Sprintf("%.3f ns", 1e9*c.median()/float64(n)) }
}

func (b *bench) write(w io.Writer) {
	fmt.Fprintf(w, "simd: %s, %s %s, %s\n", kernels.Path(), runtime.GOOS, runtime.GOARCH, runtime.Version())
	for _, v := range []string{"OPENBLAS_CORETYPE", "BLIS_ARCH_TYPE"} {
		fmt.Fprintf(w, "%s=%s\n", v, os.Getenv(v))
	}
	for _, m := range b.missing {
		fmt.Fprintf(w, "not at hand: %s\n", m)
	}
	fmt.Fprintf(w, "\n| what | ours | peer | peer's | ratio | goal | met |\n|---|---:|---|---:|---:|---|---|\n")
	for _, l := range b.lines {
		fmt.Fprintf(w, "| %s |\n", strings.Join([]string{l.what, l.ours, l.peer, l.theirs, l.ratio, l.goal, l.met}, " | "))
	}
}
