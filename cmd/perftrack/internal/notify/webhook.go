package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
	"github.com/perftrack/perftrack/runner/gitrepo/parcel"
)

// A Webhook is an address that is sent JSON. The address is a secret.
type Webhook struct {
	URL   string
	Slack bool   // in the shape that Slack takes
	Name  string // of what it was told, among those of other webhooks
}

// hookTimeout is how long a webhook may take. What fails is sent again by the next run.
const hookTimeout = 30 * time.Second

// A hook tells a webhook. What it was told is a note of the git remote: it survives the job,
// and needs no more than the runs do.
type hook struct {
	Webhook
	repository string
	clone      *parcel.Clone
	remote     string
	note       parcel.Note
	client     http.Client
}

// newHook returns the hook of an address. What it was told is kept where its clone and remote say.
func newHook(w Webhook, repository string) (*hook, error) {
	if u, err := url.Parse(w.URL); err != nil || !restapi.IsConfidential(u) {
		return nil, fault.Usagef("the webhook is not an https address") // which is a secret: it is not shown
	}
	h := &hook{Webhook: w, repository: repository}
	h.client.Timeout = hookTimeout
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return h, nil
}

func (h *hook) name() string { return "the webhook" }

func (h *hook) load(ctx context.Context) (Told, error) {
	note, err := h.clone.ReadNote(ctx, h.remote, h.Name)
	if err != nil {
		return Told{}, err
	}
	h.note = note
	told, err := parseTold(note.Text)
	if err != nil {
		return Told{}, fmt.Errorf("the note %s of the remote is damaged: %w", h.Name, err)
	}
	return told, nil
}

func (h *hook) save(ctx context.Context, t Told) error {
	text, err := t.text()
	if err != nil {
		return err
	}
	note, err := h.clone.WriteNote(ctx, h.remote, h.Name, h.note, text)
	if err != nil {
		return err
	}
	h.note = note
	return nil
}

// say sends a letter. One that was sent and not confirmed is sent again with its id, by which
// the receiver can tell.
func (h *hook) say(ctx context.Context, l Letter) error {
	text, err := h.payload(l)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(text))
	if err != nil {
		return errors.New("the address is no URL")
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "perftrack")
	resp, err := h.client.Do(r)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err // without the address
		}
		return fmt.Errorf("send: %w", err)
	}
	_ = resp.Body.Close() // whatever it says
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("send: it answers %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	return nil
}

// An eventJSON is an event, and the sentence for it.
type eventJSON struct {
	Event
	Sentence string `json:"sentence"`
}

func (h *hook) payload(l Letter) ([]byte, error) {
	if h.Slack {
		return json.Marshal(map[string]string{"text": h.slackText(l.Events)})
	}
	events := []eventJSON{}
	for _, e := range l.Events {
		events = append(events, eventJSON{e, e.sentence(plainly)})
	}
	return json.Marshal(struct {
		SchemaVersion int         `json:"schema_version"`
		ID            string      `json:"id"`
		Repository    string      `json:"repository,omitempty"`
		Events        []eventJSON `json:"events"`
	}{1, l.ID, h.repository, events})
}

// maxSlack is how much of a letter Slack shows well, in bytes.
const maxSlack = 4000

// forSlack replaces Slack's three characters, and what makes an address, which Slack would
// link. Nothing else can mention or link.
var forSlack = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "://", ": //")

// slackText is a line for each event, as many as there is room for.
func (h *hook) slackText(events []Event) string {
	var lines []string
	size := 0
	add := func(line string) { lines, size = append(lines, line), size+len(line)+1 }
	if h.repository != "" {
		add(forSlack.Replace("perftrack, " + plain(h.repository) + ":"))
	}
	for i, line := range sentences(events) {
		line = forSlack.Replace(line)
		if size+len(line)+100 > maxSlack {
			add(fmt.Sprintf("%d more: see perftrack notify --dry-run.", len(events)-i))
			break
		}
		add(line)
	}
	return strings.Join(lines, "\n")
}
