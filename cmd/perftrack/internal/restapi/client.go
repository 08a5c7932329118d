package restapi

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
)

// The limits of requests. The measurement has been made already, and a job that waits costs
// its owner money, so it gives up.
const (
	MaxTries       = 4
	RequestTimeout = 30 * time.Second // of one request
	MaxWait        = 4 * time.Minute  // of all waiting of one perftrack
	MaxAnswer      = 10 << 20         // bytes of an answer
	maxRedirects   = 5
	maxPages       = 100 // of 100 entries
)

// A Forge is what a client has to know of the service that it talks to.
type Forge struct {
	Name    string            // for messages: "GitHub"
	Header  map[string]string // of each request to it, with the token
	Refused map[int]string    // by the status of an answer, what helps
	// Conflicts says that a 409 is of another request at the same time: nothing was done.
	Conflicts bool
}

// A Client sends requests to the API of a forge, for one repository. The token comes from the
// environment, and goes to the host of the API and nowhere else.
type Client struct {
	forge  Forge
	api    *url.URL
	Sleep  func(context.Context, time.Duration) error // between tries
	now    func() time.Time
	client http.Client
	waited time.Duration
}

// NewClient returns a client of what is below the path at the address, which is the
// environment's, never that of a file of the repository; variable has its name.
func NewClient(forge Forge, variable, address, path string, now func() time.Time) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(address, "/"))
	if err != nil {
		return nil, fault.Usagef("%s: %w", variable, err)
	}
	if !IsConfidential(u) || u.User != nil {
		return nil, fault.Usagef("%s %q is not an https address", variable, u.Redacted())
	}
	c := &Client{forge: forge, api: u.JoinPath(path), now: now, Sleep: sleepFor}
	c.client.Timeout = RequestTimeout
	c.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c, nil
}

// IsConfidential reports whether what is sent to an address stays between the two: over https,
// or on this machine. A name such as localhost may lead elsewhere.
func IsConfidential(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Host != "" && (u.Scheme == "https" || u.Scheme == "http" && ip != nil && ip.IsLoopback())
}

func sleepFor(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// A Request is one thing to ask for.
type Request struct {
	What   string // for messages: "create comment"
	Method string // "" is GET
	Path   string // below the client's
	Query  url.Values
	Accept string // "" is JSON
	Body   any    // sent as JSON
	// Once says that the request makes something new: after an answer that
	// leaves open whether it did, it must not be sent again blindly.
	Once bool
	// FollowAway allows a GET to be redirected to another host, without the token.
	FollowAway bool
}

// An Error is an answer that is not what was asked for. Status is 0 where
// there was none.
type Error struct {
	Forge   string
	What    string
	Status  int
	Message string
	Limited bool   // refused for having asked too often
	Help    string // what helps, or ""
}

// Error says what was asked for, what the forge answered, and what helps.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s: %s", e.Forge, e.What, e.Message)
	}
	text := fmt.Sprintf("%s: %s: %d %s", e.Forge, e.What, e.Status, e.Message)
	switch {
	case e.Limited:
		return text + ": " + e.Forge + " was asked too often: run this job again later"
	case e.Help != "":
		text += ": " + e.Help
	}
	return text
}

// Uncertain reports whether the request may have been carried out.
func (e *Error) Uncertain() bool { return e.Status == 0 || e.Status >= 500 }

// IsStatus reports whether err is an answer with that HTTP status.
func IsStatus(err error, status int) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == status
}

// Get asks for JSON and decodes it into out.
func (c *Client) Get(ctx context.Context, what, path string, query url.Values, out any) (http.Header, error) {
	return c.Call(ctx, Request{What: what, Path: path, Query: query}, out)
}

// Call sends a request and decodes the JSON of its answer into out, unless nil.
func (c *Client) Call(ctx context.Context, req Request, out any) (http.Header, error) {
	body, header, err := c.Do(ctx, req)
	if err != nil || out == nil {
		return header, err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return header, &Error{Forge: c.forge.Name, What: req.What, Message: "the answer is not the JSON expected: " + err.Error()}
	}
	return header, nil
}

// Do sends a request, again where that can help, and returns the answer's body.
func (c *Client) Do(ctx context.Context, req Request) ([]byte, http.Header, error) {
	for try := 1; ; try++ {
		body, resp, err := c.send(ctx, req) //nolint:bodyclose // send reads the body whole and closes it
		if err == nil && resp.StatusCode < 300 {
			return body, resp.Header, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		failure := &Error{Forge: c.forge.Name, What: req.What}
		var header http.Header
		if err != nil {
			failure.Message = err.Error()
		} else {
			header = resp.Header
			failure.Status, failure.Message = resp.StatusCode, errorMessage(body, resp)
			failure.Limited, failure.Help = isLimited(failure, header), c.forge.Refused[resp.StatusCode]
		}
		wait, again := c.wait(try, failure, header, req.Once)
		if !again || try == MaxTries || c.waited+wait > MaxWait {
			return nil, header, failure
		}
		c.waited += wait
		if err := c.Sleep(ctx, wait); err != nil {
			return nil, nil, err
		}
	}
}

// wait says how long to wait before the request is sent again, if at all.
func (c *Client) wait(try int, e *Error, h http.Header, once bool) (time.Duration, bool) {
	switch {
	case e.Limited:
		return max(time.Second, c.askedFor(try, h)), true // refused, so nothing was done
	case e.Status == http.StatusConflict && c.forge.Conflicts:
		return time.Second << (try - 1), true
	case e.Uncertain():
		return time.Second << (try - 1), !once
	}
	return 0, false
}

// isLimited reports whether a refusal is for having asked too often. The headers do not
// always say so of the secondary limits, the message does.
func isLimited(e *Error, h http.Header) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusForbidden &&
		(h.Get("Retry-After") != "" || h.Get("X-RateLimit-Remaining") == "0" || strings.Contains(strings.ToLower(e.Message), "secondary rate limit"))
}

// secondaryWait is how long GitHub asks everybody to wait at a secondary limit where the
// answer does not say, and so what other forges get, too; twice as long each time.
const secondaryWait = time.Minute

// askedFor is the time that the answer says to wait.
func (c *Client) askedFor(try int, h http.Header) time.Duration {
	if text := h.Get("Retry-After"); text != "" {
		if s, err := strconv.Atoi(text); err == nil && s >= 0 && s < 1<<20 {
			return time.Duration(s) * time.Second
		}
		if at, err := http.ParseTime(text); err == nil {
			return at.Sub(c.now())
		}
	}
	if at, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && h.Get("X-RateLimit-Remaining") == "0" {
		return time.Unix(at, 0).Sub(c.now())
	}
	return secondaryWait << (try - 1)
}

// send sends a request once, following redirects itself: the token must not
// follow to another host.
func (c *Client) send(ctx context.Context, req Request) ([]byte, *http.Response, error) {
	at := c.api.JoinPath(req.Path)
	at.RawQuery = req.Query.Encode()
	var payload []byte
	if req.Body != nil {
		var err error
		if payload, err = json.Marshal(req.Body); err != nil {
			return nil, nil, err
		}
	}
	for range maxRedirects {
		resp, err := c.sendTo(ctx, at, req, payload)
		if err != nil {
			return nil, nil, err
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, MaxAnswer+1))
		_ = resp.Body.Close() // only read
		if err != nil {
			return nil, nil, err
		}
		if len(body) > MaxAnswer {
			return nil, nil, fmt.Errorf("the answer is larger than %d MiB, the limit", MaxAnswer>>20)
		}
		if resp.StatusCode/100 != 3 || resp.Header.Get("Location") == "" {
			return body, resp, nil
		}
		next, err := at.Parse(resp.Header.Get("Location"))
		if err != nil {
			return nil, nil, errors.New("redirected to what is no address")
		}
		if !c.own(next) && !(req.FollowAway && IsConfidential(next)) {
			return nil, nil, fmt.Errorf("redirected to another host, %s", next.Host)
		}
		at = next
	}
	return nil, nil, errors.New("redirected too often")
}

// own reports whether an address is the API's, which gets the token.
func (c *Client) own(u *url.URL) bool { return u.Scheme == c.api.Scheme && u.Host == c.api.Host }

func (c *Client) sendTo(ctx context.Context, at *url.URL, req Request, payload []byte) (*http.Response, error) {
	method := req.Method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "perftrack")
	if c.own(at) {
		for key, value := range c.forge.Header {
			r.Header.Set(key, value)
		}
		if req.Accept != "" {
			r.Header.Set("Accept", req.Accept)
		}
	}
	if payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := c.client.Do(r)
	if err != nil {
		// The address holds no secret, but one signed by another host might.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, err
	}
	return resp, nil
}

// errorMessage is what the answer says was wrong, shortened. Some answers name the fields
// that are wrong in place of a text.
func errorMessage(body []byte, resp *http.Response) string {
	var answer struct {
		Message json.RawMessage `json:"message"`
		Error   string          `json:"error"`
	}
	text := ""
	if json.Unmarshal(body, &answer) == nil {
		if json.Unmarshal(answer.Message, &text) != nil {
			text = string(answer.Message)
		}
		text = cmp.Or(text, answer.Error)
	}
	text = cmp.Or(text, http.StatusText(resp.StatusCode))
	if r := []rune(text); len(r) > 200 {
		text = string(r[:200]) + "…"
	}
	return text
}

// Pages calls use with each page of a list until there is none left.
func Pages[T any](ctx context.Context, c *Client, what, path string, query url.Values, use func([]T)) error {
	if query == nil {
		query = url.Values{}
	}
	query.Set("per_page", "100")
	for page := 1; page <= maxPages; page++ {
		query.Set("page", strconv.Itoa(page))
		var list []T
		header, err := c.Get(ctx, what, path, query, &list)
		if err != nil {
			return err
		}
		use(list)
		if !strings.Contains(header.Get("Link"), `rel="next"`) {
			return nil
		}
	}
	return &Error{Forge: c.forge.Name, What: what, Message: fmt.Sprintf("more than %d pages", maxPages)}
}
