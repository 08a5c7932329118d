package rust_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/format/reading"
)

// criterionFolder is a folder as Criterion 0.3 writes it.
func criterionFolder() fstest.MapFS {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	sample := file(`{"sampling_mode":"Linear","iters":[10.0,20.0],"times":[1000.0,4000.0]}`)
	return fstest.MapFS{
		"fib 10/new/benchmark.json":      file(`{"group_id":"fib 10","function_id":null,"value_str":null,"throughput":null,"full_id":"fib 10","directory_name":"fib 10","title":"fib 10"}`),
		"fib 10/new/sample.json":         sample,
		"fib 10/new/estimates.json":      file(`{}`),
		"fib 10/base/benchmark.json":     file(`{"full_id":"fib 10","directory_name":"fib 10"}`),
		"fib 10/base/sample.json":        sample,
		"fib 10/change/estimates.json":   file(`{}`),
		"fib 10/report/index.html":       file(`<html>`),
		"report/index.html":              file(`<html>`),
		"sum/bytes/new/benchmark.json":   file(`{"group_id":"sum","function_id":"bytes","throughput":{"Bytes":8000},"full_id":"sum/bytes","directory_name":"sum/bytes","title":"sum/bytes"}`),
		"sum/bytes/new/sample.json":      file(`{"iters":[1],"times":[2000]}`),
		"sum/e/1000/new/benchmark.json":  file(`{"throughput":{"Elements":1000},"full_id":"sum/e/1000","directory_name":"sum/e/1000"}`),
		"sum/e/1000/new/sample.json":     sample,
		"sum/new/new/benchmark.json":     file(`{"throughput":{"ElementsAndBytes":{"elements":10,"bytes":80}},"full_id":"sum/new","directory_name":"sum/new"}`),
		"sum/new/new/sample.json":        sample,
		"sum/new/report/index.html":      file(`<html>`),
		"sum/report/violin.svg":          file(`<svg>`),
		"zero/broken/new/benchmark.json": file(`{"full_id":"zero/broken","directory_name":"zero/broken"}`),
		"zero/broken/new/sample.json":    file("{\"iters\":[1,2],\n\"times\":[2000]}"),
	}
}

// readFolder returns the records of a folder as lines.
func readFolder(fsys fstest.MapFS, name string) (string, error) {
	var out strings.Builder
	err := format.ReadFolder(fsys, name, func(rec benchfmt.Record) error {
		switch rec := rec.(type) {
		case *benchfmt.Result:
			fmt.Fprintf(&out, "%s %d", rec.Name, rec.Iters)
			for _, v := range rec.Values {
				if v.OrigUnit != "" {
					v.Value, v.Unit = v.OrigValue, v.OrigUnit
				}
				fmt.Fprintf(&out, " %v %s", v.Value, v.Unit)
			}
			out.WriteByte('\n')
		case *benchfmt.SyntaxError:
			fmt.Fprintf(&out, "error %v\n", rec)
		case *reading.LeftOut:
			fmt.Fprintf(&out, "left out %s\n", rec.What)
		}
		return nil
	})
	return out.String(), err
}

func TestCriterion(t *testing.T) {
	got, err := readFolder(criterionFolder(), ".")
	want := `fib_10 10 100 ns/op
fib_10 20 200 ns/op
sum/bytes 1 2000 ns/op 4000 MB/s
sum/e/1000 10 100 ns/op 1e+10 elements/s
sum/e/1000 20 200 ns/op 5e+09 elements/s
sum/new 10 100 ns/op 1e+08 elements/s 800 MB/s
sum/new 20 200 ns/op 5e+07 elements/s 400 MB/s
error zero/broken/new/sample.json:2: "zero/broken" has 1 times for 2 samples
`
	if got != want || err != nil {
		t.Errorf("got\n%s%v\nwant\n%s", got, err, want)
	}
}

func TestCriterionDetect(t *testing.T) {
	all := fstest.MapFS{"target/debug/x": &fstest.MapFile{}}
	for name, file := range criterionFolder() {
		all["target/criterion/"+name] = file
	}
	for name, want := range map[string]bool{"target/criterion": true, "target": false, ".": false, "target/debug": false, "target/criterion/sum": false} {
		_, err := readFolder(all, name)
		if (err == nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCriterionMistakes(t *testing.T) {
	for _, tt := range []struct{ file, text, want string }{
		{"fib 10/new/sample.json", "", "read .: open fib 10/new/sample.json: file does not exist"},
		{"fib 10/new/sample.json", `{"iters":`, "fib 10/new/sample.json:1: the input ends in the middle of the JSON document"},
		{"sum/bytes/new/benchmark.json", `[]`, `sum/bytes/new/benchmark.json:1: expected an object, found "["`},
	} {
		fsys := criterionFolder()
		fsys[tt.file] = &fstest.MapFile{Data: []byte(tt.text)}
		if tt.text == "" {
			delete(fsys, tt.file)
		}
		if _, err := readFolder(fsys, "."); err == nil || err.Error() != tt.want {
			t.Errorf("%s: got %v, want %s", tt.file, err, tt.want)
		}
	}
}

// FuzzCriterion reads any two files as those of a benchmark.
func FuzzCriterion(f *testing.F) {
	f.Add([]byte(`{"throughput":{"Bytes":8000},"full_id":"a","directory_name":"a"}`), []byte(`{"iters":[10.0,20.0],"times":[1000.0,4000.0]}`))
	f.Fuzz(func(t *testing.T, info, sample []byte) {
		if len(info)+len(sample) > 1<<20 {
			t.Skip()
		}
		all := format.Folders()[0]
		fsys := fstest.MapFS{"a/new/benchmark.json": {Data: info}, "a/new/sample.json": {Data: sample}}
		_ = all.Detect(fsys)
		_ = all.Read(fsys, "x", func(rec benchfmt.Record) error {
			if r, ok := rec.(*benchfmt.Result); ok {
				return format.Check(r)
			}
			return nil
		})
	})
}
