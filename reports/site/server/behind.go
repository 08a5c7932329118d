package server

import (
	"context"
	_ "embed"
	"errors"
	"net"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/perftrack/perftrack/reports/site"
)

// behindFile says how far the newer version is that an older page waits for.
const behindFile = "data/behind.js"

//go:embed behind.js
var behindScript []byte

// errMaking says that the page is not there yet.
var errMaking = errors.New("the page is being made")

// soon returns a file. For what the first page shows, nobody waits longer than a reader does
// without a word: what was known before takes its place, and says so; or the error is that it is
// being made. The newer version goes on being made.
func (s *files) soon(ctx context.Context, name string) (*file, error) {
	if name != pageFile && !isOverview(name) {
		return s.file(ctx, name)
	}
	for wait := s.patience(); ; wait = s.moment {
		f, err := s.within(ctx, wait, name)
		if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
			return f, err
		}
		s.late.Store(time.Now().UnixNano())
		older, page := s.overviews.older(), name == pageFile
		switch {
		case older != nil && page:
			return s.asset(ctx, name)
		case older != nil:
			return withNote(older.Files[name], older.Time, s.how())
		case page:
			return nil, errMaking
		}
	}
}

// within returns a file if that takes no longer.
func (s *files) within(ctx context.Context, wait time.Duration, name string) (*file, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.file(ctx, name)
}

// patience is how long a document of the overview is waited for. Who waited for the page does not
// wait as long again for what it loads.
func (s *files) patience() time.Duration {
	if time.Since(time.Unix(0, s.late.Load())) < 2*time.Second {
		return s.moment / 10
	}
	return s.moment
}

// begin makes the overview before anybody asks for it, and then what other pages are made of.
// Why that cannot be done, who asks is told.
func (s *files) begin(net.Listener) context.Context {
	ctx := context.Background()
	go func() {
		if _, err := s.file(ctx, pageFile); err == nil {
			_, _ = s.file(ctx, site.DataPath("regressions"))
		}
	}()
	return ctx
}

func isOverview(name string) bool {
	document, ok := documentOf(name)
	return ok && slices.Contains(overviewFiles, document)
}

// withNote returns a document with the script that says how old it is.
func withNote(f *file, since time.Time, how site.Behind) (*file, error) {
	text, err := f.text()
	if err != nil {
		return nil, err
	}
	how.Time = since.Unix()
	call, err := site.BehindScript(&how)
	if err != nil {
		return nil, err
	}
	return compress(f.Kind, slices.Concat(text, behindScript, call))
}

// how says how far the version is that is being made.
func (s *files) how() (how site.Behind) {
	if progress := s.progress.Load(); progress != nil {
		how.Doing, how.Done, how.Of = (*progress)()
	}
	return how
}

// making is what is said where there is nothing to show yet.
func (s *files) making() string {
	how := s.how()
	if how.Of == 0 {
		return "The page is being made of what is stored. It opens by itself."
	}
	return "The page is being made of what is stored, " + how.Doing + ": " + strconv.Itoa(how.Done) + " of " + strconv.Itoa(how.Of) + ". It opens by itself."
}

// sayBehind answers an older page that asks for the newer version.
func (s *files) sayBehind(w http.ResponseWriter, r *http.Request) {
	var how *site.Behind
	if _, err := s.within(r.Context(), s.moment, site.DataPath(overviewFiles[0])); err != nil {
		now := s.how()
		if how = &now; !errors.Is(err, context.DeadlineExceeded) {
			how.Why = err.Error()
		}
	}
	text, err := site.BehindScript(how)
	if err != nil {
		panic(err) // numbers and texts
	}
	sendScript(w, r, text)
}
