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

// Limits for requests. A job gives up early, because its measurement is already finished and
// waiting costs money.
const (
	MaxTries       = 4
	RequestTimeout = 30 * time.Second // for one request
	MaxWait        = 4 * time.Minute  // total time to wait between attempts
	MaxAnswer      = 10 << 20         // bytes in a response
	maxRedirects   = 5
	maxPages       = 100 // pages of 100 entries
)

// A Forge describes a service with an API.
type Forge struct {
	Name    string            // for messages, such as "GitHub"
	Header  map[string]string // headers sent with each request, including the token
	Refused map[int]string    // advice to the user, by HTTP status
	// Conflicts reports whether status 409 means that nothing was done because another request was
	// running. If so, the request is retried.
	Conflicts bool
}

// A Client sends requests about one repository to the API of a forge. The token comes from the
// environment and is sent only to the API's host.
type Client struct {
	forge  Forge
	api    *url.URL
	Sleep  func(context.Context, time.Duration) error // waits between attempts
	now    func() time.Time
	client http.Client
	waited time.Duration
}

// NewClient returns a client for a path below an address. The address must come from the
// environment variable with the given name, never from a file in the repository.
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

// IsConfidential reports whether a connection to an address is private, because the address uses
// https or is a loopback address. A name such as localhost does not count as a loopback address,
// because it can resolve to another address.
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

// A Request describes a request to the API.
type Request struct {
	What   string // for messages, such as "create comment"
	Method string // "" means GET
	Path   string // below the client's path
	Query  url.Values
	Accept string // "" means JSON
	Body   any    // sent as JSON
	// Once marks a request that creates something and therefore must not be repeated if it may have
	// succeeded.
	Once bool
	// FollowAway allows a GET request to be redirected to another host, without the token.
	FollowAway bool
}

// An Error describes a failed request.
type Error struct {
	Forge   string
	What    string // the failed request
	Status  int    // 0 if there was no response
	Message string
	Limited bool   // a rate limit was exceeded
	Help    string // advice to the user, or ""
}

// Error returns a message with the request, the response and advice to the user.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("%s: %s: %s", e.Forge, e.What, e.Message)
	}
	text := fmt.Sprintf("%s: %s: %d %s", e.Forge, e.What, e.Status, e.Message)
	switch {
	case e.Limited:
		return text + ": the rate limit of " + e.Forge + " was reached: run this job again later"
	case e.Help != "":
		text += ": " + e.Help
	}
	return text
}

// Uncertain reports whether the forge may have carried out the request in spite of the error.
func (e *Error) Uncertain() bool { return e.Status == 0 || e.Status >= 500 }

// IsStatus reports whether err is a response with the given HTTP status.
func IsStatus(err error, status int) bool {
	var e *Error
	return errors.As(err, &e) && e.Status == status
}

// Get sends a GET request and decodes the JSON in the response into out.
func (c *Client) Get(ctx context.Context, what, path string, query url.Values, out any) (http.Header, error) {
	return c.Call(ctx, Request{What: what, Path: path, Query: query}, out)
}

// Call sends a request and decodes the JSON in the response into out, unless out is nil.
func (c *Client) Call(ctx context.Context, req Request, out any) (http.Header, error) {
	body, header, err := c.Do(ctx, req)
	if err != nil || out == nil {
		return header, err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return header, &Error{Forge: c.forge.Name, What: req.What, Message: "the response is not the expected JSON: " + err.Error()}
	}
	return header, nil
}

// Do sends a request and returns the body and the header of the response. It retries the request if
// that may help.
func (c *Client) Do(ctx context.Context, req Request) ([]byte, http.Header, error) {
	for try := 1; ; try++ {
		body, resp, err := c.send(ctx, req) //nolint:bodyclose // send reads the whole body and closes it
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

// wait returns how long to wait before a retry. ok is false if the request must not be retried.
func (c *Client) wait(try int, e *Error, h http.Header, once bool) (d time.Duration, ok bool) {
	switch {
	case e.Limited:
		return max(time.Second, c.askedFor(try, h)), true // the request was refused, so nothing was done
	case e.Status == http.StatusConflict && c.forge.Conflicts:
		return time.Second << (try - 1), true
	case e.Uncertain():
		return time.Second << (try - 1), !once
	}
	return 0, false
}

// isLimited reports whether a rate limit was exceeded. Responses about secondary limits may not
// have the headers, but then the message mentions the limit.
func isLimited(e *Error, h http.Header) bool {
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusForbidden &&
		(h.Get("Retry-After") != "" || h.Get("X-RateLimit-Remaining") == "0" || strings.Contains(strings.ToLower(e.Message), "secondary rate limit"))
}

// secondaryWait is how long to wait before the first retry if the response does not specify it.
// GitHub asks clients to wait for a minute at a secondary limit. The wait doubles with each
// attempt.
const secondaryWait = time.Minute

// askedFor returns how long the client should wait, according to the response.
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

// send sends a request once. It follows redirects itself, to keep the token from other hosts.
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
		_ = resp.Body.Close() // only read, so an error does not matter
		if err != nil {
			return nil, nil, err
		}
		if len(body) > MaxAnswer {
			return nil, nil, fmt.Errorf("the response is larger than the limit of %d MiB", MaxAnswer>>20)
		}
		if resp.StatusCode/100 != 3 || resp.Header.Get("Location") == "" {
			return body, resp, nil
		}
		next, err := at.Parse(resp.Header.Get("Location"))
		if err != nil {
			return nil, nil, errors.New("redirected to an invalid address")
		}
		if !c.own(next) && !(req.FollowAway && IsConfidential(next)) {
			return nil, nil, fmt.Errorf("redirected to another host, %s", next.Host)
		}
		at = next
	}
	return nil, nil, errors.New("redirected too many times")
}

// own reports whether an address is on the API's host and may get the token.
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
		// Do not show the address, because an address on another host may contain a secret
		// signature.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, err
	}
	return resp, nil
}

// errorMessage returns the message from a response with an error, cut to 200 characters. In some
// responses, the message is not text but an object listing invalid fields.
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

// Pages calls use with the entries on each page of a list.
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
