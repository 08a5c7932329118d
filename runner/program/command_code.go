package program

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/childenv"
	"github.com/perftrack/perftrack/runner/gitrepo"
	"github.com/perftrack/perftrack/runner/identity"
	"github.com/perftrack/perftrack/runner/naming"
)

// CodeOf returns a hash of everything that the target's benchmarks depend on, or "" if that is
// unknown: of the files that the target declares as paths, and of the binary that the run line
// starts. Without paths it also covers the other files of the folder, except sources that the
// compiler has read.
func (c *commandProgram) CodeOf(Slot) string {
	if !c.identified {
		c.identified = true
		code, err := c.identify(context.Background())
		if err == nil { // otherwise it is measured
			c.code = code
		}
	}
	return c.code
}

var errUnknownCode = errors.New("it is not known what the benchmarks depend on")

func (c *commandProgram) identify(ctx context.Context) (string, error) {
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	t := c.plan.Target
	sum := sha256.New()
	fmt.Fprintf(sum, "%q %q %q %q %q\n", t.Build, t.Run, t.Results, t.Format, t.LayoutMode())
	for _, kv := range childenv.Measured(t.Env) {
		if name, _, _ := strings.Cut(kv, "="); slices.Contains(t.Env, name) {
			fmt.Fprintf(sum, "%q\n", kv)
		}
	}
	binary := sha256.New()
	err = c.hashBinary(root, binary)
	switch {
	case err == nil:
		fmt.Fprintf(sum, "%x\n", binary.Sum(nil))
	case len(t.Paths) == 0:
		return "", err
	}
	if err := c.hashFiles(ctx, root, sum, err == nil); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// plain are the bytes other than letters and digits in a word that means the same to a shell.
const plain = "_./=,:@%+-"

// words returns the words of a run line that is one simple command. ok is false if a shell would do
// more than to start a program with these words.
func words(line string) (words []string, ok bool) {
	for _, r := range line {
		if !(r == ' ' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune(plain, r)) {
			return nil, false
		}
	}
	words = strings.Fields(line)
	return words, len(words) > 0 && !strings.Contains(words[0], "=")
}

// hashBinary hashes the binary that the run line starts, its shared libraries and the files named
// as its arguments, in the target's folder. It returns an error if the run line does something else.
func (c *commandProgram) hashBinary(root *os.Root, sum hash.Hash) error {
	words, ok := words(c.plan.Target.Run)
	if !ok || c.executable() == "" || loaderVariable(childenv.Measured(c.plan.Target.Env)) {
		return errUnknownCode
	}
	if err := c.hashProgram(sum, c.executable()); err != nil {
		return err
	}
	for _, word := range words[1:] {
		if i := strings.LastIndexByte(word, '='); i >= 0 {
			word = word[i+1:]
		}
		name := path.Clean(word)
		if word == "" || !filepath.IsLocal(name) || c.isResult(name) {
			continue
		}
		if _, err := root.Lstat(name); err != nil {
			continue // an ordinary argument
		}
		if err := hashTree(root, name, sum); err != nil {
			return err
		}
	}
	return nil
}

// loaderVariable reports whether a variable may make the loader take other libraries.
func loaderVariable(env []string) bool {
	return slices.ContainsFunc(env, func(kv string) bool {
		_, value, _ := strings.Cut(kv, "=")
		return (strings.HasPrefix(kv, "LD_") || strings.HasPrefix(kv, "DYLD_")) && value != ""
	})
}

// hashProgram hashes a binary in the target's folder and, once each, the libraries that it finds
// there. Others belong to the system, which both sides share.
func (c *commandProgram) hashProgram(sum hash.Hash, file string) error {
	real, err := filepath.EvalSymlinks(file)
	if err != nil {
		return err
	}
	name, err := filepath.Rel(c.realDir(), real)
	if err != nil || !filepath.IsLocal(name) {
		return errUnknownCode
	}
	name = filepath.ToSlash(name)
	if slices.Contains(c.programs, name) {
		return nil
	}
	c.programs = append(c.programs, name)
	p, err := identity.ReadProgram(real)
	if err != nil {
		return err
	}
	fmt.Fprintf(sum, "%q %s\n", name, p.Hash)
	for _, library := range p.Needed {
		if at := c.library(library, p.Search); at != "" {
			if err := c.hashProgram(sum, at); err != nil {
				return err
			}
		}
	}
	return nil
}

// library returns the path of a shared library in the target's folder, or "" if the loader finds it
// elsewhere.
func (c *commandProgram) library(name string, search []string) string {
	if strings.Contains(name, "/") {
		search = []string{"."} // it is a path
	}
	for _, dir := range search {
		at := filepath.Join(dir, name)
		if !filepath.IsAbs(at) {
			at = filepath.Join(c.dir, at) // the program runs there
		}
		if real, err := filepath.EvalSymlinks(at); err == nil {
			if within(real, c.realDir()) {
				return at
			}
			return ""
		}
	}
	return ""
}

// hashFiles hashes the files that the paths declare. Without paths, it hashes all files that the
// binary may read: those that git does not ignore, except sources.
func (c *commandProgram) hashFiles(ctx context.Context, root *os.Root, sum hash.Hash, binary bool) error {
	files, err := c.files(ctx, root)
	if err != nil {
		return err
	}
	paths, matched := c.plan.Target.Paths, 0
	for _, name := range files {
		if c.isResult(name) || slices.Contains(c.programs, name) || len(paths) == 0 && compiled(name) ||
			len(paths) > 0 && !slices.ContainsFunc(paths, func(glob string) bool { return naming.Matches(glob, name) }) {
			continue
		}
		switch err := hashFile(root, name, sum); {
		case errors.Is(err, fs.ErrNotExist): // deleted in the work tree
		case err != nil:
			return err
		default:
			matched++
		}
	}
	if len(paths) > 0 && matched == 0 && !binary {
		return errUnknownCode // the paths say nothing about this side
	}
	return nil
}

// files lists the files in the target's folder, sorted: those that git tracks, and new ones that it
// does not ignore. Outside a repository it lists all.
func (c *commandProgram) files(ctx context.Context, root *os.Root) (files []string, err error) {
	tracked, others, err := gitrepo.Listed(ctx, c.dir)
	if err == nil {
		files = slices.Concat(tracked, others)
		slices.Sort(files)
		return slices.DeleteFunc(files, own), nil
	}
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case own(name + "/"):
			return fs.SkipDir
		case !entry.IsDir():
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// own reports whether a file belongs to git or to perftrack.
func own(name string) bool {
	return strings.HasPrefix(name, ".git/") || strings.HasPrefix(name, ".perftrack/")
}

// sources are the ends of the names of files that only a compiler and people read.
var sources = strings.Fields(".c .cc .cpp .cxx .h .hh .hpp .hxx .inl .ipp .tpp .rs .go .zig .nim .d .swift .f .f90 .m .mm .s .S .asm .md .rst .adoc")

// compiled reports whether a file is read by the compiler, so that the binary shows its effects.
func compiled(name string) bool {
	base := path.Base(name)
	return strings.HasPrefix(name, ".github/") || slices.Contains(sources, path.Ext(name)) || slices.Contains([]string{"CMakeLists.txt", "Makefile", "Cargo.toml", "Cargo.lock", "LICENSE", ".gitignore", "perftrack.toml"}, base)
}

// hashTree hashes a file or all files in a folder.
func hashTree(root *os.Root, name string, sum hash.Hash) error {
	info, err := root.Stat(name)
	if err != nil || !info.IsDir() {
		return errors.Join(err, hashFile(root, name, sum))
	}
	return fs.WalkDir(root.FS(), name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return hashFile(root, name, sum)
	})
}

// hashFile hashes the name and the content of a file. A link to a file counts as that file, and is
// an error if it leaves the folder, as is anything that is no file.
func hashFile(root *os.Root, name string, sum hash.Hash) error {
	info, err := root.Stat(name)
	if err != nil {
		if to, linkErr := root.Readlink(name); linkErr == nil {
			return fmt.Errorf("%s is a link to %s", name, to) // not missing
		}
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", name)
	}
	f, err := root.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	content := sha256.New()
	if _, err := io.Copy(content, f); err != nil {
		return err
	}
	fmt.Fprintf(sum, "%q %v %x\n", name, info.Mode().Perm()&0o111 != 0, content.Sum(nil))
	return nil
}
