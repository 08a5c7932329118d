package browsertest

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// axePackage is the npm package of axe-core, with the version to download.
const axePackage = "axe-core@4.14.1"

// findAxe returns the script of axe-core, or "" if it is not available.
func findAxe(t *testing.T) string {
	t.Helper()
	if path := os.Getenv("PERFTRACK_AXE"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	dir := t.TempDir()
	cmd := exec.CommandContext(ctx, "npm", "pack", "--silent", "--pack-destination", dir, axePackage)
	cmd.Dir = dir
	cmd.WaitDelay = patience
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Logf("no axe-core from npm: nobody looked at whether the page can be read without eyes: %v\n%s", err, out)
		return ""
	}
	packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(packed) != 1 {
		t.Fatalf("npm pack left %q, %v", packed, err)
	}
	text, err := os.ReadFile(packed[0])
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("no axe.min.js in %s: %v", axePackage, err)
		}
		if h.Name == "package/axe.min.js" {
			script, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(script)
		}
	}
}

// check reports an error for each problem that axe-core considers serious or critical.
func check(t *testing.T, b *tab, axe, way string) {
	t.Helper()
	b.eval(t, "(() => { "+axe+"\n; return true; })()", nil)
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct {
			HTML    string
			Summary string `json:"failureSummary"`
		}
	}
	b.eval(t, `axe.run(document, {resultTypes: ["violations"]}).then(r => r.violations)`, &found)
	for _, v := range found {
		if v.Impact != "serious" && v.Impact != "critical" {
			continue
		}
		var where []string
		for _, n := range v.Nodes[:min(3, len(v.Nodes))] {
			where = append(where, n.HTML+" "+n.Summary)
		}
		t.Errorf("%s: %s (%s), %d times: %s\n%s", way, v.ID, v.Impact, len(v.Nodes), v.Help, strings.Join(where, "\n"))
	}
}
