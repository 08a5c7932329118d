package app

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
)

// The patience with GitHub's API. A measurement has been made already, and a
// job that waits costs its owner money, so it ends.
const (
	githubTries    = 4
	githubTimeout  = 30 * time.Second // of one request
	githubPatience = 4 * time.Minute  // of all waiting of one perftrack
	maxBody        = 10 << 20         // bytes of an answer
	maxRedirects   = 5
	maxPages       = 100 // of 100 entries
)

// A gitHub is the API of GitHub, for one repository. The token comes from the
// environment, and goes to the host of the API and nowhere else.
type gitHub struct {
	api    *url.URL
	repo   string // owner/name
	token  string
	sleep  func(context.Context, time.Duration) error
	now    func() time.Time
	client http.Client
	waited time.Duration
}

var errRepositoryName = errors.New("is not of the form owner/name")

// newGitHub returns a client. The address is the environment's, never that of
// a file of the repository.
func newGitHub(api, repo, token string, now func() time.Time) (*gitHub, error) {
	u, err := url.Parse(strings.TrimRight(api, "/"))
	if err != nil {
		return nil, usagef("GITHUB_API_URL: %w", err)
	}
	if u.Scheme != "https" && !isLoopback(u) || u.User != nil || u.Host == "" {
		return nil, usagef("GITHUB_API_URL %q is not an https address", u.Redacted())
	}
	if !repositoryName.MatchString(repo) {
		return nil, usagef("repository %q %w", repo, errRepositoryName)
	}
	g := &gitHub{api: u, repo: repo, token: token, now: now, sleep: sleepFor}
	g.client.Timeout = githubTimeout
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

// A githubRequest is one thing to ask for.
type githubRequest struct {
	what   string // for messages: "create comment"
	method string // "" is GET
	path   string // below /repos/owner/name
	query  url.Values
	accept string // "" is JSON
	body   any    // sent as JSON
	// once says that the request makes something new: after an answer that
	// leaves open whether it did, it must not be sent again blindly.
	once bool
	// away allows a GET to be redirected to another host, without the token.
	away bool
}

// A githubError is an answer that is not what was asked for. Status is 0 where
// there was none.
type githubError struct {
	what    string
	status  int
	message string
	limited bool // refused for having asked too often
}

func (e *githubError) Error() string {
	if e.status == 0 {
		return fmt.Sprintf("GitHub: %s: %s", e.what, e.message)
	}
	text := fmt.Sprintf("GitHub: %s: %d %s", e.what, e.status, e.message)
	switch e.status {
	case http.StatusUnauthorized:
		text += ": pass a valid token in GITHUB_TOKEN"
	case http.StatusForbidden, http.StatusTooManyRequests:
		if e.limited {
			return text + ": GitHub was asked too often: run the workflow again later"
		}
		text += ": the job needs the permissions actions: read, checks: read, contents: read, pull-requests: write and statuses: write; a fork's own job never has them"
	}
	return text
}

// uncertain reports whether the request may have been carried out.
func (e *githubError) uncertain() bool { return e.status == 0 || e.status >= 500 }

func isStatus(err error, status int) bool {
	var e *githubError
	return errors.As(err, &e) && e.status == status
}

// get asks for JSON and decodes it into out.
func (g *gitHub) get(ctx context.Context, what, path string, query url.Values, out any) (http.Header, error) {
	return g.call(ctx, githubRequest{what: what, path: path, query: query}, out)
}

// call sends a request and decodes the JSON of its answer into out, unless nil.
func (g *gitHub) call(ctx context.Context, req githubRequest, out any) (http.Header, error) {
	body, header, err := g.do(ctx, req)
	if err != nil || out == nil {
		return header, err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return header, &githubError{what: req.what, message: "the answer is not the JSON expected: " + err.Error()}
	}
	return header, nil
}

// do sends a request, again where that can help, and returns the answer's body.
func (g *gitHub) do(ctx context.Context, req githubRequest) ([]byte, http.Header, error) {
	for try := 1; ; try++ {
		body, resp, err := g.send(ctx, req) //nolint:bodyclose // send reads the body whole and closes it
		if err == nil && resp.StatusCode < 300 {
			return body, resp.Header, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		failure := &githubError{what: req.what}
		var header http.Header
		if err != nil {
			failure.message = err.Error()
		} else {
			header = resp.Header
			failure.status, failure.message = resp.StatusCode, errorMessage(body, resp)
			failure.limited = isLimited(failure, header)
		}
		wait, again := g.wait(try, failure, header, req.once)
		if !again || try == githubTries || g.waited+wait > githubPatience {
			return nil, header, failure
		}
		g.waited += wait
		if err := g.sleep(ctx, wait); err != nil {
			return nil, nil, err
		}
	}
}

// wait says how long to wait before the request is sent again, if at all.
func (g *gitHub) wait(try int, e *githubError, h http.Header, once bool) (time.Duration, bool) {
	switch {
	case e.limited:
		return max(time.Second, g.askedFor(try, h)), true // refused, so nothing was done
	case e.uncertain():
		return time.Second << (try - 1), !once
	}
	return 0, false
}

// isLimited reports whether a refusal is for having asked too often. The headers do not
// always say so of the secondary limits, the message does.
func isLimited(e *githubError, h http.Header) bool {
	return e.status == http.StatusTooManyRequests || e.status == http.StatusForbidden &&
		(h.Get("Retry-After") != "" || h.Get("X-RateLimit-Remaining") == "0" || strings.Contains(strings.ToLower(e.message), "secondary rate limit"))
}

// secondaryWait is how long GitHub asks everybody to wait at a secondary limit where the
// answer does not say; twice as long each time.
const secondaryWait = time.Minute

// askedFor is the time that the answer says to wait.
func (g *gitHub) askedFor(try int, h http.Header) time.Duration {
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
func (g *gitHub) send(ctx context.Context, req githubRequest) ([]byte, *http.Response, error) {
	at := g.api.JoinPath("repos", g.repo, req.path)
	at.RawQuery = req.query.Encode()
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
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxBody+1))
		_ = resp.Body.Close() // only read
		if err != nil {
			return nil, nil, err
		}
		if len(body) > maxBody {
			return nil, nil, fmt.Errorf("the answer is larger than %d MiB, the limit", maxBody>>20)
		}
		if resp.StatusCode/100 != 3 || resp.Header.Get("Location") == "" {
			return body, resp, nil
		}
		next, err := at.Parse(resp.Header.Get("Location"))
		if err != nil {
			return nil, nil, errors.New("redirected to what is no address")
		}
		if !g.own(next) && !(req.away && (next.Scheme == "https" || isLoopback(next))) {
			return nil, nil, fmt.Errorf("redirected to another host, %s", next.Host)
		}
		at = next
	}
	return nil, nil, errors.New("redirected too often")
}

// own reports whether an address is the API's, which gets the token.
func (g *gitHub) own(u *url.URL) bool { return u.Scheme == g.api.Scheme && u.Host == g.api.Host }

func (g *gitHub) sendTo(ctx context.Context, at *url.URL, req githubRequest, payload []byte) (*http.Response, error) {
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
		if req.accept != "" {
			r.Header.Set("Accept", req.accept)
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

// pages calls take with each page of a list until there is none left.
func pages[T any](ctx context.Context, g *gitHub, what, path string, query url.Values, take func([]T)) error {
	if query == nil {
		query = url.Values{}
	}
	query.Set("per_page", "100")
	for page := 1; page <= maxPages; page++ {
		query.Set("page", strconv.Itoa(page))
		var list []T
		header, err := g.get(ctx, what, path, query, &list)
		if err != nil {
			return err
		}
		take(list)
		if !strings.Contains(header.Get("Link"), `rel="next"`) {
			return nil
		}
	}
	return &githubError{what: what, message: fmt.Sprintf("more than %d pages", maxPages)}
}
