package server

import (
	"context"
	"sync"
	"time"

	"github.com/perftrack/perftrack/reports/site"
)

// overviewFiles lists the documents of the first page. While a newer version is being made, the
// server sends older ones with a note.
var overviewFiles = []string{"index", "commits"}

// An overview holds the documents in overviewFiles for one version of the site.
type overview struct {
	Version string
	Origin  string // see [State]
	Time    time.Time
	Files   map[string]*file
}

// overviews keeps the newest overview.
type overviews struct {
	keep   keep
	mu     sync.Mutex
	newest *overview
	looked bool // whether we have looked for an overview from an earlier process
}

// older returns the newest overview so far, or nil.
func (o *overviews) older() *overview {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.newest
}

// get returns the overview of a state. It makes the overview unless this process or an earlier one
// has already made it.
func (o *overviews) get(ctx context.Context, now *State) (*overview, error) {
	if kept := o.known(now); kept != nil {
		return kept, nil
	}
	made := &overview{Version: now.Version, Origin: now.Origin, Time: now.Time, Files: map[string]*file{}}
	for _, name := range overviewFiles {
		document, err := documentCalled(ctx, now, name)
		if err != nil {
			return nil, err
		}
		text, err := site.Script(name, document, stampOf(now.Version))
		if err != nil {
			return nil, err
		}
		path := site.DataPath(name)
		if made.Files[path], err = compress(kindOf(path), text); err != nil {
			return nil, err
		}
	}
	o.add(made)
	if now.Origin != "" && (now.Whole == nil || now.Whole()) {
		o.keep.write(made)
	}
	return made, nil
}

// add sets the newest overview, unless a newer one has been set in the meantime.
func (o *overviews) add(made *overview) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.newest == nil || o.newest.Origin != made.Origin || !o.newest.Time.After(made.Time) {
		o.newest = made
	}
}

// known returns the overview of a state if it has already been made, or nil. The first call also
// reads the overview that an earlier process kept. An overview with the same origin but another
// version can be shown while a newer one is being made.
func (o *overviews) known(now *State) *overview {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.looked && now.Origin != "" {
		o.looked = true
		if o.newest == nil {
			o.newest = o.keep.read()
		}
	}
	if o.newest != nil && o.newest.Origin != now.Origin { // the site was replaced by another one
		o.newest = nil
	}
	if o.newest != nil && o.newest.Version == now.Version {
		return o.newest
	}
	return nil
}
