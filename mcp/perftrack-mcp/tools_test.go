package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The server lists its tools with their annotations, and with descriptions short enough for an
// agent.
func TestListTools(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	s.commit("one")
	c := s.connect()
	list, err := c.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	executes := map[string]bool{"check": true, "explain": true}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		h := tool.Annotations
		if h == nil || h.ReadOnlyHint == executes[tool.Name] {
			t.Errorf("%s: hints %+v", tool.Name, h)
			continue
		}
		if executes[tool.Name] {
			if h.DestructiveHint == nil || *h.DestructiveHint || h.OpenWorldHint != nil || !strings.Contains(tool.Description, "Executes the repository's own") {
				t.Errorf("%s adds to the database and runs what the repository has; hints %+v: %s", tool.Name, h, tool.Description)
			}
		} else if h.OpenWorldHint == nil || *h.OpenWorldHint {
			t.Errorf("%s reads what is here; hints %+v", tool.Name, h)
		}
	}
	if got, want := strings.Join(names, " "), "check compare doctor explain history list steps verdict"; got != want {
		t.Errorf("tools %s, want %s", got, want)
	}
	text, err := json.Marshal(list)
	if err != nil || len(text) > 6000 {
		t.Errorf("the list of tools has %d bytes, %v", len(text), err)
	}
	if said := c.session.InitializeResult().Instructions; !strings.Contains(said, "inconclusive is not unchanged") {
		t.Errorf("instructions: %s", said)
	}
}

// If no samples are stored, each tool reports this, and no answer looks like a pass.
func TestNothingStored(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	s.commit("one")
	s.commit("two")
	c := s.connect()
	c.says("list", nil, 0, "table", "no benchmark is stored")
	c.says("list", args{"what": "targets"}, 0, "table", "scratch")
	for tool, arguments := range map[string]args{
		"verdict": nil, "steps": nil, "compare": {"base": "HEAD"}, "history": {"name": "Sum"},
	} {
		c.says(tool, arguments, 2, "", "no database here")
	}
	c.says("list", args{"what": "runs"}, 0, "table", "no benchmark is stored")
	c.says("check", args{"base": "gone"}, 2, "", `git: resolve revision "gone": unknown in this repository`)
	c.says("explain", args{"base": "HEAD~1", "bench": "Gone"}, 2, "", "Gone")
}

// Two commits with the same code get a verdict without any samples.
func TestSameCode(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "\tfor b.Loop() {\n\t}\n")
	s.commit("one")
	s.write("README", "more\n")
	head := s.commit("two")
	c := s.connect()
	a := c.says("check", args{"base": "HEAD~1", "budget": "10m"}, 0, "comparison", "nothing to measure", "both sides have the same machine code")
	if a.means != "nothing to measure: no benchmark can have changed; nothing regressed" {
		t.Errorf("means %q", a.means)
	}
	var d struct {
		Version int `json:"schema_version"`
		Same    []struct{ Benchmarks int }
	}
	if err := json.Unmarshal(a.bytes, &d); err != nil || d.Version != 1 || len(d.Same) > 0 && d.Same[0].Benchmarks != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	c.says("verdict", nil, 0, "comparison", "nothing to measure", "(for head "+head[:12]+", measured 20")
	if p := c.hears("the same machine code"); p.Total != 600 || p.Progress <= 0 {
		t.Errorf("progress %+v", p)
	}
}

// A history shows its steps. A shortened history shows only the newest commits and mentions the
// omission.
func TestHistory(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	var commits []string
	files := []string{"import", "--target", "scratch"}
	for i, ns := range []int{100, 100, 100, 100, 150, 150, 150, 150} {
		commits = append(commits, s.commit(fmt.Sprint(i)))
		name := fmt.Sprintf(".git/run-%d.txt", i)
		text := fmt.Sprintf("commit: %s\npkg: example.com/scratch\n", commits[i])
		for j := range 6 {
			text += fmt.Sprintf("BenchmarkSum 10 %d.%d ns/op\n", ns, j%3)
		}
		s.write(name, text)
		files = append(files, name)
	}
	s.run(perftrack, files...)
	c := s.connect()
	c.says("list", nil, 0, "table", "Sum", "regressed")
	c.says("list", args{"what": "benchmarks"}, 0, "table", "ns/op")
	a := c.says("list", args{"what": "runs", "limit": 3}, 0, "table", "left out of the document: 5 of rows; raise limit")
	if a.left["rows"] != 5 {
		t.Errorf("left out %v", a.left)
	}
	c.says("steps", nil, 0, "regressions", "Sum", "unresolved")
	c.says("steps", args{"since": "wombat"}, 2, "", "is not a time")
	a = c.says("history", args{"name": "Sum", "limit": 3}, 0, "history", "unresolved", "only the newest 3 commits are shown")
	for i, sha := range commits {
		if shown := strings.Contains(a.text, sha[:12]+"  20"); shown != (i >= 5) {
			t.Errorf("commit %d of 8 is shown: %v\n%s", i, shown, a.text)
		}
	}
	if a := c.says("history", args{"name": "Sum"}, 0, "history"); strings.Contains(a.text, "only the newest") {
		t.Errorf("nothing is left out, but it says so:\n%s", a.text)
	}
	c.says("compare", args{"base": commits[0], "head": commits[7]}, 3, "comparison", "undecided, not unchanged: the runs are unpaired")
	c.says("compare", args{"base": commits[0] + ".." + commits[7]}, 3, "comparison", "unpaired")
	c.says("verdict", nil, 3, "comparison", "unpaired")
}

// Result files in the repository can be compared.
func TestCompareFiles(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	s.write("old.txt", strings.Repeat("BenchmarkSum 10 100 ns/op\n", 6))
	s.write("new.txt", strings.Repeat("BenchmarkSum 10 200 ns/op\n", 6))
	s.commit("one")
	c := s.connect()
	c.says("compare", args{"base": "old.txt", "head": "new.txt"}, 3, "comparison", "not unchanged", "+100.00%")
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	c := s.connect() // no repository is needed
	c.says("doctor", nil, 0, "doctor", "arithmetic", "memory")
	c.says("check", nil, 2, "", "is not in a git repository")
	c.says("verdict", nil, 2, "", "no database here")
}

// The documentation pages in the binary are the only resources.
func TestPages(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	c := s.connect()
	list, err := c.session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) == 0 {
		t.Fatal(list, err)
	}
	for _, r := range append(list.Resources, &mcp.Resource{URI: "perftrack://help/check"}) {
		page, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil || len(page.Contents) != 1 || !strings.Contains(page.Contents[0].Text, "inconclusive") {
			t.Errorf("%s: %v, %v", r.URI, page, err)
		}
	}
	for _, uri := range []string{"perftrack://help/--db=x", "perftrack://help/..%2fx", "perftrack://help/gone", "perftrack://help/", "file:///etc/passwd"} {
		if page, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %v", uri, page.Contents)
		}
	}
}

// explain names the slower function. This takes a minute.
func TestExplain(t *testing.T) {
	t.Parallel()
	if os.Getenv("PERFTRACK_LIVE") != "full" {
		t.Skip("it measures and profiles for a minute: PERFTRACK_LIVE=full go test -run TestExplain ./perftrack-mcp")
	}
	s := newScratch(t, "\tfor b.Loop() {\n\t\twork()\n\t}\n")
	code := "package scratch\n\nvar sink uint64\n\n//go:noinline\nfunc work() {\n\tfor i := range uint64(%d) {\n\t\tsink = sink*31 + i\n\t}\n}\n"
	s.write("work_test.go", fmt.Sprintf(code, 100))
	s.commit("one")
	s.write("work_test.go", fmt.Sprintf(code, 200))
	s.commit("two")
	c := s.connect()
	c.says("explain", args{"base": "HEAD~1", "bench": "Sum"}, 0, "explanation", "work")
}

// Unknown arguments are rejected.
func TestUnknownArgument(t *testing.T) {
	t.Parallel()
	s := newScratch(t, "")
	c := s.connect()
	res, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "check", Arguments: args{"bas": "main"}})
	if err != nil || !res.IsError || !strings.Contains(res.Content[0].(*mcp.TextContent).Text, "bas") {
		t.Errorf("%+v, %v", res, err)
	}
}
