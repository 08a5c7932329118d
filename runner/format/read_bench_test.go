package format

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/record/decode"
)

// BenchmarkRead reports as "ratio" the shortest time to read a text, divided by the shortest time
// of benchfmt's reader. The two readers take turns. read=check only reads the records; read=runs
// also builds runs from them.
func BenchmarkRead(b *testing.B) {
	for _, text := range []struct {
		name string
		text []byte
	}{
		{"by-benchmark", suiteText("", 20, 1)},
		{"by-round", suiteText("", 1, 20)},
		{"long-header", suiteText("perftrack-run: 5\ntarget: t\nprotocol: "+longProtocol+"\n", 20, 1)},
	} {
		for _, read := range []struct {
			name string
			read func([]byte) error
		}{{"check", readChecked}, {"runs", readRuns}} {
			b.Run("text="+text.name+"/read="+read.name, func(b *testing.B) {
				b.SetBytes(int64(len(text.text)))
				b.ReportAllocs()
				ours, theirs := time.Hour, time.Hour
				for b.Loop() {
					start := time.Now()
					if err := read.read(text.text); err != nil {
						b.Fatal(err)
					}
					ours = min(ours, time.Since(start))
					b.StopTimer()
					start = time.Now()
					readPlain(text.text)
					theirs = min(theirs, time.Since(start))
					b.StartTimer()
				}
				b.ReportMetric(float64(ours)/float64(theirs), "ratio")
			})
		}
	}
}

var longProtocol = `{"methods":[` + strings.Repeat(`{"how":"slices"},`, 3000) + `{"how":"slices"}]}`

// suiteText returns the text of 1,000 benchmarks in 20 packages, with count results in a row for
// each benchmark and round.
func suiteText(header string, count, rounds int) []byte {
	text := bytes.NewBufferString(header)
	for round := range rounds {
		for i := range 1000 {
			if i%50 == 0 {
				fmt.Fprintf(text, "goos: linux\ngoarch: amd64\npkg: example.com/suite/p%02d\ncpu: Example CPU\n", i/50)
			}
			for k := range count {
				fmt.Fprintf(text, "BenchmarkWork%03d/n=%d-8 \t %d\t %d.%d ns/op\t %d B/op\t %d allocs/op\n",
					i/4, i%4, 1000+i, 1000+(7*i+k+round)%100, k%10, 64*(i%50), i%50)
			}
		}
	}
	return text.Bytes()
}

func readPlain(text []byte) {
	for r := benchfmt.NewReader(bytes.NewReader(text), "f"); r.Scan(); {
		r.Result()
	}
}

func readChecked(text []byte) error {
	return Read("gobench", text, "f", func(benchfmt.Record) error { return nil })
}

func readRuns(text []byte) error {
	var b decode.Builder
	if err := Read("gobench", text, "f", b.Add); err != nil {
		return err
	}
	_, err := b.Runs()
	return err
}
