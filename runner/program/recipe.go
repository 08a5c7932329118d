package program

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/proc"
)

// A recipe repeats the go command's link of a test binary, but with a different layout. This takes
// three fifths of the go command's time, because the go command would first check whether anything
// else has changed.
type recipe struct {
	recordedLink
	seed int // index of the argument with the layout seed
}

const seedFlag = "-randlayout="

// alignFlag aligns functions to cache lines. Without it, a function begins in the middle of a cache
// line in half of the layouts, so its loops occupy more or fewer lines. If head has one more
// function, each function is misaligned in different layouts on head than on base, although its
// code is the same. Over 14 layouts, the ratio of a sort benchmark to itself had a standard
// deviation of 3.9 % without alignment and 1.8 % with it.
const alignFlag = "-funcalign=64"

// Positions of arguments in a link command: LINK -o FILE -importcfg FILE FLAGS... MAIN.
const (
	outArgument       = 2
	importcfgArgument = 4
)

// recipe returns a recipe for repeating the link with other seeds. ok is false if anything besides
// the output and importcfg refers to the go command's temporary directory. For example, paths of
// packages do so if the same run compiled them.
func (l recordedLink) recipe() (recipe, bool) {
	r := recipe{l, -1}
	if len(l.argv) <= importcfgArgument {
		return r, false
	}
	temp := filepath.Dir(filepath.Dir(l.argv[importcfgArgument]))
	for i, arg := range l.argv {
		switch {
		case strings.HasPrefix(arg, seedFlag):
			r.seed = i // the last one wins
		case i != outArgument && i != importcfgArgument && strings.Contains(arg, temp):
			return r, false
		}
	}
	list, err := os.ReadFile(l.importcfg)
	return r, r.seed >= 0 && err == nil && !strings.Contains(string(list), temp)
}

// link links the binary with the layout for seed, using the given number of CPUs and keeping
// temporary files in temp.
func (r *recipe) link(ctx context.Context, what string, seed uint64, to, temp string, cpus int) error {
	argv := slices.Clone(r.argv)
	argv[outArgument], argv[importcfgArgument] = to, r.importcfg
	argv[r.seed] = seedFlag + strconv.FormatUint(seed, 10)
	env := append(slices.Clone(r.env), "TMPDIR="+temp, "GOMAXPROCS="+strconv.Itoa(cpus))
	_, err := build.Step(ctx, what, proc.Command{Argv: argv, Dir: r.dir, Env: env})
	return err
}
