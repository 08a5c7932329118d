// Package filecache keeps expensive results in files in the user's cache directory, so that later
// processes can use them. A file that is damaged or has a different format is treated as missing.
// Failures to write are ignored.
package filecache

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
	mostBytes = 32 << 20            // maximum size of a file
	keptTime  = 60 * 24 * time.Hour // how long files are kept after they were written
)

// A File is a text in the cache. The file on disk starts with a line holding the form and the hash
// of the text.
type File struct {
	Path string // "" disables the cache
	Form string // one word that identifies the format of the text
}

// Read returns the text. ok is false if the file is missing or damaged or has a different form.
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

// Write replaces the text, either completely or not at all. It also removes old files with the same
// extension from the directory.
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
		_ = os.Remove(f.Name()) // at worst, a useless file stays in the cache
		return
	}
	k.clean(now)
}

// clean removes files written a long time ago, including partial files left behind by killed
// processes.
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

// Program returns a text that identifies the running binary, so that each build can use its own
// cache. It returns "" if the binary cannot be found.
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
