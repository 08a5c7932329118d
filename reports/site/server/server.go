package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/perftrack/perftrack/reports/site"
	"github.com/perftrack/perftrack/reports/site/documents"
)

// A Live is a site that changes while it is served.
type Live interface {
	// Now returns the current site. It is called for every request, so it has to be fast. If it
	// returns an error, the page shows the error instead of the site.
	Now(ctx context.Context) (*State, error)
}

// A State is the state of a site at one time.
type State struct {
	documents.Source
	// Version changes whenever a document may have changed. Two processes with the same version
	// have the same site.
	Version string
	// Origin is the same for all versions of a site. Older versions with this origin may be shown
	// while this one is being made. If it is "", no overview is kept for later processes.
	Origin string
	Time   time.Time // when the state was read
	// Progress returns how far the making of the overview has progressed. If of is 0, the total is
	// unknown. Progress may be nil.
	Progress func() (doing string, done, of int)
	// Whole is called after documents have been made and reports whether they include all runs. It
	// returns false if some runs could not be read. If Whole is nil, the documents always include
	// all runs.
	Whole func() bool
	Close func() // must be called after the last use
}

// Options are options for a server.
type Options struct {
	Live Live
	// Hosts lists the server's host names without a port, in addition to those of the loopback
	// interface.
	Hosts []string
	// Token is the token that every client must have. If it is "", every client is admitted. If
	// there is a token, any numeric address is a valid host.
	Token string
	// Keep is the path of the file with the overview for the next process. If it is "", nothing is
	// kept.
	Keep string
	// Reports makes the HTML reports and returns them by name, such as summary.html. It may be nil.
	// The page links to the reports if [documents.Meta] has Reports set.
	Reports func(ctx context.Context) (map[string][]byte, error)
	// Queue makes the document about the queue of a fleet. Without a fleet, the error is
	// [documents.ErrUnknown]. It may be nil. The page asks for the document if [documents.Meta] has
	// Queue set.
	Queue func(ctx context.Context) (*documents.Queue, error)
	// Metrics makes the metrics of the server in OpenMetrics text. It may be nil.
	Metrics func(ctx context.Context) ([]byte, error)
	// Moment is the time to wait for the newest overview before sending an older one. 0 means a
	// fifth of a second.
	Moment time.Duration
	// Answer is the time to wait for any file before replying that it is being made. 0 means
	// slightly less than the timeout of the connection.
	Answer time.Duration
}

// These are the limits for a connection. Slower clients are cut off.
const (
	headerTime  = 5 * time.Second
	requestTime = 8 * time.Second
	answerTime  = 60 * time.Second
	idleTime    = 60 * time.Second
	waitTime    = 50 * time.Second       // default of Options.Answer
	moment      = 200 * time.Millisecond // default of Options.Moment
	headerBytes = 16 << 10
)

// New returns a server that starts making the overview as soon as it serves. It writes no log,
// because an address may contain the token.
func New(opt Options) (*http.Server, error) {
	f, err := newFiles(opt)
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler:           newGate(opt, f),
		BaseContext:       f.begin,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       requestTime,
		WriteTimeout:      answerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          log.New(silent{}, "", 0),
		TLSNextProto:      map[string]func(*http.Server, *tls.Conn, http.Handler){},
	}, nil
}

type silent struct{}

func (silent) Write(p []byte) (int, error) { return len(p), nil }

// Handler returns the handler of the server that [New] returns.
func Handler(opt Options) (http.Handler, error) {
	f, err := newFiles(opt)
	if err != nil {
		return nil, err
	}
	return newGate(opt, f), nil
}

// assetsOnce returns the assets and builds them only once.
var assetsOnce = sync.OnceValues(site.Assets)

func newFiles(opt Options) (*files, error) {
	assets, err := assetsOnce()
	if err != nil {
		return nil, err
	}
	return &files{
		live: opt.Live, assets: assets, cache: newCache(cacheBytes), fixed: newCache(cacheBytes),
		overviews: overviews{keep: keep(opt.Keep)}, reports: family{make: opt.Reports}, queue: opt.Queue, metrics: opt.Metrics, moment: cmp.Or(opt.Moment, moment), answer: cmp.Or(opt.Answer, waitTime),
	}, nil
}

// Loopback reports whether an address of the form HOST:PORT can be reached only from this machine.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
