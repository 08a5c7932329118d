// Package kept keeps what took long to make in a file of the user's cache, for the next process
// that needs it. Such a file is a help and nothing more: one that cannot be written is not there,
// and neither is one that is damaged, cut off or of another form.
package kept

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

const (
	mostBytes = 32 << 20            // of a file
	keptTime  = 60 * 24 * time.Hour // that files of others are kept beside ours
)

// A File is where a text is kept.
type File struct {
	Path string // "" for nowhere
	Form string // begins the file, whose next word is the hash of the text; another form is another word
}

// Read returns what was kept; ok is false where that cannot be relied on.
func (k File) Read() (text []byte, ok bool) {
	if k.Path == "" {
		return nil, false
	}
	f, err := os.Open(k.Path)
	if err != nil {
		return nil, false
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err != nil || len(all) > mostBytes {
		return nil, false
	}
	head, text, _ := bytes.Cut(all, []byte("\n"))
	return text, string(head) == k.Form+" "+hashOf(text)
}

// Write keeps a text in the place of an earlier one: whole, or not at all. Now is when it was
// made: files beside it with the same ending that nobody wrote for long before are removed.
func (k File) Write(text []byte, now time.Time) {
	if k.Path == "" || len(text) > mostBytes-len(k.Form)-2*sha256.Size-2 {
		return
	}
	dir := filepath.Dir(k.Path)
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-*"+filepath.Ext(k.Path))
	if err != nil {
		return
	}
	_, err = f.WriteString(k.Form + " " + hashOf(text) + "\n" + string(text))
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), k.Path) != nil {
		_ = os.Remove(f.Name()) // a file more in a cache
		return
	}
	k.clean(now)
}

// clean removes what was kept of what nobody looked at for long, and what a process that was
// killed left half written.
func (k File) clean(now time.Time) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(k.Path), "*"+filepath.Ext(k.Path)))
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && name != k.Path && now.Sub(info.ModTime()) > keptTime {
			_ = os.Remove(name)
		}
	}
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Program names the program that makes what is kept: a file that was built anew is another one.
func Program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(info.ModTime().UnixNano(), " ", info.Size())
}
