package server

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
)

// Policy is the Content-Security-Policy of everything but flame graphs: scripts and styles are
// files of the site, flame graphs frames, and nothing else runs or loads.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// FlamePolicy is that of flame graphs, which have their scripts and styles in themselves, and
// in themselves a stricter policy by the hashes of these.
const FlamePolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// MinToken is how long a token is at least: nobody guesses so many characters.
const MinToken = 16

const (
	loginPath  = "/login"
	cookieName = "perftrack"
)

// A gate lets in who may see the site.
type gate struct {
	hosts  []string
	anyIP  bool
	token  string
	cookie string // what a browser shows that has shown the token
	next   http.Handler
}

func newGate(opt Options, next http.Handler) *gate {
	g := &gate{hosts: []string{"localhost", "127.0.0.1", "::1"}, next: next}
	for _, h := range opt.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	if opt.Token != "" {
		g.token, g.anyIP = opt.Token, true
		mac := hmac.New(sha256.New, []byte(opt.Token))
		mac.Write([]byte("perftrack serve cookie"))
		g.cookie = hex.EncodeToString(mac.Sum(nil))
	}
	return g
}

func (g *gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secure(w.Header())
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		fail(w, r, http.StatusMethodNotAllowed, "Only for reading", "This server answers GET and HEAD.")
	case !g.knows(r.Host):
		fail(w, r, http.StatusMisdirectedRequest, "Unknown host",
			"This server does not answer under the name of this address. Ask it by the address that perftrack serve printed, or name the host with --host.")
	case foreign(r.Header):
		fail(w, r, http.StatusForbidden, "Only for its own page", "Pages of others may not load this.")
	case g.token == "":
		g.next.ServeHTTP(w, r)
	case r.URL.Path == loginPath:
		g.login(w, r)
	case g.admits(r):
		g.next.ServeHTTP(w, r)
	default:
		fail(w, r, http.StatusUnauthorized, "A token is needed",
			"Open /login?token=TOKEN of this address, with the token that perftrack serve was started with.")
	}
}

// secure sets the headers of every answer.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// knows reports whether host, with or without a port, is one of the server's. A page elsewhere
// can make a name of its own lead here (DNS rebinding), but not an address by number.
func (g *gate) knows(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(name, "["), "]"))
	if slices.Contains(g.hosts, name) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil && g.anyIP
}

// foreign reports whether a page of another origin loads this as a part of itself. To follow a
// link from there is fine. Browsers say so in headers that pages cannot set.
func foreign(h http.Header) bool {
	from := h.Get("Sec-Fetch-Site")
	return (from == "cross-site" || from == "same-site") && h.Get("Sec-Fetch-Mode") != "navigate"
}

// admits reports whether a request shows the token, or the cookie that it was exchanged for.
func (g *gate) admits(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && same(token, g.token) {
		return true
	}
	return slices.ContainsFunc(r.CookiesNamed(cookieName), func(c *http.Cookie) bool { return same(c.Value, g.cookie) })
}

// same compares without telling by its time how much is right, or how long the secret is.
func same(a, secret string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// login exchanges the token for a cookie. What it answers is a page that leads on by itself: the
// cookie is not sent along a redirection that a link of another site began.
func (g *gate) login(w http.ResponseWriter, r *http.Request) {
	if !same(r.URL.Query().Get("token"), g.token) {
		fail(w, r, http.StatusUnauthorized, "This is not the token", "Open /login?token=TOKEN with the token that perftrack serve was started with.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: 30 * 24 * 3600})
	w.Header().Set("Refresh", "0; url=./")
	say(w, r, http.StatusOK, page{Title: "Welcome", Text: "The page opens by itself.", Link: "./"})
}
