package identity

import (
	"strings"
	"testing"
)

func TestBenchmarkHash(t *testing.T) {
	const source = `package p

import (
	"testing"
	"math/rand"
)

var sizes, unused = []int{1}, 5

var other = 3

func BenchmarkA(b *testing.B) {
	b.Run("x", func(b *testing.B) {
		for b.Loop() {
			work(1, "a b", rand.Int())
		}
	})
}

func work(n int, s string, r int) { T{}.step(sizes[0]) }

func (T) step(n int) { sink += n }

func TestMain(m *testing.M) { m.Run() }

func TestOne(t *testing.T) { _ = other }

func BenchmarkAB(b *testing.B) { more(2) }

type T struct{}

func (T) BenchmarkM(b *testing.B) {}
`
	hash := func(text, name string) string {
		t.Helper()
		dir := t.TempDir()
		writeTree(t, dir, map[string]string{"p_test.go": text, "other_test.go": "package p\n\nvar sink int\n\nfunc BenchmarkOther(b *testing.B) {}\n"})
		read, err := ReadBenchmarks(dir, []string{"other_test.go", "p_test.go"})
		if err != nil {
			t.Fatal(err)
		}
		sum, err := read.Hash(name)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	want := hash(source, "A")
	for _, tt := range []struct {
		what, old, new string
		same           bool
	}{
		{"nothing", "", "", true},
		{"a comment", "for b.Loop", "// A comment.\n\n\t\tfor b.Loop", true},
		{"a comment inside", "work(1,", "work( /* one */ 1,", true},
		{"layout", "work(1, \"a b\", rand.Int())", "work(\n1,\n\"a b\",\nrand.Int(),\n)", true},
		{"another function", "more(2)", "more(3)", true},
		{"a test", "_ = other", "_ = other + 1", true},
		{"a variable of a test", "other = 3", "other = 4", true},
		{"the imports of a test", `"testing"`, "\"testing\"\n\t\"os\"", true},
		{"the order", "func TestOne", "func BenchmarkB(b *testing.B) {}\n\nfunc TestOne", true},
		{"lines above", "package p\n", "package p\n\n// More.\n\n\n", true},
		{"a constant", "work(1,", "work(7,", false},
		{"a string's blanks", "a b", "a  b", false},
		{"the sub-benchmark's name", `"x"`, `"y"`, false},
		{"a statement", "work(1,", "b.StopTimer(); work(1,", false},
		{"a helper", "sizes[0]", "sizes[0] + 1", false},
		{"a method", "sink += n", "sink += n * n", false},
		{"a variable", "[]int{1}", "[]int{2}", false},
		{"an import", "math/rand", "example.com/rand", false},
		{"TestMain", "m.Run()", "less(); m.Run()", false},
		{"an init function", "type T", "func init() { less() }\n\ntype T", false},
		{"a variable without a name", "type T", "var _ = less()\n\ntype T", false},
	} {
		got := hash(strings.ReplaceAll(source, tt.old, tt.new), "A")
		if tt.old == "" {
			got = hash(source, "BenchmarkA/x")
		}
		if (got == want) != tt.same {
			t.Errorf("%s changed: same hash %v, want %v", tt.what, got == want, tt.same)
		}
	}
	if hash(source, "AB") == want {
		t.Error("BenchmarkA and BenchmarkAB have the same hash")
	}
}

func TestBenchmarkHashRefuses(t *testing.T) {
	dir := t.TempDir()
	writeTree(t, dir, map[string]string{
		"a_test.go": "package p\n\ntype T struct{}\n\nfunc (T) BenchmarkM(b *testing.B) {}\n// BenchmarkGone\n",
		"b_test.go": "package p\n\nfunc BenchmarkBroken(b *testing.B) {\n",
	})
	for _, tt := range []struct{ file, name, want string }{
		{"a_test.go", "Gone", "no test file in the package declares"},
		{"a_test.go", "M", "no test file in the package declares"},
		{"b_test.go", "Broken", "b_test.go:"},
		{"none_test.go", "X", "none_test.go"},
	} {
		read, err := ReadBenchmarks(dir, []string{tt.file})
		if err == nil {
			_, err = read.Hash(tt.name)
		}
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s, %s: %v, want an error with %q", tt.file, tt.name, err, tt.want)
		}
	}
}
