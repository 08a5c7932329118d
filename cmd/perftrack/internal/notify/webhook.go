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

// A Webhook is an address for JSON letters. The address is a secret.
type Webhook struct {
	URL   string
	Slack bool   // send Slack's format
	Name  string // name of the stored last report, to distinguish it from those of other webhooks
}

// hookTimeout is the time limit for a request. The next run repeats a failed request.
const hookTimeout = 30 * time.Second

// A hook sends letters to a webhook. It stores its last report as a note in the git remote, which
// outlives the job. Writing the note requires no more rights than writing runs.
type hook struct {
	Webhook
	repository string
	clone      *parcel.Clone
	remote     string
	note       parcel.Note
	client     http.Client
}

// newHook returns the hook for a webhook. The caller must set clone and remote, where the last
// report is stored.
func newHook(w Webhook, repository string) (*hook, error) {
	if u, err := url.Parse(w.URL); err != nil || !restapi.IsConfidential(u) {
		return nil, fault.Usagef("the webhook is not an https address") // the message does not contain the address, because it is a secret
	}
	h := &hook{Webhook: w, repository: repository}
	h.client.Timeout = hookTimeout
	h.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return h, nil
}

func (h *hook) name() string { return "the webhook" }

func (h *hook) load(ctx context.Context) (Reported, error) {
	note, err := h.clone.ReadNote(ctx, h.remote, h.Name)
	if err != nil {
		return Reported{}, err
	}
	h.note = note
	told, err := parseReported(note.Text)
	if err != nil {
		return Reported{}, fmt.Errorf("the note %s on the remote is damaged: %w", h.Name, err)
	}
	return told, nil
}

func (h *hook) save(ctx context.Context, t Reported) error {
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

// say sends a letter. An unconfirmed letter is sent again with the same id, so the receiver can
// recognize it.
func (h *hook) say(ctx context.Context, l Letter) error {
	text, err := h.payload(l)
	if err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.URL, bytes.NewReader(text))
	if err != nil {
		return errors.New("the address is not a URL")
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
	_ = resp.Body.Close() // the body does not matter
	if resp.StatusCode/100 != 2 {
		return fmt.Errorf("send: it responded with %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	}
	return nil
}

// An eventJSON is an event along with a sentence about it.
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

// maxSlack is the maximum size of a letter, in bytes, that Slack displays well.
const maxSlack = 4000

// forSlack escapes the three special characters of Slack, and breaks up URLs, since Slack would
// turn them into links. Nothing else in a text can create a mention or a link.
var forSlack = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "://", ": //")

// slackText returns a line for each event, and as many lines as fit into a letter.
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
			add(fmt.Sprintf("%d more: see perftrack ci notify --dry-run.", len(events)-i))
			break
		}
		add(line)
	}
	return strings.Join(lines, "\n")
}
