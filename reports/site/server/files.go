package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// files is the handler that serves the files of a site.
type files struct {
	live   Live
	assets map[string][]byte // files that never change
	cache  *cache            // files made from the store
	fixed  *cache            // compressed assets

	overviews overviews
	reports   family
	queue     func(context.Context) (*documents.Queue, error)     // Options.Queue
	metrics   func(context.Context) ([]byte, error)               // Options.Metrics
	moment    time.Duration                                       // Options.Moment
	answer    time.Duration                                       // Options.Answer
	late      atomic.Int64                                        // when we last waited in vain, in nanoseconds
	progress  atomic.Pointer[func() (doing string, done, of int)] // progress of the newest version
}

func (s *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = pageFile
	}
	if name == behindFile {
		s.sayBehind(w, r)
		return
	}
	defer answerFault(w, r)
	ctx, cancel := context.WithTimeout(r.Context(), s.answer)
	defer cancel()
	switch name {
	case queueFile, queueScript:
		s.sayQueue(ctx, w, r, name)
		return
	case metricsFile:
		s.sayMetrics(ctx, w, r)
		return
	}
	f, err := s.soon(ctx, name)
	if err != nil && ctx.Err() != nil {
		err = errMaking // otherwise the server would close the connection without a response
	}
	document, data := documentOf(name)
	switch {
	case err == nil:
		if strings.HasPrefix(name, flameFolder) {
			w.Header().Set("Content-Security-Policy", FlamePolicy)
		}
		if strings.HasPrefix(name, reportFolder) {
			w.Header().Set("Content-Security-Policy", reports.HTMLPolicy()+"; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		}
		send(w, r, f)
	case errors.Is(err, documents.ErrUnknown):
		fail(w, r, http.StatusNotFound, "Not found", "The site has no such file.")
	case r.Context().Err() != nil: // the client is gone
	case errors.Is(err, errMaking) && data:
		failScript(w, r, document, errors.New(s.making()))
	case errors.Is(err, errMaking):
		w.Header().Set("Refresh", "1")
		fail(w, r, http.StatusServiceUnavailable, "One moment", s.making())
	case data:
		failScript(w, r, document, err)
	default:
		w.Header().Set("Refresh", "5")
		fail(w, r, http.StatusServiceUnavailable, "Cannot show the page", err.Error())
	}
}

// answerFault recovers from a panic and replies with an error. Otherwise the connection would be
// closed without a response.
func answerFault(w http.ResponseWriter, r *http.Request) {
	if cause := recover(); cause != nil {
		fail(w, r, http.StatusInternalServerError, "Cannot show the page", fmt.Sprintf("Internal error: %v", cause))
	}
}

// file returns a file of the newest version. Assets do not depend on the store, except for the
// page, because it has nothing to show without data.
func (s *files) file(ctx context.Context, name string) (*file, error) {
	if _, ok := s.assets[name]; ok && name != pageFile {
		return s.asset(ctx, name)
	}
	if name == pageFile {
		if _, err := s.file(ctx, "data/index.js"); err != nil {
			return nil, err
		}
	}
	for {
		now, err := s.now(ctx)
		if err != nil {
			return nil, err
		}
		now.Close()
		f, err := s.cache.get(ctx, now.Version, name, func(ctx context.Context) (*file, error) { return s.produceOf(ctx, now.Version, name) })
		if !errors.Is(err, errChanged) {
			return f, err
		}
		if ctx.Err() != nil { // the client got an older overview
			return nil, ctx.Err()
		}
	}
}

// asset returns a file from assets, compressed.
func (s *files) asset(ctx context.Context, name string) (*file, error) {
	return s.fixed.get(ctx, "", name, func(context.Context) (*file, error) { return compress(kindOf(name), s.assets[name]) })
}

// now calls [Live.Now], but returns an error if ctx ends first.
func (s *files) now(ctx context.Context) (*State, error) {
	type answer struct {
		state *State
		err   error
	}
	got := make(chan answer, 1)
	go func() {
		state, err := guarded(ctx, "open the database", func(ctx context.Context) (*State, error) { return s.live.Now(context.WithoutCancel(ctx)) })
		got <- answer{state, err}
	}()
	select {
	case a := <-got:
		if a.err == nil && a.state.Progress != nil {
			s.progress.Store(&a.state.Progress)
		}
		return a.state, a.err
	case <-ctx.Done():
		go func() {
			if a := <-got; a.err == nil {
				a.state.Close()
			}
		}()
		return nil, ctx.Err()
	}
}

// errChanged is the error for a version that a newer one has replaced.
var errChanged = errors.New("the site has changed")

// produceOf makes a file of one version of the site, or returns errChanged if the version is no
// longer current.
func (s *files) produceOf(ctx context.Context, version, name string) (*file, error) {
	now, err := s.now(ctx)
	if err != nil {
		return nil, err
	}
	defer now.Close()
	if now.Version != version {
		return nil, errChanged
	}
	return s.produce(ctx, now, name)
}

// send replies with a file, or with status 304 if the client already has it.
func send(w http.ResponseWriter, r *http.Request, f *file) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-cache") // clients may cache it, but must revalidate it each time
	h.Set("Vary", "Accept-Encoding")
	h.Set("Content-Type", f.Kind)
	zipped := accepts(r.Header.Values("Accept-Encoding"), "gzip")
	tag := `"` + f.Tag + `"`
	if zipped {
		tag = `"` + f.Tag + `-gzip"`
	}
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.Gzip
	if zipped {
		h.Set("Content-Encoding", "gzip")
	} else {
		var err error
		if body, err = f.text(); err != nil {
			panic(err) // cannot happen: compress made it in memory
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}

// accepts reports whether one of the values of an Accept-Encoding header lists the coding with a
// weight above 0.
func accepts(values []string, coding string) bool {
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, weight, _ := strings.Cut(item, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			q, err := strconv.ParseFloat(strings.TrimPrefix(strings.TrimSpace(weight), "q="), 64)
			return err != nil || q > 0
		}
	}
	return false
}

// matches reports whether one of the values of an If-None-Match header lists the tag.
func matches(values []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == tag {
			return true
		}
	}
	return false
}

// stampOf returns the stamp for the documents of a version.
func stampOf(version string) string { return reports.HashID("v", version) }
