package githubapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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

// A Client sends requests to GitHub's API, for one repository. The token comes from the
// environment, and goes to the host of the API and nowhere else.
type Client struct {
	api    *url.URL
	repo   string // owner/name
	token  string
	Sleep  func(context.Context, time.Duration) error // between tries
	now    func() time.Time
	client http.Client
	waited time.Duration
}

var errRepositoryName = errors.New("is not of the form owner/name")

// NewClient returns a client. The address is the environment's, never that of
// a file of the repository.
func NewClient(api, repo, token string, now func() time.Time) (*Client, error) {
	u, err := url.Parse(strings.TrimRight(api, "/"))
	if err != nil {
		return nil, fault.Usagef("GITHUB_API_URL: %w", err)
	}
	if u.Scheme != "https" && !isLoopback(u) || u.User != nil || u.Host == "" {
		return nil, fault.Usagef("GITHUB_API_URL %q is not an https address", u.Redacted())
	}
	if !repositoryName.MatchString(repo) {
		return nil, fault.Usagef("repository %q %w", repo, errRepositoryName)
	}
	g := &Client{api: u, repo: repo, token: token, now: now, Sleep: sleepFor}
	g.client.Timeout = RequestTimeout
	g.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return g, nil
}

func isLoopback(u *url.URL) bool { return u.Hostname() == "127.0.0.1" || u.Hostname() == "::1" }

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
	method string // "" is GET
	Path   string // below /repos/owner/name
	Query  url.Values
	Accept string // "" is JSON
	body   any    // sent as JSON
	// once says that the request makes something new: after an answer that
	// leaves open whether it did, it must not be sent again blindly.
	once bool
	// FollowAway allows a GET to be redirected to another host, without the token.
	FollowAway bool
}

// An Error is an answer that is not what was asked for. Status is 0 where
// there was none.
type Error struct {
	What    string
	Status  int
	Message string
	Limited bool // refused for having asked too often
}

// Error says what was asked for, what GitHub answered, and what helps.
func (e *Error) Error() string {
	if e.Status == 0 {
		return fmt.Sprintf("GitHub: %s: %s", e.What, e.Message)
	}
	text := fmt.Sprintf("GitHub: %s: %d %s", e.What, e.Status, e.Message)
	switch e.Status {
	case http.StatusUnauthorized:
		text += ": pass a valid token in GITHUB_TOKEN"
	case http.StatusForbidden, http.StatusTooManyRequests:
		if e.Limited {
			return text + ": GitHub was asked too often: run the workflow again later"
		}
		text += ": the job needs the permissions actions: read, checks: read, contents: read, pull-requests: write and statuses: write; a fork's own job never has them"
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
func (g *Client) Get(ctx context.Context, what, path string, query url.Values, out any) (http.Header, error) {
	return g.call(ctx, Request{What: what, Path: path, Query: query}, out)
}

// call sends a request and decodes the JSON of its answer into out, unless nil.
func (g *Client) call(ctx context.Context, req Request, out any) (http.Header, error) {
	body, header, err := g.Do(ctx, req)
	if err != nil || out == nil {
		return header, err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return header, &Error{What: req.What, Message: "the answer is not the JSON expected: " + err.Error()}
	}
	return header, nil
}

// Do sends a request, again where that can help, and returns the answer's body.
func (g *Client) Do(ctx context.Context, req Request) ([]byte, http.Header, error) {
	for try := 1; ; try++ {
		body, resp, err := g.send(ctx, req) //nolint:bodyclose // send reads the body whole and closes it
		if err == nil && resp.StatusCode < 300 {
			return body, resp.Header, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		failure := &Error{What: req.What}
		var header http.Header
		if err != nil {
			failure.Message = err.Error()
		} else {
			header = resp.Header
			failure.Status, failure.Message = resp.StatusCode, errorMessage(body, resp)
			failure.Limited = isLimited(failure, header)
		}
		wait, again := g.wait(try, failure, header, req.once)
		if !again || try == MaxTries || g.waited+wait > MaxWait {
			return nil, header, failure
		}
		g.waited += wait
		if err := g.Sleep(ctx, wait); err != nil {
			return nil, nil, err
		}
	}
}

// wait says how long to wait before the request is sent again, if at all.
func (g *Client) wait(try int, e *Error, h http.Header, once bool) (time.Duration, bool) {
	switch {
	case e.Limited:
		return max(time.Second, g.askedFor(try, h)), true // refused, so nothing was done
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
// answer does not say; twice as long each time.
const secondaryWait = time.Minute

// askedFor is the time that the answer says to wait.
func (g *Client) askedFor(try int, h http.Header) time.Duration {
	if text := h.Get("Retry-After"); text != "" {
		if s, err := strconv.Atoi(text); err == nil && s >= 0 && s < 1<<20 {
			return time.Duration(s) * time.Second
		}
		if at, err := http.ParseTime(text); err == nil {
			return at.Sub(g.now())
		}
	}
	if at, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 64); err == nil && h.Get("X-RateLimit-Remaining") == "0" {
		return time.Unix(at, 0).Sub(g.now())
	}
	return secondaryWait << (try - 1)
}

// send sends a request once, following redirects itself: the token must not
// follow to another host.
func (g *Client) send(ctx context.Context, req Request) ([]byte, *http.Response, error) {
	at := g.api.JoinPath("repos", g.repo, req.Path)
	at.RawQuery = req.Query.Encode()
	var payload []byte
	if req.body != nil {
		var err error
		if payload, err = json.Marshal(req.body); err != nil {
			return nil, nil, err
		}
	}
	for range maxRedirects {
		resp, err := g.sendTo(ctx, at, req, payload)
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
		if !g.own(next) && !(req.FollowAway && (next.Scheme == "https" || isLoopback(next))) {
			return nil, nil, fmt.Errorf("redirected to another host, %s", next.Host)
		}
		at = next
	}
	return nil, nil, errors.New("redirected too often")
}

// own reports whether an address is the API's, which gets the token.
func (g *Client) own(u *url.URL) bool { return u.Scheme == g.api.Scheme && u.Host == g.api.Host }

func (g *Client) sendTo(ctx context.Context, at *url.URL, req Request, payload []byte) (*http.Response, error) {
	method := req.method
	if method == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequestWithContext(ctx, method, at.String(), bytes.NewReader(payload))
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", "perftrack")
	if g.own(at) {
		r.Header.Set("Accept", "application/vnd.github+json")
		if req.Accept != "" {
			r.Header.Set("Accept", req.Accept)
		}
		r.Header.Set("X-GitHub-Api-Version", "2022-11-28")
		if g.token != "" {
			r.Header.Set("Authorization", "Bearer "+g.token)
		}
	}
	if payload != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	resp, err := g.client.Do(r)
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

// errorMessage is what the answer says was wrong, shortened.
func errorMessage(body []byte, resp *http.Response) string {
	var answer struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Message == "" {
		answer.Message = http.StatusText(resp.StatusCode)
	}
	if r := []rune(answer.Message); len(r) > 200 {
		answer.Message = string(r[:200]) + "…"
	}
	return answer.Message
}

// Pages calls use with each page of a list until there is none left.
func Pages[T any](ctx context.Context, g *Client, what, path string, query url.Values, use func([]T)) error {
	if query == nil {
		query = url.Values{}
	}
	query.Set("per_page", "100")
	for page := 1; page <= maxPages; page++ {
		query.Set("page", strconv.Itoa(page))
		var list []T
		header, err := g.Get(ctx, what, path, query, &list)
		if err != nil {
			return err
		}
		use(list)
		if !strings.Contains(header.Get("Link"), `rel="next"`) {
			return nil
		}
	}
	return &Error{What: what, Message: fmt.Sprintf("more than %d pages", maxPages)}
}
