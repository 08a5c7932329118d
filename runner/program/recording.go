package program

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recordScript saves the inputs and outputs of the go command's links.
//
//go:embed record.sh
var recordScript []byte

// A recording captures the inputs and outputs of the linker in a run of the go command.
type recording struct{ dir string }

// newRecording prepares a recording below dir. It returns nil if this is not possible. The go
// command then does every link.
func newRecording(dir string) *recording {
	if strings.Contains(dir, "'") {
		return nil // the go command could not parse the flag
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

// flags returns the flags that make the go command record its links.
func (r *recording) flags() []string {
	if r == nil {
		return nil
	}
	return []string{fmt.Sprintf("-toolexec=/bin/sh '%s' '%s'", r.script(), r.dir)}
}

// A recordedLink is a link done by the go command.
type recordedLink struct {
	importPath string // import path of the main package, such as example.com/m.test
	binary     string // the output file
	argv       []string
	env        []string
	dir        string // working directory
	importcfg  string // a copy of the list of linked packages
}

// links returns the completely recorded links.
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
			err = fmt.Errorf("read recorded link command: %w", e)
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
