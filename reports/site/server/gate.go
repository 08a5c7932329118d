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

// Policy is the Content-Security-Policy for all files except flame graphs and reports. Scripts,
// styles and frames come only from the site, and nothing else can run or load.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// FlamePolicy is the Content-Security-Policy for flame graphs, which have inline scripts and
// styles. Each page also contains a stricter policy with the hashes of its scripts and styles.
const FlamePolicy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'"

// MinToken is the minimum length of a token. A token of this length cannot be guessed.
const MinToken = 16

const (
	loginPath  = "/login"
	cookieName = "perftrack"
)

// A gate decides which requests are admitted.
type gate struct {
	hosts  []string
	anyIP  bool
	token  string
	cookie string // proves that the browser has sent the token
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
		fail(w, r, http.StatusMethodNotAllowed, "Read only", "This server answers only GET and HEAD requests.")
	case !g.knows(r.Host):
		fail(w, r, http.StatusMisdirectedRequest, "Unknown host",
			"This server does not answer requests for this host name. Use the address printed by perftrack serve, or add the name with --host.")
	case foreign(r.Header):
		fail(w, r, http.StatusForbidden, "Forbidden", "Other sites may not load this.")
	case g.token == "":
		g.next.ServeHTTP(w, r)
	case r.URL.Path == loginPath:
		g.login(w, r)
	case g.admits(r):
		g.next.ServeHTTP(w, r)
	default:
		fail(w, r, http.StatusUnauthorized, "A token is required",
			"Open /login?token=TOKEN at this address, with the token of perftrack serve.")
	}
}

// secure sets the headers that every response has.
func secure(h http.Header) {
	h.Set("Content-Security-Policy", Policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
}

// knows reports whether host, with or without a port, is a name of this server. The owner of a
// foreign page can make a host name resolve to this machine (DNS rebinding), but not a numeric
// address.
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

// foreign reports whether a page of another origin loads a file as part of itself. Following a link
// from such a page is allowed. Browsers distinguish the two cases by headers that a page cannot
// set.
func foreign(h http.Header) bool {
	from := h.Get("Sec-Fetch-Site")
	return (from == "cross-site" || from == "same-site") && h.Get("Sec-Fetch-Mode") != "navigate"
}

// admits reports whether a request has the token or the cookie.
func (g *gate) admits(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if strings.EqualFold(scheme, "Bearer") && same(token, g.token) {
		return true
	}
	return slices.ContainsFunc(r.CookiesNamed(cookieName), func(c *http.Cookie) bool { return same(c.Value, g.cookie) })
}

// same compares two strings in constant time.
func same(a, secret string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// login exchanges the token for a cookie. It replies with a self-refreshing page instead of a
// redirect, because browsers do not send the cookie when a link on another site is redirected.
func (g *gate) login(w http.ResponseWriter, r *http.Request) {
	if !same(r.URL.Query().Get("token"), g.token) {
		fail(w, r, http.StatusUnauthorized, "Wrong token", "Open /login?token=TOKEN with the token of perftrack serve.")
		return
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.cookie, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil, MaxAge: 30 * 24 * 3600})
	w.Header().Set("Refresh", "0; url=./")
	say(w, r, http.StatusOK, page{Title: "Welcome", Text: "The page will open by itself.", Link: "./"})
}
