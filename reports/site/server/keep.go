package server

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"time"
)

const (
	keptForm  = "perftrack overview 1 " // begins the file, whose second word is the hash of what follows
	keptBytes = 32 << 20                // at most
	keptTime  = 60 * 24 * time.Hour     // that files of other sites are kept beside ours
	keptEnd   = ".overview"
)

// A keep is the file in which an overview outlives the process, "" for none. It is a help and
// nothing more: one that cannot be written is not there, and one that is damaged, cut off or of
// another form neither.
type keep string

// read returns what was kept, nil where that cannot be relied on.
func (k keep) read() *overview {
	if k == "" {
		return nil
	}
	f, err := os.Open(string(k))
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, keptBytes+1))
	if err != nil || len(text) > keptBytes {
		return nil
	}
	head, body, _ := bytes.Cut(text, []byte("\n"))
	if string(head) != keptForm+hashOf(body) {
		return nil
	}
	var o overview
	if json.Unmarshal(body, &o) != nil || o.Version == "" || o.Origin == "" {
		return nil
	}
	for _, name := range overviewFiles {
		if f := o.Files["data/"+name+".js"]; f == nil || f.Kind == "" || f.Tag == "" || len(f.Gzip) == 0 {
			return nil
		}
	}
	return &o
}

// write keeps an overview in the place of an earlier one: whole, or not at all.
func (k keep) write(o *overview) {
	if k == "" {
		return
	}
	body, err := json.Marshal(o)
	if err != nil || len(body) > keptBytes-len(keptForm)-2*sha256.Size-1 {
		return
	}
	dir := filepath.Dir(string(k))
	if os.MkdirAll(dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "new-*"+keptEnd)
	if err != nil {
		return
	}
	_, err = f.WriteString(keptForm + hashOf(body) + "\n" + string(body))
	if cerr := f.Close(); err != nil || cerr != nil || os.Rename(f.Name(), string(k)) != nil {
		_ = os.Remove(f.Name()) // a file more in a cache
		return
	}
	k.clean(o.Time)
}

// clean removes what sites left that nobody looked at for long, and what a process that was
// killed left half written.
func (k keep) clean(now time.Time) {
	files, _ := filepath.Glob(filepath.Join(filepath.Dir(string(k)), "*"+keptEnd))
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && name != string(k) && now.Sub(info.ModTime()) > keptTime {
			_ = os.Remove(name)
		}
	}
}

func hashOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
