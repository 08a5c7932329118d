package flame

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/perftrack/perftrack/compare/tree"
)

var (
	baseStacks = []tree.Stack{
		{Functions: []string{"example.com/m.hash", "example.com/m.Parse", "example.com/m.BenchmarkParse"}, Value: 600e6},
		{Functions: []string{"runtime.mallocgc", "example.com/m.Parse", "example.com/m.BenchmarkParse"}, Value: 300e6},
	}
	headStacks = []tree.Stack{
		{Functions: []string{"example.com/m.hash", "example.com/m.Parse", "example.com/m.BenchmarkParse"}, Value: 900e6},
		{Functions: []string{"runtime.mallocgc", "example.com/m.Parse", "example.com/m.BenchmarkParse"}, Value: 100e6},
	}
)

func draw(t *testing.T, g Graph) string {
	t.Helper()
	page, err := Page(g)
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
}

func TestPage(t *testing.T) {
	page := draw(t, Graph{Title: "CPU time of Parse", Notes: []string{"one side"}, Unit: "nanoseconds", Head: headStacks, Back: "../index.html#/profiles", BackTitle: "all profiles"})
	for _, want := range []string{"<title>CPU time of Parse</title>", "<p>one side</p>", `href="../index.html#/profiles"`,
		`"Value":900000000`, `"Unit":"s"`, "example.com/m.hash", "colours only tell packages apart"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(page, `"Value":-`) {
		t.Error("the page of one side has values less than nothing")
	}
	difference := draw(t, Graph{Title: "d", Unit: "nanoseconds", Head: headStacks, Base: baseStacks})
	for _, want := range []string{`"Value":900000000`, `"Value":-600000000`, `"Value":-300000000`, "Red is what head takes more"} {
		if !strings.Contains(difference, want) {
			t.Errorf("the difference has no %s", want)
		}
	}
	if again := draw(t, Graph{Title: "d", Unit: "nanoseconds", Head: headStacks, Base: baseStacks}); again != difference {
		t.Error("the same stacks make another page")
	}
	if dir := os.Getenv("PERFTRACK_FLAME_PAGES"); dir != "" { // for people to look at
		_ = os.WriteFile(filepath.Join(dir, "one.html"), []byte(page), 0o644)
		_ = os.WriteFile(filepath.Join(dir, "difference.html"), []byte(difference), 0o644)
	}
}

// A difference is drawn even if the head has no stacks left.
func TestPageOfOneSideOnly(t *testing.T) {
	gone := draw(t, Graph{Title: "gone", Unit: "bytes", Head: []tree.Stack{}, Base: baseStacks})
	if !strings.Contains(gone, `"Value":-600000000`) {
		t.Error("what vanished is not drawn")
	}
	for _, stacks := range [][]tree.Stack{nil, {}, {{Functions: []string{"f"}, Value: 0.2}}, {{Value: 5}}} {
		if _, err := Page(Graph{Title: "nothing", Unit: "count", Head: stacks}); !errors.Is(err, ErrEmpty) {
			t.Errorf("page of %v: %v, want ErrEmpty", stacks, err)
		}
	}
}

var outside = regexp.MustCompile(`(https?:)?//[A-Za-z0-9-]+\.[a-z.]+[/"']|src=|<link|@import|\burl\(`)

// The page loads nothing. The only addresses in it are the namespace of SVG and the picture
// embedded in its style sheet.
func TestPageLoadsNothing(t *testing.T) {
	page := draw(t, Graph{Title: "t", Unit: "count", Head: []tree.Stack{{Functions: []string{"f"}, Value: 1}}})
	for _, found := range outside.FindAllStringIndex(page, -1) {
		around := page[found[0]:min(len(page), found[1]+30)]
		if !strings.HasPrefix(around, `url("data:image/svg+xml`) && !strings.HasPrefix(around, "http://www.w3.org/2000/svg") {
			t.Errorf("the page mentions %q", around)
		}
	}
	for _, id := range []string{"save-config", "download", "./source", "./top", "disasm\""} {
		if strings.Contains(page, `id="`+id) || strings.Contains(page, `href="`+id) {
			t.Errorf("the page has a link %s, which needs a server", id)
		}
	}
}

// Function names chosen by a stranger are shown as text everywhere, and no script in them runs.
func TestHostileNames(t *testing.T) {
	quiet := draw(t, Graph{Title: "t", Notes: []string{"n"}, Unit: "count", Head: []tree.Stack{{Functions: []string{"f"}, Value: 1}}})
	for _, name := range []string{
		"</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"'`;alert(1)//", "</style><style>*{display:none}",
		"<!--<script>", "\u2028alert(1)", "]]>", "{{.Policy}}", "a\x00b", "\xff\xfe", "javascript:alert(1)", "' -->",
	} {
		page := draw(t, Graph{Title: name, Notes: []string{name}, Unit: "count", Head: []tree.Stack{{Functions: []string{name, "main." + name}, Value: 1}},
			Back: name, BackTitle: name})
		for _, tag := range []string{"<script", "</script", "<style", "</style", "<img", "<!--"} {
			if got, want := strings.Count(page, tag), strings.Count(quiet, tag); got != want {
				t.Errorf("with %q the page has %s %d times, %d without", name, tag, got, want)
			}
		}
		if strings.Contains(page, `href="javascript:`) {
			t.Errorf("%q is a link that runs", name)
		}
		if own := Policy([]byte(page)); !strings.Contains(own, "script-src 'sha256-") {
			t.Errorf("with %q the policy of the page is not the one that it says: %s", name, own)
		}
	}
}

func TestPolicy(t *testing.T) {
	page := draw(t, Graph{Title: "t", Unit: "count", Head: []tree.Stack{{Functions: []string{"f"}, Value: 1}}})
	good := Policy([]byte(page))
	if !strings.HasPrefix(good, "default-src 'none'; script-src 'sha256-") || strings.Contains(good, "unsafe") {
		t.Errorf("policy: %s", good)
	}
	changed := strings.Replace(page, "</body>", "<script>alert(1)</script></body>", 1)
	for _, other := range []string{changed, "<p>hello", ""} {
		if got := Policy([]byte(other)); !strings.Contains(got, "script-src 'none'") {
			t.Errorf("what is not our page may run scripts: %s", got)
		}
	}
}

// Several pages can be drawn at the same time although pprof's settings are global.
func TestPagesAtOnce(t *testing.T) {
	one := draw(t, Graph{Title: "t", Unit: "count", Head: headStacks})
	two := draw(t, Graph{Title: "t", Unit: "count", Head: headStacks, Base: baseStacks})
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			g, want := Graph{Title: "t", Unit: "count", Head: headStacks}, one
			if i%2 == 1 {
				g.Base, want = baseStacks, two
			}
			if page, err := Page(g); err != nil || !bytes.Equal(page, []byte(want)) {
				t.Errorf("page %d is another one than when drawn alone, or failed: %v", i, err)
			}
		})
	}
	all.Wait()
}
