package tools_test

import (
	"strings"
	"testing"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/formattest"
)

const (
	csvWide = `name,package,iterations,ns/op,B/op,max [us],note
Parse small,example.com/p,1000,125.5,64,1.5,first
Parse small,example.com/p,1000,126.5,64,,second
"Parse ""x"", y",example.com/q,,2e3,,,
Nothing,,,,,,
`
	csvLong = "\uFEFFbenchmark;value;unit;stddev;n\nA/8;1.5;ms;0.25;10\nA/8;2500;ops/s;;\nB;3;MB/s;;\n"
)

func TestCSV(t *testing.T) {
	formattest.Check(t, "csv", csvWide, `
		left out f:1: column "note": its header names no unit
		Unit max-ns/op from=us
		pkg: example.com/p
		Parse_small 1000 125.5 ns/op 64 B/op 1500 max-ns/op
		Parse_small 1000 126.5 ns/op 64 B/op
		pkg: example.com/q
		Parse_"x",_y 1 2000 ns/op
		left out f:5: Nothing: the line has no figures
	`)
	formattest.Check(t, "csv", csvLong, `
		Unit ns/op from=ms
		A/8 1 1.5e+06 ns/op 250000 sd-ns/op 10 summary-n
		Unit ops/s better=higher
		A/8 1 2500 ops/s 0 summary-n
		B 1 3 MB/s 0 summary-n
	`)
	formattest.Check(t, "csv", "Test, Time (ms), min\nA, 2.5, 1\n", `
		left out f:1: column "min": its header names no unit
		Unit ns/op from=ms
		A 1 2.5e+06 ns/op
	`)
	formattest.Check(t, "csv", "name,value,unit\nA,50,Percent\n", "A 1 50 Percent\n")
}

func TestCSVMistakes(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"name,ns/op\nA,x\nB,2\n", "error f:2: \"x\" is not a number in column \"ns/op\"\nB 1 2 ns/op"},
		{"name,ns/op\nA,0x10\n", "error f:2: \"0x10\" is not a number in column \"ns/op\""},
		{"name,ns/op\nA,-1\n", "error f:2: \"A\" is -1 ns/op: not a finite number of 0 or more"},
		{"name,ns/op\nA,1,2\n", "failed f:2: the line has another number of columns than the header"},
		{"name,ns/op\nA,1\n\"B,2\n", "failed f:3: invalid CSV: extraneous or missing \" in quoted-field"},
		{"name,ns/op\n,1\n", "error f:2: a benchmark has no name"},
		{"name,value,unit\nA,1,\n", "error f:2: \"A\" has no unit"},
		{"name,value\nA,1\n", "failed f:1: a column called value needs one called unit"},
		{"name,size\nA,1\n", "failed f:1: no header names a unit, such as ns/op or time (ms)"},
		{"ns/op\n1\n", "failed f:1: no column is called name or benchmark"},
		{"name,ms,time (us)\nA,1,2\n", "failed f:1: the columns \"ms\" and \"time (us)\" are both in ns/op"},
		{"", "failed f:1: the file is empty: a CSV begins with a header"},
		{"run_id,commit,name,unit,center,lo,hi,n\n", "failed f:1: this is the CSV of perftrack, which has no samples: import what `perftrack export` writes without --to csv"},
		{"name,ns/op\nA,1\n\"" + strings.Repeat("x\n", 1<<20) + "\",2\n", "failed f:3: a value is longer than the limit of 1 MiB"},
		{"name," + strings.Repeat("x", 1<<20), "failed f:1: the header is longer than the limit of 65536 bytes"},
	} {
		if got := strings.TrimSpace(formattest.Dump(t, "csv", tt.text)); !strings.HasSuffix(got, tt.want) || strings.Count(got, "error") != strings.Count(tt.want, "error ") {
			t.Errorf("%.60q: got %s, want %s", tt.text, got, tt.want)
		}
	}
}

// A text with commas is no CSV, nor is a table of other tools.
func TestNoCSV(t *testing.T) {
	for _, text := range []string{
		"hello, world, name\n",
		"command,mean,stddev,median,user,system,min,max\nsleep 1,1,0,1,0,0,1,1\n", // hyperfine's, without units
		"name,m,n,k\nA,1,2,3\n",
		"name,min,max\nA,1,2\n",
		"Notes (for name),name\n",
		"name,calls,total (ms)\nMain,1,2.5\n", // a table of scopes: the time is not that of one call
	} {
		if f, err := format.Detect([]byte(text)); err == nil {
			t.Errorf("%q is detected as %s", text, f.Name)
		}
	}
}

// In a folder, a CSV counts if its lines have figures.
func TestCSVReport(t *testing.T) {
	for _, tt := range []struct {
		text string
		want bool
	}{
		{csvWide, true},
		{csvLong, true},
		{"name,unit,value\nWater,liters,a lot\n", false},
		{"name,value,unit\n", false},
	} {
		f, err := format.Detect([]byte(tt.text))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.IsReport([]byte(tt.text)); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func FuzzCSV(f *testing.F) { formattest.Fuzz(f, "csv", csvWide, csvLong) }
