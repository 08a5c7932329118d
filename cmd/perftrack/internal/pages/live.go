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

// pause is how long a check for changes to the database remains valid.
const pause = time.Second

// Live is a [server.Live] that reopens the site whenever the database, the repository or its
// configuration has changed. While the database is missing or unreadable, Now returns an error with
// the reason.
type Live struct {
	session *workspace.Session
	opt     Options
	mu      sync.Mutex
	now     *opened // nil until the site is first opened
	seen    time.Time
	queue   watchedQueue
}

// An opened is an open site. It is replaced when a newer site is opened, and closed when its last
// user is done.
type opened struct {
	site    *Site
	file    os.FileInfo // describes the database file; nil for a server
	glance  string
	version string
	origin  string
	users   int
	old     bool
}

var _ server.Live = (*Live)(nil)

// Watch returns the live site for a session's database, which need not exist yet.
func Watch(a *workspace.Session, opt Options) *Live {
	opt.Live = true
	return &Live{session: a, opt: opt}
}

// Now returns the current site. It notices a change within a second.
func (l *Live) Now(ctx context.Context) (*server.State, error) {
	o, err := l.use(ctx)
	if err != nil {
		return nil, err
	}
	return &server.State{
		Source: o.site, Version: o.version, Origin: o.origin, Time: o.site.opt.Now, Progress: o.site.progress.now, Whole: o.site.whole,
		Close: sync.OnceFunc(func() { l.release(o) }),
	}, nil
}

// use returns the current site. The caller must release it.
func (l *Live) use(ctx context.Context) (*opened, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || l.session.Now().Sub(l.seen) >= pause {
		if err := l.look(context.WithoutCancel(ctx)); err != nil { // not cancelled with ctx, because other requests also wait for it
			return nil, err
		}
		l.seen = l.session.Now()
	}
	l.now.users++
	return l.now, nil
}

// look reopens the site if something has changed.
func (l *Live) look(ctx context.Context) error {
	database, err := l.session.Database(ctx)
	if err != nil {
		return err
	}
	file, err := database.Stat()
	opt := l.opt
	if err == nil && l.now != nil && (file == nil || os.SameFile(file, l.now.file)) {
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
		o.origin, err = s.origin(database.Path)
	}
	if err == nil {
		o.file, err = database.Stat()
	}
	if err != nil {
		return errors.Join(err, s.Close())
	}
	l.now = o
	return nil
}

// leave drops the current site, if there is one.
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

// Close closes the database once no request uses it.
func (l *Live) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.leave()
}
