package record

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// Versions of an acceptance's text. The second version adds the author and is used only for
// acceptances with an author, so older records keep their text and their id.
const (
	acceptanceVersion = 1
	authoredVersion   = 2
)

// MaxReasonLen is the maximum length in bytes of the reason for an acceptance or a deletion.
const MaxReasonLen = MaxSettingLen

// maxAcceptance is the maximum length in bytes of an acceptance's text. JSON may need six bytes to
// encode a single byte.
const maxAcceptance = 32 << 10

// An Acceptance marks a change in a benchmark as intended: the values from Commit on are the new
// normal, in all units. An acceptance is never edited; a second record, with Revokes set, revokes
// it.
type Acceptance struct {
	Target    string
	Package   string // package of the benchmark; "" if unknown
	Benchmark string // name of the benchmark without the -N suffix
	Commit    string // full hash of the commit that made the change
	Reason    string // one line
	Time      time.Time
	Revokes   string // id of the acceptance taken back by this record, or ""
	Author    string // author in git's format, Name <email>; "" if unknown
}

// acceptanceRecord is the JSON form of an acceptance.
type acceptanceRecord struct {
	Version   int    `json:"perftrack-acceptance"`
	Target    string `json:"target"`
	Package   string `json:"package,omitempty"`
	Benchmark string `json:"benchmark"`
	Commit    string `json:"commit"`
	Reason    string `json:"reason"`
	Time      string `json:"time"`
	Revokes   string `json:"revokes,omitempty"`
	Author    string `json:"author,omitempty"`
}

// Text returns the record's canonical text. The record's id is the hash of this text.
func (a Acceptance) Text() []byte {
	return recordText(&acceptanceRecord{a.version(), a.Target, a.Package, a.Benchmark, a.Commit, a.Reason,
		formatTime(a.Time.Truncate(time.Second)), a.Revokes, a.Author})
}

func (a Acceptance) version() int {
	if a.Author == "" {
		return acceptanceVersion
	}
	return authoredVersion
}

// AuthorName returns the author's name without the email address.
func (a Acceptance) AuthorName() string {
	name, _, _ := strings.Cut(a.Author, "<")
	return strings.TrimSpace(name)
}

// ID returns the record's id, the SHA-256 of its text in hex.
func (a Acceptance) ID() string { return IDOf(a.Text()) }

// ParseAcceptance parses an acceptance from an untrusted source. It rejects any text that
// [Acceptance.Text] would not have written.
func ParseAcceptance(text []byte) (Acceptance, error) {
	var r acceptanceRecord
	if err := parseRecord(text, maxAcceptance, &r); err != nil {
		return Acceptance{}, err
	}
	if r.Version < acceptanceVersion || r.Version > authoredVersion {
		return Acceptance{}, fmt.Errorf("acceptance has version %d, but this perftrack reads only up to %d: upgrade perftrack", r.Version, authoredVersion)
	}
	t, err := time.Parse(time.RFC3339Nano, r.Time)
	if err != nil {
		return Acceptance{}, fmt.Errorf("time: %w", err)
	}
	a := Acceptance{r.Target, r.Package, r.Benchmark, r.Commit, r.Reason, t.UTC(), r.Revokes, r.Author}
	if err := a.Validate(); err != nil {
		return Acceptance{}, err
	}
	if string(a.Text()) != string(text) {
		return Acceptance{}, errors.New("not in canonical form")
	}
	return a, nil
}

// Validate returns an error for the first field with an invalid value.
func (a Acceptance) Validate() error {
	id := BenchmarkID{Kind: Bench, Package: a.Package, Name: a.Benchmark}
	if err := id.Validate(); err != nil {
		return err
	}
	if a.Target == "" {
		return errors.New("no target")
	}
	if err := checkValue(keyTarget, a.Target); err != nil {
		return err
	}
	if !IsHashPrefix(a.Commit) || len(a.Commit) < 40 {
		return fmt.Errorf("commit %q is not a full hash in lower-case hex", a.Commit)
	}
	if a.Revokes != "" && !IsID(a.Revokes) {
		return fmt.Errorf("%q is not the id of an acceptance", a.Revokes)
	}
	if a.Author != "" {
		if err := checkValue("author", a.Author); err != nil {
			return err
		}
	}
	return checkRecord(a.Reason, a.Time)
}

// checkRecord checks the fields common to all kinds of records.
func checkRecord(reason string, at time.Time) error {
	if reason == "" {
		return errors.New("no reason")
	}
	if err := checkValue("reason", reason); err != nil {
		return err
	}
	if y := at.Year(); y < 1970 || y > 9999 {
		return fmt.Errorf("year %d is out of range", y)
	}
	return nil
}

// Unrevoked returns the acceptances in records that have not been revoked.
func Unrevoked(records []Acceptance) (out []Acceptance) {
	revoked := map[string]bool{}
	for _, a := range records {
		if a.Revokes != "" {
			revoked[a.Revokes] = true
		}
	}
	for _, a := range records {
		if a.Revokes == "" && !revoked[a.ID()] {
			out = append(out, a)
		}
	}
	return out
}

// OneLine turns text into a valid reason: it replaces each run of spaces and line breaks with one
// space, and truncates the result to MaxReasonLen.
func OneLine(text string) string {
	return cut(strings.Join(strings.Fields(text), " "), MaxReasonLen)
}
