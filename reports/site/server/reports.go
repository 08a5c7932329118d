package server

import (
	"context"
	"sync"

	"github.com/perftrack/perftrack/reports/site"
)

const reportFolder = "reports/"

// A family is the reports for people of one version of the site. They are made together, when the first is
// asked for.
type family struct {
	make    func(ctx context.Context) (map[string][]byte, error)
	mu      sync.Mutex
	version string
	pages   map[string][]byte
}

// file returns the report of that name.
func (f *family) file(ctx context.Context, version, name string) (*file, error) {
	if f.make == nil {
		return nil, site.ErrUnknown
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.pages == nil || f.version != version {
		pages, err := f.make(ctx)
		if err != nil {
			return nil, err
		}
		f.version, f.pages = version, pages
	}
	page, ok := f.pages[name]
	if !ok {
		return nil, site.ErrUnknown
	}
	return compress(kindOf(name), page)
}
