package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// patience is the maximum time to wait for a condition. Tests reach this limit only if the
// condition never becomes true.
const patience = time.Minute

// findChromium returns the path of the browser, or "".
func findChromium() string {
	for _, name := range []string{os.Getenv("PERFTRACK_CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(cmp.Or(name, "no-such-browser")); err == nil {
			return path
		}
	}
	return ""
}

// A tab is a browser tab, together with the reports and requests of its page.
type tab struct {
	ctx context.Context
	mu  sync.Mutex
	// complaints lists the errors and warnings in the console, and requests lists the requested
	// addresses.
	complaints, requests []string
}

// newTab opens a tab in the browser of ctx.
func newTab(ctx context.Context, t *testing.T) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &tab{ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatal(err)
	}
	call(t, b, network.Enable, network.EnableParams{})
	call(t, b, runtime.Enable, cdp.Empty{})
	call(t, b, log.Enable, cdp.Empty{})
	return b
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, "exception: "+e.ExceptionDetails.Text+" "+describe(e.ExceptionDetails.Exception))
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, describe(a))
			}
			b.complaints = append(b.complaints, "console: "+strings.Join(words, " "))
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			b.complaints = append(b.complaints, "log: "+e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, e.Request.URL)
	}
}

func describe(o *runtime.RemoteObject) string {
	if o == nil {
		return ""
	}
	return cmp.Or(o.Description, string(o.Value))
}

// said returns the page's complaints and requests since it was opened.
func (b *tab) said() (complaints, requests []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.complaints...), append([]string(nil), b.requests...)
}

// limited returns a context with the timeout of one action.
func (b *tab) limited() (context.Context, context.CancelFunc) {
	return context.WithTimeout(b.ctx, patience)
}

// call sends a command in the browser's protocol and returns the answer.
func call[P, R any](t *testing.T, b *tab, command cdp.Command[P, R], params P) R {
	t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	answer, err := chromedp.Call(ctx, command, params)
	if err != nil {
		t.Fatal(err)
	}
	return answer
}

// do carries out actions.
func (b *tab) do(t *testing.T, actions ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	if err := chromedp.Do(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// open opens an address in place of the earlier page, clears the records of the tab, and waits
// until the page is drawn.
func (b *tab) open(t *testing.T, address string) {
	t.Helper()
	b.do(t, chromedp.Navigate("about:blank"))
	b.mu.Lock()
	b.complaints, b.requests = nil, nil
	b.mu.Unlock()
	b.do(t, chromedp.Navigate(address))
	b.settle(t)
}

// settled is an expression. It is true once a page has been drawn and no part of it is busy.
const settled = `document.readyState === "complete" && !!document.querySelector("#main .page, #main .problem") && !document.querySelector("#main [aria-busy]")`

func (b *tab) settle(t *testing.T) {
	t.Helper()
	b.wait(t, settled)
	// Also wait for the next frame.
	b.eval(t, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`, nil)
}

// wait waits until an expression is true.
func (b *tab) wait(t *testing.T, expression string) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		ctx, cancel := b.limited()
		yes, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("Boolean("+expression+")"))
		cancel()
		if err == nil && yes {
			return
		}
		if time.Now().After(end) {
			complaints, _ := b.said()
			t.Fatalf("never came true: %s (%v)\nthe page: %s\ncomplaints: %q", expression, err, b.text(), complaints)
		}
	}
}

// eval evaluates an expression, waiting for it if it is a promise, and stores the value in *result
// if result is not nil.
func (b *tab) eval(t *testing.T, expression string, result any) {
	t.Helper()
	ctx, cancel := b.limited()
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string]("Promise.resolve("+expression+").then(v => JSON.stringify(v === undefined ? null : v))", chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatalf("%.200s: %v", expression, err)
	}
	if result != nil {
		if err := json.Unmarshal([]byte(text), result); err != nil {
			t.Fatalf("%.200s: %v in %.300s", expression, err, text)
		}
	}
}

// text returns the beginning of the text on the page for use in messages.
func (b *tab) text() string {
	ctx, cancel := b.limited()
	defer cancel()
	words, err := chromedp.Run(ctx, chromedp.Evaluate[string](`document.body ? document.body.innerText.slice(0, 1000) : ""`))
	if err != nil {
		return err.Error()
	}
	return words
}

// size sets the size of the window.
func (b *tab) size(t *testing.T, width, height int64) {
	t.Helper()
	call(t, b, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1})
}

// prefer sets the reader's preferred color scheme: light or dark.
func (b *tab) prefer(t *testing.T, scheme string) {
	t.Helper()
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}})
}

// picture takes a picture of the whole page, limited to the height a browser can draw.
func (b *tab) picture(t *testing.T, width int64) []byte {
	t.Helper()
	var height float64
	b.eval(t, `Math.min(Math.max(document.documentElement.scrollHeight, innerHeight), 8000)`, &height)
	beyond := true
	return call(t, b, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &beyond, Clip: &page.Viewport{Width: float64(width), Height: height, Scale: 1}}).Data
}

// quoted returns text as a JavaScript string.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(fmt.Sprintf("quote %q: %v", text, err))
	}
	return string(b)
}
