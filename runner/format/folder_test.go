package format

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/perf/benchfmt"
)

func TestFolderLimit(t *testing.T) {
	fsys := fstest.MapFS{
		"a/new/benchmark.json": {Data: []byte(`{"full_id":"a","directory_name":"a"}`)},
		"a/new/sample.json":    {Data: []byte(`{"iters":[1],"times":[1]}` + strings.Repeat(" ", 1<<20))},
	}
	ignore := func(benchfmt.Record) error { return nil }
	if err := ReadFolder(fsys, ".", ignore); err != nil {
		t.Error(err)
	}
	defer func(before int64) { maxFile = before }(maxFile)
	maxFile = 1 << 20
	if err := ReadFolder(fsys, ".", ignore); err == nil || err.Error() != "the files of the folder are larger than the limit of 1 MiB" {
		t.Errorf("got %v", err)
	}
}

func TestFolderNames(t *testing.T) {
	for name, want := range map[string]string{
		"gobench":    "",
		"criterion":  "",
		"criterions": `unknown format "criterions": did you mean criterion?`,
	} {
		if err := CheckName(name); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
	}
	if err := ReadFolder(fstest.MapFS{}, ".", nil); err == nil || err.Error() != "read .: no known format in folder" {
		t.Errorf("got %v", err)
	}
}
