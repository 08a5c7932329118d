package server

import (
	"context"
	"sync"

	"github.com/perftrack/perftrack/reports/site/documents"
)

const reportFolder = "reports/"

// A family holds the HTML reports, all for the same version of the site. The first request makes
// all of them.
type family struct {
	make    func(ctx context.Context) (map[string][]byte, error)
	mu      sync.Mutex
	version string
	pages   map[string][]byte
}

// file returns the report with the given name.
func (f *family) file(ctx context.Context, version, name string) (*file, error) {
	if f.make == nil {
		return nil, documents.ErrUnknown
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
		return nil, documents.ErrUnknown
	}
	return compress(kindOf(name), page)
}
