package server

import (
	"context"
	"sync"
	"time"

	"github.com/perftrack/perftrack/reports/site"
)

// overviewFiles are the documents that the first page shows: what is known of an older version
// of them is shown while a newer one is made, and says that it is older.
var overviewFiles = []string{"index", "commits"}

// An overview is these documents of one version of the site.
type overview struct {
	Version string
	Origin  string // see State
	Time    time.Time
	Files   map[string]*file
}

// overviews has the newest one that is made.
type overviews struct {
	keep   keep
	mu     sync.Mutex
	newest *overview
	looked bool // at what an earlier process kept
}

// older returns the newest version that was made, nil without one.
func (o *overviews) older() *overview {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.newest
}

// get returns the overview of a state, which is made if no process has kept it.
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

// add notes what was made, unless what is newer was made meanwhile.
func (o *overviews) add(made *overview) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.newest == nil || o.newest.Origin != made.Origin || !o.newest.Time.After(made.Time) {
		o.newest = made
	}
}

// known returns the overview of a state if it was made before. The first time, it looks at what
// an earlier process kept: of the same origin it is at least an older version.
func (o *overviews) known(now *State) *overview {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.looked && now.Origin != "" {
		o.looked = true
		if o.newest == nil {
			o.newest = o.keep.read()
		}
	}
	if o.newest != nil && o.newest.Origin != now.Origin { // another site has come in its place
		o.newest = nil
	}
	if o.newest != nil && o.newest.Version == now.Version {
		return o.newest
	}
	return nil
}
