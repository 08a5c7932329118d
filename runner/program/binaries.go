package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/gotool"
	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/record"
)

// KeptLimit is the maximum total size, in bytes, of the binaries kept below one folder. Once it is
// reached, new binaries are not kept and have to be built again.
const KeptLimit = 2 << 30

// kept returns the path where pkg's test binary for seed is kept, or "" if binaries are not kept.
func (g *Gotest) kept(pkg gotool.Package, seed uint64) string {
	if g.keep == "" {
		return ""
	}
	return keptBinary(g.keep, pkg.ImportPath, seed)
}

func keptBinary(dir, importPath string, seed uint64) string {
	sum := sha256.Sum256([]byte(importPath + alignFlag)) // includes the flag, so binaries built without it by older versions are not found
	return filepath.Join(dir, hex.EncodeToString(sum[:6])+"-"+strconv.FormatUint(seed, 10)+".test")
}

// KeptHash returns the [identity.CodeHash] of the package's test binary for LayoutSeed(0) in dir, a
// [Side.Keep] directory. It returns "" if the binary is missing or cannot be identified.
func KeptHash(dir, importPath string) string {
	sum, err := identity.CodeHash(keptBinary(dir, importPath, LayoutSeed(0)))
	if err != nil {
		return ""
	}
	return sum
}

// restoreBinary copies the file kept to the path binary and reports whether it succeeded.
func restoreBinary(kept, binary string) bool {
	return kept != "" && copyBinary(kept, binary) == nil
}

// keepBinary keeps a copy of a freshly linked binary. It ignores errors, because their only
// consequence is another build later.
func keepBinary(binary, kept string) {
	if kept == "" || os.MkdirAll(filepath.Dir(kept), 0o755) != nil {
		return
	}
	if size(filepath.Dir(filepath.Dir(kept))) < KeptLimit {
		_ = copyBinary(binary, kept)
	}
}

func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			if info, err := entry.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return nil
	})
	return bytes
}

// copyBinary copies a file atomically.
func copyBinary(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	out, err := os.CreateTemp(filepath.Dir(to), ".kept-*")
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err = errors.Join(err, out.Chmod(0o755), out.Close()); err == nil {
		err = os.Rename(out.Name(), to)
	}
	if err != nil {
		return errors.Join(err, os.Remove(out.Name()))
	}
	return nil
}

// Environment returns the settings that identify the environment for measuring the target in dir on
// cpus. It does not build the target.
func Environment(ctx context.Context, t config.Target, dir string, cpus config.CPUs) (record.Settings, error) {
	var prog Program
	plan := &Spec{Target: t, CPUs: cpus}
	switch t.Kind {
	case config.GoTest:
		prog = &Gotest{plan: plan, dir: dir, rotate: t.Rotates()}
	case config.Command:
		prog = &commandProgram{plan: plan}
	case config.Engine:
		prog = &engineProgram{}
	}
	own, err := prog.Environment(ctx)
	if err != nil {
		return nil, fmt.Errorf("find the environment: %w", err)
	}
	return append(plan.Machine(), own...), nil
}
