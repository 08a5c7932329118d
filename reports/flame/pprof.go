package flame

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/google/pprof/driver"
	"github.com/google/pprof/profile"
)

// turn serializes calls to pprof, because pprof keeps its settings in global variables.
var turn sync.Mutex

// serve returns the flame graph page of pprof's web interface for head or, if base is not nil, for
// head minus base. It opens neither ports nor files, starts no processes and looks up no symbols.
func serve(head, base *profile.Profile) (page []byte, err error) {
	turn.Lock()
	defer turn.Unlock()
	args := []string{"-http=localhost:1", "-no_browser", "-symbolize=none", "-functions", "-sample_index=" + sampleType}
	profiles := fetcher{"head": head}
	if base != nil {
		profiles["base"] = base
		args = append(args, "-diff_base=base")
	}
	log := &messages{}
	answer := &answer{header: http.Header{}, status: http.StatusOK}
	opt := &driver.Options{
		Flagset: newFlags(append(args, "head")), Fetch: profiles, Sym: noSymbols{}, Obj: noFiles{}, UI: log,
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			handler := args.Handlers["/flamegraph"]
			if handler == nil {
				return errors.New("this version of pprof has no flame graph")
			}
			handler.ServeHTTP(answer, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/flamegraph"}})
			return nil
		},
	}
	if err := driver.PProf(opt); err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	if answer.status != http.StatusOK {
		return nil, fmt.Errorf("pprof: status %d: %s", answer.status, log.errors.String())
	}
	return answer.body.Bytes(), nil
}

// An answer records the response of an HTTP handler.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// flags makes pprof parse our command line.
type flags struct {
	*flag.FlagSet
	args []string
}

func newFlags(args []string) *flags {
	f := &flags{flag.NewFlagSet("pprof", flag.ContinueOnError), args}
	f.SetOutput(io.Discard)
	return f
}

// StringList declares a repeatable flag. We pass each at most once.
func (f *flags) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.String(name, def, usage)}
}

// ExtraUsage returns "".
func (f *flags) ExtraUsage() string { return "" }

// AddExtraUsage does nothing.
func (f *flags) AddExtraUsage(string) {}

// Parse parses our flags and returns the remaining arguments. pprof reports an error if there are
// none.
func (f *flags) Parse(func()) []string {
	if f.FlagSet.Parse(f.args) != nil {
		return nil
	}
	return f.Args()
}

// A fetcher maps names to profiles.
type fetcher map[string]*profile.Profile

// Fetch returns the named profile and no address to fetch symbols from.
func (f fetcher) Fetch(src string, _, _ time.Duration) (*profile.Profile, string, error) {
	if p := f[src]; p != nil {
		return p, "", nil
	}
	return nil, "", fmt.Errorf("no profile %q", src)
}

// noSymbols adds no symbols to a profile, because our profiles already contain names.
type noSymbols struct{}

func (noSymbols) Symbolize(string, driver.MappingSources, *profile.Profile) error { return nil }

// noFiles finds no binaries.
type noFiles struct{}

var errNoBinary = errors.New("the profile names no binary")

func (noFiles) Open(string, uint64, uint64, uint64, string) (driver.ObjFile, error) {
	return nil, errNoBinary
}

func (noFiles) Disasm(string, uint64, uint64, bool) ([]driver.Inst, error) { return nil, errNoBinary }

// messages records the errors printed by pprof.
type messages struct{ errors bytes.Buffer }

func (m *messages) ReadLine(string) (string, error)     { return "", io.EOF }
func (m *messages) Print(...any)                        {}
func (m *messages) PrintErr(args ...any)                { _, _ = fmt.Fprintln(&m.errors, args...) }
func (m *messages) IsTerminal() bool                    { return false }
func (m *messages) WantBrowser() bool                   { return false }
func (m *messages) SetAutoComplete(func(string) string) {}
