package runner

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recordScript keeps what the go command links and from what.
//
//go:embed record.sh
var recordScript []byte

// A recording is a run of the go command that keeps what is linked in it.
type recording struct{ dir string }

// newRecording prepares one below dir. It is nil where nothing can be recorded; then a
// link is what the go command makes of it, each time anew.
func newRecording(dir string) *recording {
	if strings.Contains(dir, "'") {
		return nil // the go command could not read the flag
	}
	own, err := os.MkdirTemp(dir, "recording-")
	if err != nil {
		return nil
	}
	r := &recording{own}
	if os.WriteFile(r.script(), recordScript, 0o600) != nil {
		return nil
	}
	return r
}

func (r *recording) script() string { return filepath.Join(r.dir, "record.sh") }

// flags make the go command record.
func (r *recording) flags() []string {
	if r == nil {
		return nil
	}
	return []string{fmt.Sprintf("-toolexec=/bin/sh '%s' '%s'", r.script(), r.dir)}
}

// A recordedLink is a link that the go command had done.
type recordedLink struct {
	importPath string // of the main package, such as example.com/m.test
	binary     string // the file that was made
	argv       []string
	env        []string
	dir        string // working directory
	importcfg  string // a copy of the list of what is linked
}

// links returns what was recorded whole.
func (r *recording) links() (found []recordedLink) {
	if r == nil {
		return nil
	}
	argvs, _ := filepath.Glob(filepath.Join(r.dir, "*", "argv"))
	for _, file := range argvs {
		if l, err := readLink(filepath.Dir(file)); err == nil {
			found = append(found, l)
		}
	}
	return found
}

func readLink(dir string) (l recordedLink, err error) {
	read := func(name string) string {
		text, e := os.ReadFile(filepath.Join(dir, name))
		if e != nil {
			err = fmt.Errorf("read what was linked: %w", e)
		}
		return string(text)
	}
	fields := func(text string) []string { return strings.Split(strings.TrimSuffix(text, "\x00"), "\x00") }
	l = recordedLink{
		binary: filepath.Join(dir, "binary"), importcfg: filepath.Join(dir, "importcfg"),
		argv: fields(read("argv")), env: fields(read("env")), dir: strings.TrimSuffix(read("dir"), "\n"),
	}
	const name = "TOOLEXEC_IMPORTPATH="
	if i := slices.IndexFunc(l.env, func(v string) bool { return strings.HasPrefix(v, name) }); i >= 0 {
		l.importPath = strings.TrimPrefix(l.env[i], name)
		l.env = slices.Delete(l.env, i, i+1)
	}
	return l, err
}
