package pages

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/reports/site/server"
)

// pause is how long what was seen of a database counts.
const pause = time.Second

// Live opens the site anew whenever the database, the repository or its configuration changed. It
// is a [server.Live]: while there is no database, or none that can be read, its error says so,
// and the site is there as soon as the database is.
type Live struct {
	session *workspace.Session
	opt     Options
	mu      sync.Mutex
	now     *opened // nil until there is something to show
	seen    time.Time
}

// An opened site is closed after its last use, once there is a newer one.
type opened struct {
	site    *Site
	file    os.FileInfo // of the database
	glance  string
	version string
	origin  string
	users   int
	old     bool
}

var _ server.Live = (*Live)(nil)

// Watch returns the site of a session's database, which need not be there yet.
func Watch(a *workspace.Session, opt Options) *Live {
	opt.Live = true
	return &Live{session: a, opt: opt}
}

// Now returns the site as the database has it, as of a second ago at most.
func (l *Live) Now(ctx context.Context) (*server.State, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || l.session.Now().Sub(l.seen) >= pause {
		if err := l.look(context.WithoutCancel(ctx)); err != nil { // others wait for it, too
			return nil, err
		}
		l.seen = l.session.Now()
	}
	o := l.now
	o.users++
	return &server.State{
		Source: o.site, Version: o.version, Origin: o.origin, Time: o.site.opt.Now, Progress: o.site.progress.now, Whole: o.site.whole,
		Close: sync.OnceFunc(func() { l.release(o) }),
	}, nil
}

// look opens the site anew if it is not what it was.
func (l *Live) look(ctx context.Context) error {
	path, err := l.session.DatabasePath(ctx)
	if err != nil {
		return err
	}
	file, err := os.Stat(path)
	opt := l.opt
	if err == nil && l.now != nil && os.SameFile(file, l.now.file) {
		state, err := l.now.site.db.State(ctx)
		if err != nil {
			return fault.IO(err)
		}
		if l.now.site.glance(ctx, state) == l.now.glance {
			return nil
		}
		opt.before = l.now.site
	}
	l.leave()
	s, err := Open(ctx, l.session, opt)
	if err != nil {
		return err
	}
	o := &opened{site: s, glance: s.glance(ctx, s.lines.State())}
	if o.version, err = s.version(ctx); err == nil {
		o.origin, err = s.origin(path)
	}
	if err == nil {
		o.file, err = os.Stat(path)
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	l.now = o
	return nil
}

// leave gives up the newest site, for another one.
func (l *Live) leave() {
	o := l.now
	if o == nil {
		return
	}
	l.now, o.old = nil, true
	l.closeUnused(o)
}

func (l *Live) release(o *opened) {
	l.mu.Lock()
	defer l.mu.Unlock()
	o.users--
	l.closeUnused(o)
}

func (l *Live) closeUnused(o *opened) {
	if o.old && o.users == 0 {
		if err := o.site.Close(); err != nil {
			l.session.Noticef("%v", err)
		}
	}
}

// Close ends the use of the database.
func (l *Live) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave()
}
