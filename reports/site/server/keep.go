package server

import (
	"encoding/json"

	"github.com/perftrack/perftrack/reports/filecache"
)

// A keep is the path of the file with an overview for the next process. If the path is "", nothing
// is kept.
type keep string

func (k keep) file() filecache.File {
	return filecache.File{Path: string(k), Form: "perftrack overview 1"}
}

// read returns the overview in the file, or nil if the file is missing or damaged.
func (k keep) read() *overview {
	text, ok := k.file().Read()
	if !ok {
		return nil
	}
	var o overview
	if json.Unmarshal(text, &o) != nil || o.Version == "" || o.Origin == "" {
		return nil
	}
	for _, name := range overviewFiles {
		if f := o.Files["data/"+name+".js"]; f == nil || f.Kind == "" || f.Tag == "" || len(f.Gzip) == 0 {
			return nil
		}
	}
	return &o
}

// write replaces the overview in the file. Errors are ignored.
func (k keep) write(o *overview) {
	if text, err := json.Marshal(o); err == nil {
		k.file().Write(text, o.Time)
	}
}
