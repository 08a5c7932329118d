// Package handover finds a separately installed perftrack program to replace this process. It never
// runs a file from the current repository, because someone else may control the repository.
//
// Start with [Find]; [Exec] starts the program.
package handover

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// Locations describes where to look for a program.
type Locations struct {
	Self string // path of perftrack's own binary; the program may be in the same directory
	Path string // list of directories, as in PATH; relative directories are ignored
	Dir  string // absolute path of a directory; files in the repository around it are refused
}

// Find returns the absolute path of a program, or "" if the program is not found. It also returns
// the files refused because they are in the repository.
func Find(program string, p Locations) (path string, refused []string) {
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

// NotInstalled is the message about a program that Find did not find: how to install it from its
// module, and which files Find refused, because the repository may have written them. repository
// names that one.
func NotInstalled(program, module, version string, refused []string, repository string) string {
	text := fmt.Sprintf("%s is not installed: run go install %s@%s", program, module, Version(version))
	if len(refused) > 0 {
		text += fmt.Sprintf(" (perftrack did not run %s, because %s may have written it)", strings.Join(refused, ", "), repository)
	}
	return text
}

// executable reports whether path is an executable file or a link to one.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0)
}

// rootOf returns the root of the git repository around dir. Outside a repository, it returns the
// root of the Go module around dir, or "" without a module.
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

// within reports whether a file is in the directory root, directly or through symbolic links. It
// returns true if the links cannot be resolved.
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

// Version returns the version to use in `go install PROGRAM@VERSION` for a program to match the
// given version of perftrack. It is the same version for releases, and latest otherwise.
func Version(version string) string {
	if release(version) {
		return version
	}
	return "latest"
}

// release reports whether a version has the form vX.Y.Z.
func release(version string) bool {
	var a, b, c int
	n, err := fmt.Sscanf(version, "v%d.%d.%d", &a, &b, &c)
	return err == nil && n == 3 && version == fmt.Sprintf("v%d.%d.%d", a, b, c)
}
