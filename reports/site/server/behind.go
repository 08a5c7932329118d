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

// behindFile is the script that an older page loads to show the progress of the newer version.
const behindFile = "data/behind.js"

//go:embed behind.js
var behindScript []byte

// errMaking is the error for a page whose first version is not ready yet.
var errMaking = errors.New("the page is being built")

// soon returns a file. If making the newest overview takes too long, soon returns an older overview
// with a note, or errMaking if there is none. The newest overview is made in the background.
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

// within returns a file, or an error if it takes longer than wait.
func (s *files) within(ctx context.Context, wait time.Duration, name string) (*file, error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	return s.file(ctx, name)
}

// patience returns how long to wait for a document of the overview. The time is shorter after a
// recent wait in vain.
func (s *files) patience() time.Duration {
	if time.Since(time.Unix(0, s.late.Load())) < 2*time.Second {
		return s.moment / 10
	}
	return s.moment
}

// begin starts making the overview before the first request, and then the data of the other pages.
// It ignores errors, because the first request reports them.
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

// withNote returns a document followed by a script that shows the age of the document on the page.
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

// how returns the progress of the version being made.
func (s *files) how() (how site.Behind) {
	if progress := s.progress.Load(); progress != nil {
		how.Doing, how.Done, how.Of = (*progress)()
	}
	return how
}

// making returns the text for a page without a version yet.
func (s *files) making() string {
	how := s.how()
	if how.Of == 0 {
		return "The page is being built. It will open by itself."
	}
	return "The page is being built, " + how.Doing + ": " + strconv.Itoa(how.Done) + " of " + strconv.Itoa(how.Of) + ". It will open by itself."
}

// sayBehind replies with a script that shows the progress of the newer version on an older page.
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
		panic(err) // cannot happen: there are only numbers and text
	}
	sendNow(w, r, kindOf(behindFile), text)
}
