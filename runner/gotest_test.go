package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// A round links only what is measured in it.
func TestLinkOnlyPackagesOfOpenSlots(t *testing.T) {
	dir := writeModule(t, "func BenchmarkA(b *testing.B) { for b.Loop() {} }\n")
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "sub/sub_test.go", "package sub\n\nimport \"testing\"\n\nfunc BenchmarkB(b *testing.B) { for b.Loop() {} }\n")
	plan := gotestPlan(dir)
	prog, err := openGotest(t.Context(), &plan, plan.Sides[0])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = prog.close() }()
	slots, err := prog.slots(t.Context())
	if err != nil || len(slots) != 2 {
		t.Fatalf("slots %v, %v", slots, err)
	}
	stat := func(s Slot) os.FileInfo {
		info, err := os.Stat(prog.command(s).Argv[0])
		if err != nil {
			t.Fatal(err)
		}
		return info
	}
	closed, open := stat(slots[0]), stat(slots[1])
	if err := prog.link(t.Context(), LayoutSeed(1), slots[1:]); err != nil {
		t.Fatal(err)
	}
	if now := stat(slots[0]); !now.ModTime().Equal(closed.ModTime()) {
		t.Errorf("%s was linked, of which nothing is open", slots[0].Package)
	}
	if now := stat(slots[1]); now.ModTime().Equal(open.ModTime()) {
		t.Errorf("%s was not linked", slots[1].Package)
	}
}
