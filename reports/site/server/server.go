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
)

// A Live is a site that may change while it is shown.
type Live interface {
	// Now returns the site as it is. It is asked for with every request, so it has to be
	// quick; an error is what the page shows in place of the site.
	Now(ctx context.Context) (*State, error)
}

// A State is a site as it was at some time.
type State struct {
	site.Source
	// Version is another one whenever the documents may differ. The same is the same site in
	// another process, too.
	Version string
	// Origin is what an older version has in common with this one that may be shown, with its
	// Time, while this one is made; "" where nothing outlives the process.
	Origin string
	Time   time.Time // when it was read
	// Progress says how far the documents of the overview are; nil or 0 of 0 where that is not known.
	Progress func() (doing string, done, of int)
	// Whole reports, of documents that were made, that nothing of what is stored was left out
	// which may be there again; nil says so.
	Whole func() bool
	Close func() // after its last use
}

// Options say what is shown, and to whom.
type Options struct {
	Live Live
	// Hosts are the names, without a port, under which the server may be asked, beside those
	// of the loopback interface.
	Hosts []string
	// Token is what everybody has to show who wants to see anything; "" lets in who reaches
	// the server. With it, every address by number is good in place of a name.
	Token string
	// Keep is the file in which the overview is kept for the next server of the same site; ""
	// keeps none.
	Keep string
	// Reports makes the pages for people of what is stored, by their names, such as summary.html; nil for none.
	// A page links to them where [site.Meta] says that they are there.
	Reports func(ctx context.Context) (map[string][]byte, error)
	// Moment is how long the newest overview is waited for before what was known takes its place;
	// 0 is a fifth of a second.
	Moment time.Duration
	// Answer is how long anything is waited for before the answer is that it is being made; 0 is less than
	// the time after which a connection is closed.
	Answer time.Duration
}

// Limits of a connection: who sends a request, or takes its answer, slower than this is cut off.
const (
	headerTime  = 5 * time.Second
	requestTime = 8 * time.Second
	answerTime  = 60 * time.Second
	idleTime    = 60 * time.Second
	waitTime    = 50 * time.Second       // Options.Answer
	moment      = 200 * time.Millisecond // Options.Moment
	headerBytes = 16 << 10
)

// New returns a server that waits for nobody too long. It makes the overview as soon as it
// serves, since that is asked for first. It writes no log: an address may hold
// the token.
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

// Handler returns what answers requests.
func Handler(opt Options) (http.Handler, error) {
	f, err := newFiles(opt)
	if err != nil {
		return nil, err
	}
	return newGate(opt, f), nil
}

// assetsOnce are the files of the page that are always the same, put together once.
var assetsOnce = sync.OnceValues(site.Assets)

func newFiles(opt Options) (*files, error) {
	assets, err := assetsOnce()
	if err != nil {
		return nil, err
	}
	return &files{
		live: opt.Live, assets: assets, cache: newCache(cacheBytes), fixed: newCache(cacheBytes),
		overviews: overviews{keep: keep(opt.Keep)}, reports: family{make: opt.Reports}, moment: cmp.Or(opt.Moment, moment), answer: cmp.Or(opt.Answer, waitTime),
	}, nil
}

// Loopback reports whether address, HOST:PORT, is reached from this machine only.
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
