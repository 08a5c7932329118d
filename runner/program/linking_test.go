package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/config"
)

func gotestSpec() *Spec {
	return &Spec{Target: config.Target{Name: "m", Kind: config.GoTest}, Benchtime: "1x"}
}

// openModule builds a module with the given number of packages, each with a benchmark B. All
// packages but the first have unique source, so they are not in the build cache.
func openModule(t testing.TB, packages int) (*Gotest, []Slot) {
	t.Helper()
	dir := writeModule(t, "func BenchmarkB(b *testing.B) {}\n")
	for i := 1; i < packages; i++ {
		name := fmt.Sprintf("p%d", i)
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, name+"/p.go", fmt.Sprintf("package p\n\nvar Now = %d\n", time.Now().UnixNano()))
		write(t, dir, name+"/p_test.go", "package p_test\n\nimport (\n\t\"testing\"\n\n\tp \"example.com/m/"+name+"\"\n)\n\nfunc BenchmarkB(b *testing.B) { p.Now++ }\n")
	}
	prog, err := openGotest(t.Context(), gotestSpec(), Side{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := prog.Close(); err != nil {
			t.Error(err)
		}
	})
	slots, err := prog.Slots(t.Context())
	if err != nil || len(slots) != packages {
		t.Fatalf("slots %v, %v", slots, err)
	}
	return prog.(*Gotest), slots
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// Both ways of linking create the same binary from a seed.
func TestLinkedAgainIsTheSame(t *testing.T) {
	g, slots := openModule(t, 2)
	seed := LayoutSeed(1)
	for i, pkg := range g.pkgs {
		if _, ok := g.recipes.find(pkg.ImportPath); ok && i == 1 {
			t.Errorf("the recipe of %s needs what the go command has removed", pkg.ImportPath)
		}
		byGo := filepath.Join(t.TempDir(), "m.test")
		if err := g.link(t.Context(), pkg, LayoutSeed(2), byGo, 1); err != nil { // learns the recipe if there is none yet
			t.Fatal(err)
		}
		if err := g.test(t.Context(), "m", seed, nil, byGo, pkg.ImportPath); err != nil {
			t.Fatal(err)
		}
		again := filepath.Join(t.TempDir(), "m.test")
		if !g.linkAgain(t.Context(), pkg, seed, again, 2) {
			t.Fatalf("%s has no recipe", pkg.ImportPath)
		}
		if !bytes.Equal(readFile(t, byGo), readFile(t, again)) {
			t.Errorf("%s is not what the go command links", pkg.ImportPath)
		}
		if bytes.Equal(readFile(t, again), readFile(t, g.Command(slots[i]).Argv[0])) {
			t.Errorf("%s has the layout of another seed", pkg.ImportPath)
		}
	}
}

// If a link cannot be repeated, the go command links the binary, and a new recipe is learned.
func TestLinkWithoutRecipe(t *testing.T) {
	g, _ := openModule(t, 1)
	pkg := g.pkgs[0]
	first, again, own := filepath.Join(g.bin, "first"), filepath.Join(g.bin, "again"), filepath.Join(g.bin, "own")
	if err := g.link(t.Context(), pkg, LayoutSeed(1), first, 1); err != nil {
		t.Fatal(err)
	}
	r, ok := g.recipes.find(pkg.ImportPath)
	if !ok {
		t.Fatal("no recipe was learnt")
	}
	if err := os.Remove(r.importcfg); err != nil {
		t.Fatal(err)
	}
	if err := g.link(t.Context(), pkg, LayoutSeed(1), again, 1); err != nil {
		t.Fatal(err)
	}
	now, ok := g.recipes.find(pkg.ImportPath)
	if !ok || now.importcfg == r.importcfg {
		t.Errorf("after %s was lost there is the recipe %v", r.importcfg, now)
	}
	g.flags = "-toolexec=/usr/bin/env"
	if err := os.Remove(now.importcfg); err != nil {
		t.Fatal(err)
	}
	if err := g.link(t.Context(), pkg, LayoutSeed(1), own, 1); err != nil {
		t.Fatal(err)
	}
	if _, ok := g.recipes.find(pkg.ImportPath); ok {
		t.Error("there is a recipe although the last one was lost and the user's own -toolexec is in use")
	}
	for _, file := range []string{again, own} {
		if !bytes.Equal(readFile(t, file), readFile(t, first)) {
			t.Errorf("%s is another binary", file)
		}
	}
}

// A recipe refers only to files that outlive the run of the go command.
func TestRecipe(t *testing.T) {
	list := filepath.Join(t.TempDir(), "importcfg")
	for _, tt := range []struct {
		argv, list string
		seed       int // index of the seed in argv, or 0 if there is no recipe
	}{
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s -randlayout=7 /cache/x", "packagefile x=/cache/x", 6},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -randlayout=3 -randlayout=7 /cache/x", "", 6},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s -randlayout=7 /w/b2/x", "", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -fipso /w/b1/fips.o -randlayout=7 /cache/x", "", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -randlayout=7 /cache/x", "packagefile x=/w/b2/_pkg_.a", 0},
		{"link -o /w/b1/x.test -importcfg /w/b1/importcfg -s /cache/x", "", 0},
		{"link", "", 0},
	} {
		if err := os.WriteFile(list, []byte(tt.list), 0o600); err != nil {
			t.Fatal(err)
		}
		r, ok := recordedLink{argv: strings.Fields(tt.argv), importcfg: list}.recipe()
		if ok != (tt.seed > 0) || ok && r.seed != tt.seed {
			t.Errorf("%s, %q: recipe %v with the seed at %d", tt.argv, tt.list, ok, r.seed)
		}
	}
}

// A round links only the packages measured in it.
func TestLinkOnlyPackagesOfOpenSlots(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\n")
	prog, err := openGotest(t.Context(), gotestSpec(), Side{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = prog.Close() }()
	slots, err := prog.Slots(t.Context())
	if err != nil || len(slots) != 2 {
		t.Fatalf("slots %v, %v", slots, err)
	}
	stat := func(s Slot) os.FileInfo {
		info, err := os.Stat(prog.Command(s).Argv[0])
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	closed, open := stat(slots[0]), stat(slots[1])
	err = RunJobs(t.Context(), prog.Lacking(LayoutSeed(1), slots[1:]))
	if err = errors.Join(err, prog.Use(LayoutSeed(1), slots[1:])); err != nil {
		t.Fatal(err)
	}
	if now := stat(slots[0]); !now.ModTime().Equal(closed.ModTime()) {
		t.Errorf("%s was linked, of which nothing is open", slots[0].Package)
	}
	if now := stat(slots[1]); now.ModTime().Equal(open.ModTime()) {
		t.Errorf("%s was not linked", slots[1].Package)
	}
}

// BenchmarkLink links a binary with a new layout on all CPUs, both with the go command and by its
// recipe.
func BenchmarkLink(b *testing.B) {
	g, _ := openModule(b, 1)
	pkg, to := g.pkgs[0], b.TempDir()
	for _, way := range []struct {
		name string
		link func(ctx context.Context, seed uint64, to string, cpus int) error
	}{
		{"go", func(ctx context.Context, seed uint64, to string, _ int) error {
			return g.test(ctx, "m", seed, nil, to, pkg.ImportPath)
		}},
		{"recipe", func(ctx context.Context, seed uint64, to string, cpus int) error {
			return g.link(ctx, pkg, seed, to, cpus)
		}},
	} {
		b.Run(way.name, func(b *testing.B) {
			seed := uint64(0)
			for b.Loop() {
				var jobs []LinkJob
				for i := range Linkers() {
					seed++
					now, file := seed, filepath.Join(to, fmt.Sprint(i))
					jobs = append(jobs, LinkJob{Run: func(ctx context.Context, cpus int) error { return way.link(ctx, now, file, cpus) }})
				}
				if err := RunJobs(b.Context(), jobs); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(b.Elapsed().Seconds()/float64(seed), "s/binary")
		})
	}
}
