package runner

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

// A recipe is how the linker makes a test binary, as the go command told it to: with that
// it makes the binary again, but for its layout, in three fifths of the time that the go command
// takes to find out once more that nothing else has changed.
type recipe struct {
	recordedLink
	seed int // which argument is the layout seed
}

const seedFlag = "-randlayout="

// alignFlag lets functions begin at multiples of a cache line. Else one begins in the middle of a line in half
// of the layouts, in which its loops take more lines or fewer. Where head has one function more, each function
// of base and head does so in other layouts, although its code is the same: in 14 layouts the ratio of a sort
// to itself had a standard deviation of 3.9 %, and of 1.8 % so aligned.
const alignFlag = "-funcalign=64"

// Arguments of a link: LINK -o FILE -importcfg FILE FLAGS... MAIN.
const (
	outArgument       = 2
	importcfgArgument = 4
)

// recipe returns how to repeat the link with other seeds. It cannot be repeated if
// anything else in it is about the go command's temporary directory: which compiled
// packages are, too, in the run that compiles them.
func (l recordedLink) recipe() (recipe, bool) {
	r := recipe{l, -1}
	if len(l.argv) <= importcfgArgument {
		return r, false
	}
	temp := filepath.Dir(filepath.Dir(l.argv[importcfgArgument]))
	for i, arg := range l.argv {
		switch {
		case strings.HasPrefix(arg, seedFlag):
			r.seed = i // the last one counts
		case i != outArgument && i != importcfgArgument && strings.Contains(arg, temp):
			return r, false
		}
	}
	list, err := os.ReadFile(l.importcfg)
	return r, r.seed >= 0 && err == nil && !strings.Contains(string(list), temp)
}

// link makes the binary with a layout on so many CPUs. What the linker needs of temporary
// files goes into temp.
func (r *recipe) link(ctx context.Context, what string, seed uint64, to, temp string, cpus int) error {
	argv := slices.Clone(r.argv)
	argv[outArgument], argv[importcfgArgument] = to, r.importcfg
	argv[r.seed] = seedFlag + strconv.FormatUint(seed, 10)
	env := append(slices.Clone(r.env), "TMPDIR="+temp, "GOMAXPROCS="+strconv.Itoa(cpus))
	_, err := build.Step(ctx, what, proc.Command{Argv: argv, Dir: r.dir, Env: env})
	return err
}
