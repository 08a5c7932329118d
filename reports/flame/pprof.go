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

// turn lets one page at a time be drawn: pprof keeps its settings in variables of its own.
var turn sync.Mutex

// serve returns the page that pprof's web interface serves as flame graph of head, or of head
// less base. It opens no port and no file, starts nothing, and asks nobody for symbols.
func serve(head, base *profile.Profile) (page []byte, err error) {
	turn.Lock()
	defer turn.Unlock()
	args := []string{"-http=localhost:1", "-no_browser", "-symbolize=none", "-functions", "-sample_index=" + sampleType}
	profiles := fetcher{"head": head}
	if base != nil {
		profiles["base"] = base
		args = append(args, "-diff_base=base")
	}
	said := &messages{}
	answer := &answer{header: http.Header{}, status: http.StatusOK}
	opt := &driver.Options{
		Flagset: newFlags(append(args, "head")), Fetch: profiles, Sym: noSymbols{}, Obj: noFiles{}, UI: said,
		HTTPServer: func(args *driver.HTTPServerArgs) error {
			handler := args.Handlers["/flamegraph"]
			if handler == nil {
				return errors.New("this version of pprof draws none")
			}
			handler.ServeHTTP(answer, &http.Request{Method: http.MethodGet, URL: &url.URL{Path: "/flamegraph"}})
			return nil
		},
	}
	if err := driver.PProf(opt); err != nil {
		return nil, fmt.Errorf("pprof: %w", err)
	}
	if answer.status != http.StatusOK {
		return nil, fmt.Errorf("pprof: status %d: %s", answer.status, said.errors.String())
	}
	return answer.body.Bytes(), nil
}

// An answer keeps what a handler writes.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(b []byte) (int, error) { return a.body.Write(b) }

// flags are the flags of a command line that is given by us.
type flags struct {
	*flag.FlagSet
	args []string
}

func newFlags(args []string) *flags {
	f := &flags{flag.NewFlagSet("pprof", flag.ContinueOnError), args}
	f.SetOutput(io.Discard)
	return f
}

// StringList declares a flag with several values; we give one.
func (f *flags) StringList(name, def, usage string) *[]*string {
	return &[]*string{f.String(name, def, usage)}
}

// ExtraUsage is what nobody reads.
func (f *flags) ExtraUsage() string { return "" }

// AddExtraUsage adds to it.
func (f *flags) AddExtraUsage(string) {}

// Parse reads our flags. Without any left, pprof says what is wrong.
func (f *flags) Parse(func()) []string {
	if f.FlagSet.Parse(f.args) != nil {
		return nil
	}
	return f.Args()
}

// A fetcher has profiles by name.
type fetcher map[string]*profile.Profile

// Fetch returns a profile, and no address, from which pprof would ask for symbols.
func (f fetcher) Fetch(src string, _, _ time.Duration) (*profile.Profile, string, error) {
	if p := f[src]; p != nil {
		return p, "", nil
	}
	return nil, "", fmt.Errorf("no profile %q", src)
}

// noSymbols adds no symbols: our profiles have names.
type noSymbols struct{}

func (noSymbols) Symbolize(string, driver.MappingSources, *profile.Profile) error { return nil }

// noFiles has no binaries.
type noFiles struct{}

var errNoBinary = errors.New("no binary belongs to this profile")

func (noFiles) Open(string, uint64, uint64, uint64, string) (driver.ObjFile, error) {
	return nil, errNoBinary
}

func (noFiles) Disasm(string, uint64, uint64, bool) ([]driver.Inst, error) { return nil, errNoBinary }

// messages keeps what pprof complains about.
type messages struct{ errors bytes.Buffer }

func (m *messages) ReadLine(string) (string, error)     { return "", io.EOF }
func (m *messages) Print(...any)                        {}
func (m *messages) PrintErr(args ...any)                { _, _ = fmt.Fprintln(&m.errors, args...) }
func (m *messages) IsTerminal() bool                    { return false }
func (m *messages) WantBrowser() bool                   { return false }
func (m *messages) SetAutoComplete(func(string) string) {}
