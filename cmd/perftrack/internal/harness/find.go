package harness

import (
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// The limits on what Find reads. A repository of any size takes a second or so.
const (
	maxFiles = 100_000
	maxText  = 1 << 20  // size of one file
	maxTexts = 32 << 20 // size of all files that are read
	maxFound = 40       // number of targets
)

// Find returns the harnesses in a repository, ordered by language and path. taken lists the names
// of other targets. It leaves out files that it cannot read.
func Find(fsys fs.FS, taken ...string) []Found {
	t := &tree{fsys: fsys, texts: map[string]string{}}
	t.walk()
	var all []Found
	for _, find := range []func(*tree) []Found{findCPP, findRust, findPython, findJavaScript, findHyperfine} {
		all = append(all, find(t)...)
	}
	all = all[:min(len(all), maxFound)]
	rename(all, taken)
	for i := range all {
		f := &all[i]
		for j, r := range f.Results {
			f.Results[j] = strings.ReplaceAll(r, ownName, f.Name)
		}
		f.Build, f.Run = strings.ReplaceAll(f.Build, ownName, f.Name), strings.ReplaceAll(f.Run, ownName, f.Name)
	}
	return all
}

// ownName stands for the target's name in the names of its files, so that targets do not overwrite
// those of each other.
const ownName = "@TARGET@"

// A tree lists the files of a repository that may belong to a harness.
type tree struct {
	fsys  fs.FS
	files []string // sorted
	texts map[string]string
	read  int // bytes read so far
}

// skipped are folders with products of builds or the code of others.
var skipped = []string{"node_modules", "target", "build", "dist", "out", "vendor", "third_party", "_deps", "venv", "env", "site-packages", "__pycache__", "testdata", Folder}

// plainPath matches paths that need no quotes, neither in a shell nor in a configuration.
var plainPath = regexp.MustCompile(`^[A-Za-z0-9_.@][A-Za-z0-9_./@+-]*$`)

// walk lists the files. It leaves out those with unusual names, since these would need quotes in
// several languages at once.
func (t *tree) walk() {
	_ = fs.WalkDir(t.fsys, ".", func(name string, d fs.DirEntry, err error) error {
		base := d.Name()
		switch {
		case err != nil || name == ".":
			return nil // skip unreadable entries
		case !plainPath.MatchString(name):
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir():
			if strings.HasPrefix(base, ".") || strings.HasPrefix(base, "cmake-build-") || slices.Contains(skipped, base) {
				return fs.SkipDir
			}
			if _, err := fs.Stat(t.fsys, name+"/pyvenv.cfg"); err == nil {
				return fs.SkipDir
			}
		case d.Type().IsRegular():
			if t.files = append(t.files, name); len(t.files) >= maxFiles {
				return fs.SkipAll
			}
		}
		return nil
	})
	slices.Sort(t.files)
}

// text returns the text of a file, or "" if it is missing, unreadable or too large.
func (t *tree) text(name string) string {
	if text, ok := t.texts[name]; ok || t.read > maxTexts {
		return text
	}
	t.texts[name] = ""
	f, err := t.fsys.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, maxText+1))
	t.read += len(text)
	if err != nil || len(text) > maxText {
		return ""
	}
	t.texts[name] = string(text)
	return t.texts[name]
}

// named returns the files whose base name matches one of the patterns.
func (t *tree) named(patterns ...string) (names []string) {
	for _, name := range t.files {
		if slices.ContainsFunc(patterns, func(p string) bool {
			ok, _ := path.Match(p, path.Base(name))
			return ok
		}) {
			names = append(names, name)
		}
	}
	return names
}

// has reports whether a file exists in a folder.
func (t *tree) has(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, ok := slices.BinarySearch(t.files, path.Join(dir, name))
		return ok
	})
}

// below reports whether a path is in a folder or is the folder.
func below(name, dir string) bool {
	return dir == "." || name == dir || strings.HasPrefix(name, dir+"/")
}

// common returns the deepest folder with all the files.
func common(files []string) string {
	dir := path.Dir(files[0])
	for _, f := range files {
		for !below(f, dir) {
			dir = path.Dir(dir)
		}
	}
	return dir
}

// enter returns the beginning of a run line that continues in a folder.
func enter(dir string) string {
	if dir == "." {
		return ""
	}
	return "cd " + dir + " && "
}

// up returns the way back to the root from a folder, with a slash at the end unless it is the root.
func up(dir string) string {
	if dir == "." {
		return ""
	}
	return strings.Repeat("../", strings.Count(dir, "/")+1)
}

// ownFolder is the part of a build line that creates Folder.
const ownFolder = `mkdir -p ` + Folder + ` && echo "*" >` + Folder + `/.gitignore`
