// Package handover finds a program that belongs to perftrack but is installed by itself, and lets
// it take over this process. What it finds is never a file of the repository in which perftrack
// was started: whoever looks at a stranger's commits must not run their files.
//
// Begin with [Find]; [Exec] is what then takes over.
package handover

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// Places are where a program may be.
type Places struct {
	Self string // perftrack's own binary: the program may lie beside it
	Path string // directories, as in PATH; those that are not absolute are passed over
	Dir  string // absolute, in the repository whose files are passed over
}

// Find returns the absolute path of a program, "" where there is none, and what it passed over
// because the repository has it.
func Find(program string, p Places) (path string, refused []string) {
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	root := rootOf(p.Dir)
	dirs := []string{filepath.Dir(p.Self)}
	if real, err := filepath.EvalSymlinks(p.Self); err == nil && filepath.Dir(real) != dirs[0] {
		dirs = append(dirs, filepath.Dir(real))
	}
	for _, dir := range append(dirs, filepath.SplitList(p.Path)...) {
		file := filepath.Join(dir, program)
		if !filepath.IsAbs(dir) || !executable(file) {
			continue
		}
		if root == "" || !within(root, file) {
			return file, refused
		}
		refused = append(refused, file)
	}
	return "", refused
}

// executable reports whether a path, or what it links to, is a file that may be run.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// rootOf is the git repository around a directory, or else its Go module; "" is neither.
func rootOf(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	for _, mark := range []string{".git", "go.mod"} {
		for at := dir; ; at = filepath.Dir(at) {
			if _, err := os.Lstat(filepath.Join(at, mark)); err == nil {
				return at
			}
			if at == filepath.Dir(at) {
				break
			}
		}
	}
	return ""
}

// within reports whether a file, or what it links to, or the link itself, is in a directory.
func within(root, file string) bool {
	if dir, err := filepath.EvalSymlinks(filepath.Dir(file)); err == nil && below(root, filepath.Join(dir, filepath.Base(file))) {
		return true
	}
	real, err := filepath.EvalSymlinks(file)
	return err != nil || below(root, real)
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// Version is what `go install PROGRAM@VERSION` takes beside a perftrack of this version: the same
// where it is a release, else the newest there is.
func Version(version string) string {
	if release(version) {
		return version
	}
	return "latest"
}

// release reports whether a version is one of three plain numbers.
func release(version string) bool {
	var a, b, c int
	n, err := fmt.Sscanf(version, "v%d.%d.%d", &a, &b, &c)
	return err == nil && n == 3 && version == fmt.Sprintf("v%d.%d.%d", a, b, c)
}
