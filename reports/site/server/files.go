package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/reports/site"
)

// files answers for the files of a site.
type files struct {
	live   Live
	assets map[string][]byte // that depend on nothing
	cache  *cache            // of what is stored
	fixed  *cache            // of what is always the same
}

func (s *files) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = pageFile
	}
	f, err := s.soon(r.Context(), name)
	document, data := documentOf(name)
	switch {
	case err == nil:
		if strings.HasPrefix(name, flameFolder) {
			w.Header().Set("Content-Security-Policy", FlamePolicy)
		}
		send(w, r, f)
	case errors.Is(err, site.ErrUnknown):
		fail(w, r, http.StatusNotFound, "Not here", "The site has no such file.")
	case r.Context().Err() != nil: // nobody is there any more
	case errors.Is(err, errMaking):
		w.Header().Set("Refresh", "2")
		fail(w, r, http.StatusServiceUnavailable, "One moment", "The page is being made of what is stored. It opens by itself.")
	case data:
		failScript(w, r, document, err)
	default:
		w.Header().Set("Refresh", "5")
		fail(w, r, http.StatusServiceUnavailable, "Nothing can be shown", err.Error())
	}
}

// file returns a file of the site as it is now. What does not depend on what is stored is there
// without it, but for the page itself: it would have nothing to show.
func (s *files) file(ctx context.Context, name string) (*file, error) {
	if text, ok := s.assets[name]; ok && name != pageFile {
		return s.fixed.get(ctx, "", name, func(context.Context) (*file, error) { return compress(kindOf(name), text) })
	}
	if name == pageFile {
		if _, err := s.file(ctx, "data/index.js"); err != nil {
			return nil, err
		}
	}
	for {
		now, err := s.live.Now(ctx)
		if err != nil {
			return nil, err
		}
		now.Close()
		f, err := s.cache.get(ctx, now.Version, name, func(ctx context.Context) (*file, error) { return s.produceOf(ctx, now.Version, name) })
		if !errors.Is(err, errChanged) || ctx.Err() != nil {
			return f, err
		}
	}
}

// errMaking says that the page is not there yet.
var errMaking = errors.New("the page is being made")

// soon returns a file, but does not wait for the page longer than a reader does without a word. It
// goes on being made.
func (s *files) soon(ctx context.Context, name string) (*file, error) {
	if name != pageFile {
		return s.file(ctx, name)
	}
	short, cancel := context.WithTimeout(ctx, moment)
	defer cancel()
	f, err := s.file(short, name)
	if errors.Is(err, context.DeadlineExceeded) {
		err = errMaking
	}
	return f, err
}

// errChanged says that what a file was to be made of is not there any more.
var errChanged = errors.New("the site has changed")

// produceOf makes a file of one version of the site, for as long as nothing newer is there.
func (s *files) produceOf(ctx context.Context, version, name string) (*file, error) {
	now, err := s.live.Now(ctx)
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
	h.Set("Content-Type", f.kind)
	zipped := accepts(r.Header.Values("Accept-Encoding"), "gzip")
	tag := `"` + f.tag + `"`
	if zipped {
		tag = `"` + f.tag + `-gzip"`
	}
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	body := f.gzip
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
