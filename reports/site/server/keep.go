package server

import (
	"encoding/json"

	"github.com/perftrack/perftrack/reports/kept"
)

// A keep is the file in which an overview outlives the process, "" for none.
type keep string

func (k keep) file() kept.File { return kept.File{Path: string(k), Form: "perftrack overview 1"} }

// read returns what was kept, nil where that cannot be relied on.
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

// write keeps an overview in the place of an earlier one.
func (k keep) write(o *overview) {
	if text, err := json.Marshal(o); err == nil {
		k.file().Write(text, o.Time)
	}
}
