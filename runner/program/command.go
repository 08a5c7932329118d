package program

import (
	"bytes"
	"context"
	"crypto/sha256"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/build"
	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/format"
	"github.com/perftrack/perftrack/runner/proc"
	"github.com/perftrack/perftrack/runner/record"
)

// LayoutVariable is the environment variable with the round's layout seed. The build command of a
// target gets it if the target declares the use of the seed. See [LayoutSeed].
const LayoutVariable = "PERFTRACK_LAYOUT_SEED"

// commandProgram is an arbitrary benchmark program with a build command and a run command. Package
// runner/format reads its output. Each process yields one sample of every benchmark it prints.
type commandProgram struct {
	plan *Spec
	dir  string
	// See CodeOf.
	code       string
	identified bool     // code was looked for
	programs   []string // the binary that it runs and its libraries, as paths in dir with slashes
}

func openCommand(ctx context.Context, p *Spec, side Side) (Program, error) {
	if name := p.Target.Format; name != "" {
		if err := format.CheckName(name); err != nil {
			return nil, fmt.Errorf("target %s: %w", p.Target.Name, err)
		}
	}
	c := &commandProgram{plan: p, dir: side.Dir}
	if err := c.checkResults(ctx); err != nil {
		return nil, err
	}
	if p.Target.Build == "" {
		return c, nil
	}
	if err := c.build(ctx, LayoutSeed(0)); err != nil {
		return nil, err
	}
	return c, c.checkSeed(ctx)
}

// build runs the build command, with the seed in its environment if the target uses one.
func (c *commandProgram) build(ctx context.Context, seed uint64) error {
	t := c.plan.Target
	cmd := shell(t.Build, c.dir)
	if cmd.Box = c.plan.box(c.dir); cmd.Box != nil { // a build may change only the checkout
		cmd.Box.Read, cmd.Box.Write = cmd.Box.Read[:1], cmd.Box.Read[1:]
	}
	cmd.Env = childenv.Measured(t.Env)
	if c.Rotates() {
		cmd.Env = append(cmd.Env, LayoutVariable+"="+strconv.FormatUint(seed, 10))
	}
	_, err := build.Step(ctx, c.what(), cmd)
	return err
}

func (c *commandProgram) what() string {
	if strings.Contains(strings.TrimSpace(c.plan.Target.Build), "\n") { // a script would bury its own message
		return "target " + c.plan.Target.Name
	}
	return "target " + c.plan.Target.Name + " (" + strings.TrimSpace(c.plan.Target.Build) + ")"
}

// seedTries is the number of seeds that must result in the same program before checkSeed concludes
// that the build ignores them. If the seed only decides the order of two sections, six seeds result
// in the same program in 1 of 32 cases.
const seedTries = 6

// checkSeed returns an error if the target declares that its build uses the seed, but the build
// ignores it. For instance, a build might skip linking because no source file changed; all rounds
// then have the same layout.
func (c *commandProgram) checkSeed(ctx context.Context) error {
	program := c.executable()
	if !c.Rotates() || program == "" {
		return nil
	}
	first, err := fileHash(program)
	for n := 1; n < seedTries && err == nil; n++ {
		if err := c.build(ctx, LayoutSeed(n)); err != nil {
			return err
		}
		again, err := fileHash(program)
		if err != nil || !bytes.Equal(first, again) {
			return nil // the program differs or is unreadable
		}
	}
	if err != nil {
		return nil
	}
	name, _ := filepath.Rel(c.dir, program)
	return &build.Error{What: c.what(), Err: fmt.Errorf("the target declares layout = %q, but %d seeds gave identical files %s: "+
		"pass %s to the linker and let the build link each time (see perftrack help placement), or declare another layout", c.plan.Target.LayoutMode(), seedTries, name, LayoutVariable)}
}

// executable returns the path of the program started by the run command if it is a binary inside
// the target's folder, and otherwise "".
func (c *commandProgram) executable() string {
	words := strings.Fields(c.plan.Target.Run)
	if len(words) == 0 || !filepath.IsLocal(words[0]) || !strings.Contains(words[0], "/") {
		return ""
	}
	path := filepath.Join(c.dir, words[0])
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || !isBinary(path) {
		return ""
	}
	return path
}

// SamePlacement reports whether both programs run the same binary, so that the placement of code
// cannot cause a difference between them.
func SamePlacement(a, b Program) bool {
	var sums [2][]byte
	for i, prog := range []Program{a, b} {
		c, ok := prog.(*commandProgram)
		if !ok || c.Rotates() || c.executable() == "" {
			return false
		}
		var err error
		if sums[i], err = fileHash(c.executable()); err != nil {
			return false
		}
	}
	return bytes.Equal(sums[0], sums[1])
}

// isBinary reports whether a file contains machine code, unlike a script, which has no layout.
func isBinary(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	magic := make([]byte, 4)
	if _, err := f.ReadAt(magic, 0); err != nil {
		return false
	}
	return string(magic) == elf.ELFMAG || bytes.HasSuffix(magic, []byte("\xfa\xed\xfe")) // Mach-O, little-endian
}

func fileHash(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	sum := sha256.Sum256(text)
	return sum[:], err
}

// shell returns a command that runs line, from perftrack.toml, in a shell, so words, quotes and
// variables have their usual meaning.
func shell(line, dir string) proc.Command {
	return proc.Command{Argv: []string{"/bin/sh", "-c", line}, Dir: dir}
}

func (c *commandProgram) Slots(context.Context) ([]Slot, error) {
	return []Slot{{Package: c.plan.Target.Name}}, nil
}

// Lacking returns the job that builds the program with the seed, if the target uses one. There is
// never more than one job, because the build has a single output file.
func (c *commandProgram) Lacking(seed uint64, slots []Slot) []LinkJob {
	if !c.Rotates() || len(slots) == 0 {
		return nil
	}
	return []LinkJob{{Run: func(ctx context.Context, _ int) error { return c.build(ctx, seed) }}}
}

func (c *commandProgram) Use(uint64, []Slot) error { return nil }

func (c *commandProgram) Command(Slot) proc.Command {
	cmd := shell(c.plan.Target.Run, c.dir)
	if cmd.Box = c.plan.box(c.dir); cmd.Box != nil {
		cmd.Box.Write = c.writable()
	}
	return cmd
}

func (c *commandProgram) Environment(context.Context) (record.Settings, error) {
	return record.Settings{{Key: record.KeyLayout, Value: c.plan.Target.LayoutMode()}}, nil
}

func (c *commandProgram) Format() string { return c.plan.Target.Format }
func (c *commandProgram) Rotates() bool  { return c.plan.Target.Rotates() }
func (c *commandProgram) Close() error   { return nil }
