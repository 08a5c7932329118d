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
	"github.com/perftrack/perftrack/reports/site"
)

// files answers for the files of a site.
type files struct {
	live   Live
	assets map[string][]byte // that depend on nothing
	cache  *cache            // of what is stored
	fixed  *cache            // of what is always the same

	overviews overviews
	reports   family
	moment    time.Duration                                       // that the newest one is waited for
	answer    time.Duration                                       // that anything is waited for
	late      atomic.Int64                                        // when it was last waited for in vain
	progress  atomic.Pointer[func() (doing string, done, of int)] // of the newest version
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
	f, err := s.soon(ctx, name)
	if err != nil && ctx.Err() != nil {
		err = errMaking // or the connection would be closed without a word
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
	case errors.Is(err, site.ErrUnknown):
		fail(w, r, http.StatusNotFound, "Not here", "The site has no such file.")
	case r.Context().Err() != nil: // nobody is there any more
	case errors.Is(err, errMaking) && data:
		failScript(w, r, document, errors.New(s.making()))
	case errors.Is(err, errMaking):
		w.Header().Set("Refresh", "1")
		fail(w, r, http.StatusServiceUnavailable, "One moment", s.making())
	case data:
		failScript(w, r, document, err)
	default:
		w.Header().Set("Refresh", "5")
		fail(w, r, http.StatusServiceUnavailable, "Nothing can be shown", err.Error())
	}
}

// answerFault answers for a fault of perftrack, which would close the connection without a word.
func answerFault(w http.ResponseWriter, r *http.Request) {
	if cause := recover(); cause != nil {
		fail(w, r, http.StatusInternalServerError, "Nothing can be shown", fmt.Sprintf("This is a fault of perftrack: %v", cause))
	}
}

// file returns a file of the site as it is now. What does not depend on what is stored is there
// without it, but for the page itself: it would have nothing to show.
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
		if ctx.Err() != nil { // an older overview may do, and is not asked for otherwise
			return nil, ctx.Err()
		}
	}
}

// asset returns a file that is always the same.
func (s *files) asset(ctx context.Context, name string) (*file, error) {
	return s.fixed.get(ctx, "", name, func(context.Context) (*file, error) { return compress(kindOf(name), s.assets[name]) })
}

// now is [Live.Now], for which nobody waits who goes away.
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

// errChanged says that what a file was to be made of is not there any more.
var errChanged = errors.New("the site has changed")

// produceOf makes a file of one version of the site, for as long as nothing newer is there.
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

// send answers with a file, or that who asks has it already.
func send(w http.ResponseWriter, r *http.Request, f *file) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-cache") // it may be kept, and is asked for each time
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
			panic(err) // compressed by compress, in memory
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // who asked may be gone
	}
}

// accepts reports whether one of the values lists the coding, and not with the weight 0.
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

// matches reports whether one of the values lists the tag.
func matches(values []string, tag string) bool {
	for item := range strings.SplitSeq(strings.Join(values, ","), ",") {
		if item = strings.TrimSpace(item); item == "*" || strings.TrimPrefix(item, "W/") == tag {
			return true
		}
	}
	return false
}

// stampOf is what documents of a version have in common.
func stampOf(version string) string { return site.HashID("v", version) }
