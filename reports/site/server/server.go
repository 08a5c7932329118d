package server

import (
	"context"
	"crypto/tls"
	"log"
	"net"
	"net/http"
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
	Version string // another one whenever the documents may differ
	Close   func() // after its last use
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
}

// Limits of a connection: who sends a request, or takes its answer, slower than this is cut off.
const (
	headerTime  = 5 * time.Second
	requestTime = 8 * time.Second
	answerTime  = 60 * time.Second
	idleTime    = 60 * time.Second
	moment      = 4 * time.Second // that the page is waited for before it is said that it is being made
	headerBytes = 16 << 10
)

// New returns a server that waits for nobody too long. It writes no log: an address may hold
// the token.
func New(opt Options) (*http.Server, error) {
	handler, err := Handler(opt)
	if err != nil {
		return nil, err
	}
	return &http.Server{
		Handler:           handler,
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
	assets, err := site.Assets()
	if err != nil {
		return nil, err
	}
	f := &files{live: opt.Live, assets: assets, cache: newCache(cacheBytes), fixed: newCache(cacheBytes)}
	return newGate(opt, f), nil
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
