package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/runtest"
)

var update = flag.Bool("update", false, "write the golden files")

// points returns runs of one benchmark at different commits, a day apart. values holds the time of
// each run in nanoseconds. If change is not nil, it may modify each point.
func points(t testing.TB, values []float64, change func(i int, p *record.HistoryPoint)) (all []record.HistoryPoint) {
	for i, ns := range values {
		r := runtest.Read(t, runtest.Vary(10, "Sort/n=1000", 1, ns, "ns/op", 12.0, "allocs/op"))
		r.Target, r.Status = "sorty", record.Complete
		r.Commit = record.Commit{SHA: strings.Repeat(fmt.Sprintf("%02x", i+16), 20), Time: time.Date(2026, 1, 1+i, 12, 0, 0, 0, time.UTC)}
		p := record.HistoryPoint{Run: &record.RunInfo{Run: *r, ID: fmt.Sprintf("%064x", i), EnvironmentID: r.Env.EnvironmentID(), Benchmarks: 1}, Benchmark: r.Benchmarks[0]}
		if change != nil {
			change(i, &p)
			p.Run.EnvironmentID = p.Run.Env.EnvironmentID()
		}
		all = append(all, p)
	}
	return all
}

func seriesOf(name string, all []record.HistoryPoint) steps.Series {
	return steps.Series{
		Target: "sorty", BenchmarkID: record.BenchmarkID{Kind: record.Bench, Name: name}, Points: all,
		Lines: steps.UnitLines(steps.UnitsOf(all), steps.Options{Accepted: func(_, first string) bool { return strings.HasPrefix(first, "24") }}),
	}
}

// wave returns n values around each level, level by level.
func wave(n int, levels ...float64) (out []float64) {
	for i, level := range levels {
		for k := range n {
			out = append(out, level*(1+0.004*float64((k*7+i*3)%5-2)))
		}
	}
	return out
}

func figures(t testing.TB) map[string]Figure {
	odd := wave(10, 52e3, 52e3, 65e3, 48e3)
	odd[5], odd[17], odd[39] = 76e3, 210e3, 60e3
	hostile := "</text><script>alert(1)</script>\x1b[31m\u202e\"'&" + strings.Repeat("long", 60)
	return map[string]Figure{
		"steps": New(seriesOf("Sort/n=1000", points(t, odd, func(i int, p *record.HistoryPoint) {
			switch i {
			case 12, 13:
				p.CarriedFrom = strings.Repeat("1b", 20)
			case 25:
				p.Run.Status = record.Partial
			}
		}))),
		"environments": New(seriesOf("Sort/n=1000", points(t, wave(10, 52e3, 60e3, 44e3), func(i int, p *record.HistoryPoint) {
			if i%2 == 1 {
				p.Run.Env = p.Run.Env.Set("cpu", "Other CPU @ 3.00GHz")
			}
		}))),
		"few":  New(seriesOf("Sort/n=1000", points(t, []float64{52e3, 53e3}, nil))),
		"one":  New(seriesOf("Sort/n=1000", points(t, []float64{52e3}, nil))),
		"none": New(seriesOf("Sort/n=1000", nil)),
		"several": New(seriesOf(hostile, points(t, wave(4, 52e3), nil)), seriesOf("Other", points(t, wave(4, 1e9), func(_ int, p *record.HistoryPoint) {
			p.Run.Env = p.Run.Env.Set("cpu", hostile)
		}))),
	}
}

func TestGolden(t *testing.T) {
	for name, f := range figures(t) {
		got := f.SVG()
		file := filepath.Join("testdata", name+".svg")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs: see the pictures that -update writes", file)
		}
	}
}

// A picture consists of a few kinds of elements and has no scripts, links or undefined numbers,
// whatever the names contain.
func TestSVGIsHarmless(t *testing.T) {
	for name, f := range figures(t) {
		text := f.SVG()
		if !bytes.Equal(text, figures(t)[name].SVG()) {
			t.Errorf("%s: twice the same history, two pictures", name)
		}
		for _, bad := range []string{"NaN", "Inf", "\x1b", "\u202e"} {
			if bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s has %q", name, bad)
			}
		}
		d := xml.NewDecoder(bytes.NewReader(text))
		for {
			token, err := d.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				switch e.Name.Local {
				case "svg", "style", "rect", "text", "polygon", "polyline":
				default:
					t.Errorf("%s has the element %s", name, e.Name.Local)
				}
				for _, a := range e.Attr {
					if strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Name.Local, "href") {
						t.Errorf("%s has the attribute %s", name, a.Name.Local)
					}
				}
			}
		}
	}
}

// The picture shows the steps, outliers and environments of the history.
func TestWhatIsDrawn(t *testing.T) {
	all := figures(t)
	for name, wants := range map[string][]string{
		"steps":        {"sec/op", "allocs/op", "accepted +24.8 % [", "better -26.0 % [", "outlier", "newest far off", "hollow: carried over", "stroke-dasharray"},
		"environments": {"Other CPU", "better"},
		"few":          {"too few to find a step, which takes"},
		"none":         {"No run has measured this."},
	} {
		text := string(all[name].SVG())
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q", name, want)
			}
		}
	}
	// There is a line for each environment; a line never joins points from two environments.
	if n := strings.Count(string(all["environments"].SVG()), `stroke-width="1.75"`); n != 4 { // two units
		t.Errorf("%d lines of two units in two environments", n)
	}
}

// The image has the size of the picture, and each shape is drawn at its place in its color.
func TestPNG(t *testing.T) {
	for name, f := range figures(t) {
		text, err := f.PNG()
		if err != nil {
			t.Fatal(err)
		}
		if dir := os.Getenv("PERFTRACK_PLOTS"); dir != "" {
			if err := os.WriteFile(filepath.Join(dir, name+".png"), text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		img, err := png.Decode(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if b := img.Bounds(); b.Dx() != 960 || float64(b.Dy()) < f.height {
			t.Errorf("%s is %v", name, b)
		}
		seen := map[color]int{}
		for _, s := range f.shapes {
			if s.opacity != 0 && s.opacity != 1 || s.color == background {
				continue // blended with what is below
			}
			if seen[s.color]++; !painted(img, s) {
				t.Errorf("%s has no %s where %+v is", name, colors[s.color][0], s)
			}
		}
		if name != "none" && seen[line1] == 0 {
			t.Errorf("%s has no line", name)
		}
	}
}

// painted reports whether an image has the color of a shape somewhere within the bounds of the
// shape, with a tolerance of about a pixel. The bounds of a text are the rectangle that its letters
// fill.
func painted(img image.Image, s shape) bool {
	const letter = 8.0
	lo, hi := s.points[0], s.points[0]
	for _, p := range s.points {
		lo, hi = point{min(lo.x, p.x), min(lo.y, p.y)}, point{max(hi.x, p.x), max(hi.y, p.y)}
	}
	if s.text != "" {
		width := letter * float64(len([]rune(latin.Replace(s.text))))
		lo.x -= float64(s.anchor) / 2 * width
		hi.x = lo.x + width
		lo.y, hi.y = lo.y-letter, hi.y+letter
	}
	room := s.width/2 + 1
	wr, wg, wb, _ := rgba(s.color, 0).RGBA()
	for y := int(lo.y - room); y <= int(hi.y+room); y++ {
		for x := int(lo.x - room); x <= int(hi.x+room); x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); near(r, wr) && near(g, wg) && near(b, wb) {
				return true
			}
		}
	}
	return false
}

// near reports whether two components of colors are similar. They need not be equal, because the
// edges of thin shapes are blended with the background.
func near(a, b uint32) bool { return max(a, b)-min(a, b) < 0x6000 }
