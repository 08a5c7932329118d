package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/mcp/place"
)

// No call reaches a file outside the repository, and no argument becomes a flag.
func TestConfined(t *testing.T) {
	s := newScratch(t, "")
	outside := filepath.Join(t.TempDir(), "results.txt")
	if err := os.WriteFile(outside, []byte(strings.Repeat("BenchmarkSecret 10 100 ns/op\n", 6)), 0o644); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{"link.txt": outside, "folder": filepath.Dir(outside), "dangling": "/nowhere/at/all"} {
		if err := os.Symlink(to, filepath.Join(s.dir, link)); err != nil {
			t.Fatal(err)
		}
	}
	s.commit("one")
	c := s.connect()
	relative, err := filepath.Rel(s.dir, outside)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tool      string
		arguments args
		want      string
	}{
		{"compare", args{"base": outside}, "is outside the served repository"},
		{"compare", args{"base": relative}, "is outside the served repository"},
		{"compare", args{"base": "HEAD", "head": "link.txt"}, "is outside the served repository"},
		{"compare", args{"base": "folder/results.txt"}, "is outside the served repository"},
		{"compare", args{"base": "dangling"}, "is outside the served repository"},
		{"compare", args{"base": "-o/x"}, "begins with -"},
		{"compare", args{"base": "--db=/x"}, "begins with -"},
		{"compare", args{"base": "HEAD..--output=/x"}, "begins with -"},
		{"compare", args{"base": "HEAD\n--db=/x"}, "contains invalid characters"},
		{"compare", args{"base": ""}, "base is empty"},
		{"history", args{"name": "--db=/x"}, "begins with -"},
		{"history", args{"name": "Sum", "unit": "-x"}, "begins with -"},
		{"history", args{"name": strings.Repeat("x", 501)}, "more than the limit of 500"},
		{"explain", args{"base": "HEAD", "bench": "--html=/x"}, "begins with -"},
		{"explain", args{"base": "HEAD", "bench": "Sum", "package": "../x"}, "is outside the served repository"},
		{"check", args{"head": "--upload-pack=/x"}, "begins with -"},
		{"check", args{"targets": []string{"../..."}}, "is outside the served repository"},
		{"check", args{"targets": []string{"./folder/..."}}, "is outside the served repository"},
		{"check", args{"targets": []string{"/..."}}, "is outside the served repository"},
		{"check", args{"targets": []string{"--db=x"}}, "begins with -"},
		{"check", args{"budget": "0"}, "is not a duration"},
		{"check", args{"budget": "-1s"}, "is not a duration"},
		{"check", args{"budget": "100h"}, "is not a duration"},
		{"check", args{"limit": -1}, "is not between 1 and 1000"},
		{"list", args{"what": "--help"}, "is not one of"},
	} {
		a, err := c.call(t.Context(), tt.tool, tt.arguments)
		if err != nil || !a.failed || !strings.Contains(a.text, tt.want) || a.bytes != nil || strings.Contains(a.text, "Secret") {
			t.Errorf("%s %v: %v, failed %v, want %q:\n%s", tt.tool, tt.arguments, err, a.failed, tt.want, a.text)
		}
	}
	if dirt := s.run("git", "status", "--porcelain", "--ignored"); dirt != "" {
		t.Errorf("calls that were refused wrote: %s", dirt)
	}
}

// The server never runs a binary from the served repository.
func TestBinaryOfRepository(t *testing.T) {
	dir := t.TempDir()
	self, err := os.Executable()
	if err == nil {
		var text []byte
		if text, err = os.ReadFile(self); err == nil {
			err = os.WriteFile(filepath.Join(dir, "perftrack-mcp"), text, 0o755)
		}
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "perftrack"), []byte("#!/bin/sh\necho it ran >&2\n"), 0o755)
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(dir, ".git"), 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(filepath.Join(dir, "perftrack-mcp"), "-dir", dir)
	c.Env = append(os.Environ(), play+"=1")
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is in the served repository") || strings.Contains(string(out), "it ran") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := find(filepath.Join(dir, "perftrack"), place.Place{Dir: dir, Root: dir}); err != nil {
		t.Errorf("a binary that the user names is taken: %v", err)
	}
}
