package postgres

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/perftrack/perftrack/store"
)

// break1 makes the first statement of a kind on the table runs fail with an error code, or end the
// connection. Rolling back a transaction does not reset a sequence, so the second attempt succeeds.
func break1(t *testing.T, a Address, action, when string) {
	t.Helper()
	config, err := a.forWriting()
	if err != nil {
		t.Fatal(err)
	}
	db := pool(config, 1)
	defer db.Close()
	if _, err := db.Exec(`CREATE SEQUENCE attempts;
		CREATE FUNCTION break1() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
			IF nextval('attempts') <= 2 THEN ` + action + ` END IF;
			RETURN NULL;
		END $$;
		CREATE CONSTRAINT TRIGGER break1 AFTER INSERT ON runs ` + when + ` FOR EACH ROW EXECUTE FUNCTION break1()`); err != nil {
		t.Fatal(err)
	}
}

// A transaction is tried again if the server aborts it or closes its connection.
func TestAgain(t *testing.T) {
	ctx := context.Background()
	for name, tt := range map[string]struct{ action, when string }{
		"serialization":         {`RAISE 'in the way' USING ERRCODE = '40001';`, ""},
		"deadlock":              {`RAISE 'in the way' USING ERRCODE = '40P01';`, ""},
		"lost in the middle":    {`PERFORM pg_terminate_backend(pg_backend_pid());`, ""},
		"lost while committing": {`PERFORM pg_terminate_backend(pg_backend_pid());`, "DEFERRABLE INITIALLY DEFERRED"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newAddress(t)
			control, err := openWith(ctx, a, repository, once())
			if err != nil {
				t.Fatal(err)
			}
			defer control.Close()
			break1(t, a, tt.action, tt.when)
			if _, _, err := control.Put(ctx, sample("", 1)); err == nil {
				t.Fatal("nothing was in the way")
			} else if strings.HasPrefix(tt.action, "RAISE") && !errors.Is(err, store.ErrBusy) {
				t.Errorf("without another attempt: %v, want ErrBusy", err)
			}
			if _, added, err := openAt(t, a, repository).Put(ctx, sample("", 1)); err != nil || !added {
				t.Errorf("added %v, %v", added, err)
			}
			checkWhole(t, a, []string{sample("", 1).ID()})
		})
	}
}

// Cancelling the context also ends the wait for another attempt.
func TestAgainCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if again(ctx, io.ErrUnexpectedEOF, 6) {
		t.Error("another attempt for a caller who gave up")
	}
	if again(context.Background(), io.ErrUnexpectedEOF, mostAttempts) || again(context.Background(), store.ErrDamaged, 0) {
		t.Error("another attempt without need")
	}
}

// If the connection is lost after the commit but before the answer arrives, the run is stored once.
func TestLostAnswer(t *testing.T) {
	ctx := context.Background()
	a := newAddress(t)
	openAt(t, a, repository).Close()
	proxied, cut := proxy(t, a)
	db := openAt(t, proxied, repository)
	for i := range 5 {
		cut.Store(true)
		id, added, err := db.Put(ctx, sample("", i))
		if err != nil || added { // the second attempt finds the run
			t.Errorf("added %v, %v", added, err)
		}
		if cut.Load() {
			t.Error("no connection was cut")
		}
		checkWhole(t, a, []string{id})
	}
	if n := checkWhole(t, a, nil); n != 5 {
		t.Errorf("%d runs", n)
	}
}

// proxy returns the address of a proxy of the server. Once cut is set, it passes on one commit and
// then closes the connection instead of passing on the answer.
func proxy(t *testing.T, a Address) (Address, *atomic.Bool) {
	t.Helper()
	config, err := a.config()
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var cut atomic.Bool
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", net.JoinHostPort(config.Host, strconv.Itoa(int(config.Port))))
			if err != nil {
				client.Close()
				return
			}
			go io.Copy(client, server)
			go pass(client, server, &cut)
		}
	}()
	u, err := url.Parse(a.url)
	if err != nil {
		t.Fatal(err)
	}
	u.Host = listener.Addr().String()
	return address(t, u.String()), &cut
}

func pass(client, server net.Conn, cut *atomic.Bool) {
	defer client.Close()
	defer server.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := client.Read(buf)
		if err != nil {
			return
		}
		last := bytes.Contains(buf[:n], []byte("commit\x00")) && cut.CompareAndSwap(true, false)
		if last {
			client.Close() // before there is an answer
		}
		if _, err := server.Write(buf[:n]); err != nil {
			return
		}
		if last {
			time.Sleep(50 * time.Millisecond) // the server commits
			return
		}
	}
}
