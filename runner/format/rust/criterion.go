package rust

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"golang.org/x/perf/benchfmt"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// Criterion is the folder in which Criterion keeps all samples: for each benchmark a folder "new" with
// the newest measurement. The folders beside it are earlier measurements and reports.
var Criterion = reading.Folder{
	Name:        "criterion",
	Description: "folder target/criterion of Criterion: iterations and time of each sample",
	Tool:        "cargo bench, which writes target/criterion",
	Yields:      reading.Samples,
	Detect:      detectCriterion,
	Read:        readCriterion,
}

const (
	criterionNew       = "new"
	criterionBenchmark = "benchmark.json"
	criterionSample    = "sample.json"
)

// detectCriterion looks for a benchmark. A folder holds benchmarks by group, function and parameter,
// and each knows its place, so neither a single group nor the folder above is taken for it.
func detectCriterion(fsys fs.FS) bool {
	for _, depth := range []string{"*", "*/*", "*/*/*"} {
		found, err := fs.Glob(fsys, depth+"/"+criterionNew+"/"+criterionBenchmark)
		if err != nil || len(found) == 0 {
			continue
		}
		b, err := readCriterionBenchmark(fsys, "", found[0])
		return err == nil && b.directory == path.Dir(path.Dir(found[0]))
	}
	return false
}

func readCriterion(fsys fs.FS, name string, emit func(benchfmt.Record) error) error {
	found := false
	err := fs.WalkDir(fsys, ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("read %s: %w", name, err)
		}
		dir, base := path.Split(file)
		if entry.IsDir() || base != criterionBenchmark || path.Base(dir) != criterionNew {
			return nil
		}
		found = true
		b, err := readCriterionBenchmark(fsys, name, file)
		if err != nil {
			return err
		}
		return b.samples(fsys, name, dir+criterionSample, emit)
	})
	if err == nil && !found {
		return fmt.Errorf("read %s: no benchmark of Criterion in the folder", name)
	}
	return err
}

// A criterionInfo is the file benchmark.json.
type criterionInfo struct {
	id, directory string
	throughput    []perIteration
}

func readCriterionBenchmark(fsys fs.FS, folder, file string) (b criterionInfo, err error) {
	err = readFile(fsys, folder, file, nil, func(d *reading.Document) error {
		var title string
		err := d.Object(func(key string) (err error) {
			switch key {
			case "full_id":
				b.id, err = d.Text()
			case "title":
				title, err = d.Text()
			case "directory_name":
				b.directory, err = d.Text()
			case "throughput":
				err = b.amounts(d)
			default:
				err = d.Skip()
			}
			return err
		})
		b.id = cmp.Or(b.id, title)
		return err
	})
	return b, err
}

// amounts reads a throughput: {"Bytes": 8}, or {"ElementsAndBytes": {"elements": 1, "bytes": 8}}.
func (b *criterionInfo) amounts(d *reading.Document) error {
	units := map[string]string{
		"Bytes": "bytes", "BytesDecimal": "bytes", "Bits": "bits", "Elements": "elements", "bytes": "bytes", "elements": "elements",
	}
	read := func(key string) error {
		if d.Next() != '0' || units[key] == "" || len(b.throughput) == maxThroughputs {
			return d.Skip()
		}
		v, err := d.Number()
		b.throughput = append(b.throughput, perIteration{v, units[key]})
		return err
	}
	return d.Object(func(key string) error {
		if key == "ElementsAndBytes" {
			return d.Object(read)
		}
		return read(key)
	})
}

// samples reads sample.json. The times of Criterion's clock are nanoseconds.
func (b *criterionInfo) samples(fsys fs.FS, folder, file string, emit func(benchfmt.Record) error) error {
	return readFile(fsys, folder, file, emit, func(d *reading.Document) error {
		m := measured{throughput: b.throughput}
		err := d.Object(func(key string) (err error) {
			switch key {
			case "iters":
				m.iterations, err = list(d.JSON)
			case "times":
				m.totals, err = list(d.JSON)
			default:
				err = d.Skip()
			}
			return err
		})
		if err != nil {
			return err
		}
		return m.emit(d.Sheet, d.Line(), b.id, reading.Unit{Go: "ns/op"})
	})
}

// readFile reads a JSON file of a folder.
func readFile(fsys fs.FS, folder, file string, emit func(benchfmt.Record) error, read func(d *reading.Document) error) (err error) {
	f, err := fsys.Open(file)
	if err != nil {
		return fmt.Errorf("read %s: %w", folder, err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return reading.ReadJSON(f, path.Join(folder, file), emit, read)
}
