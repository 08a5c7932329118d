package postgres

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// IsURL reports whether a database's name is the URL of a PostgreSQL database.
func IsURL(name string) bool {
	return strings.HasPrefix(name, "postgres://") || strings.HasPrefix(name, "postgresql://")
}

// An Address is the parsed URL of a database: postgres://USER@HOST:PORT,HOST:PORT/DATABASE?SETTINGS
type Address struct {
	Name       string // the URL without secrets
	Repository string // value of the setting repository, or ""
	url        string // the URL without that setting
}

// secretSettings are parts of the names of settings whose values are secret.
var secretSettings = []string{"password", "secret", "token"}

// password matches the user and the password at the beginning of a URL without its scheme.
var password = regexp.MustCompile(`^([^:/]*):([^/]+)@`)

// ParseURL parses the URL of a database. It cannot use package url, which supports only one host.
// Its errors do not quote the URL.
func ParseURL(raw string) (a Address, err error) {
	scheme, rest, _ := strings.Cut(raw, "://")
	where, settings, _ := strings.Cut(rest, "?")
	_, database, _ := strings.Cut(where, "/")
	if strings.Contains(database, "@") || strings.Contains(settings, "@") {
		return a, errors.New("the address of a PostgreSQL database has an @ in an unusual place: " +
			"write / ? @ in a password as %2F %3F %40, or put the password into PGPASSWORD or ~/.pgpass")
	}
	var shown, kept []string
	for setting := range strings.SplitSeq(settings, "&") {
		key, value, _ := strings.Cut(setting, "=")
		if key == "repository" {
			if a.Repository, err = url.QueryUnescape(value); err != nil || a.Repository == "" {
				return a, errors.New("the setting repository in the address of a PostgreSQL database has no valid value: write ?repository=NAME")
			}
		} else if setting != "" {
			kept = append(kept, setting)
		}
		if setting != "" && !slices.ContainsFunc(secretSettings, func(word string) bool { return strings.Contains(strings.ToLower(key), word) }) {
			shown = append(shown, setting)
		}
	}
	a.Name = "postgres://" + password.ReplaceAllString(where, "${1}@") + query(shown)
	a.url = scheme + "://" + where + query(kept)
	if _, err := a.config(); err != nil {
		return a, err
	}
	return a, nil
}

func query(settings []string) string {
	if len(settings) == 0 {
		return ""
	}
	return "?" + strings.Join(settings, "&")
}

const (
	connectWait = 5 * time.Second  // to connect to one host, unless the URL has another time
	lockWait    = 30 * time.Second // to wait for other writers
)

// config returns the driver's configuration. The settings of a connection do not depend on the
// server's defaults where these could lose a run or mix two states of the database.
func (a Address) config() (*pgx.ConnConfig, error) {
	c, err := pgx.ParseConfig(a.url)
	if err != nil {
		if cause := errors.Unwrap(err); cause != nil { // the driver's own text quotes the URL
			err = cause
		}
		return nil, fmt.Errorf("the address of the PostgreSQL database cannot be read: %s: write postgres://USER@HOST/DATABASE", a.conceal(err.Error()))
	}
	if c.ConnectTimeout == 0 {
		c.ConnectTimeout = connectWait
	}
	// A host that vanishes does not close its connections.
	dialer := &net.Dialer{KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: 10 * time.Second, Interval: 5 * time.Second, Count: 4}}
	c.DialFunc = dialer.DialContext
	if c.RuntimeParams["application_name"] == "" {
		c.RuntimeParams["application_name"] = "perftrack"
	}
	c.RuntimeParams["client_encoding"] = "UTF8"
	return c, nil
}

// conceal removes the password from a text.
func (a Address) conceal(text string) string {
	_, rest, _ := strings.Cut(a.url, "://")
	if found := password.FindStringSubmatch(rest); found != nil {
		text = strings.ReplaceAll(text, found[2], "***")
	}
	return text
}

// forWriting returns the configuration of connections to the server that accepts writes.
func (a Address) forWriting() (*pgx.ConnConfig, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsReadWrite
	c.RuntimeParams["default_transaction_isolation"] = "read committed"
	c.RuntimeParams["lock_timeout"] = fmt.Sprint(lockWait.Milliseconds())
	// A suspended writer must not block other writers.
	c.RuntimeParams["idle_in_transaction_session_timeout"] = fmt.Sprint(lockWait.Milliseconds())
	return c, nil
}

// forReading returns the configuration of connections that cannot write, and whose transactions see
// a single state of the database. They go to the same server as writers if primary is set.
func (a Address) forReading(primary bool) (*pgx.ConnConfig, error) {
	c, err := a.config()
	if err != nil {
		return nil, err
	}
	if primary {
		c.ValidateConnect = pgconn.ValidateConnectTargetSessionAttrsPrimary
	}
	c.RuntimeParams["default_transaction_isolation"] = "repeatable read"
	c.RuntimeParams["default_transaction_read_only"] = "on"
	return c, nil
}
