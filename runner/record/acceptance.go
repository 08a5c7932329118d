package record

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// The versions of an acceptance's text: with an author it is of the second, so that every record from
// before has the text and the id that it had.
const (
	acceptanceVersion = 1
	authoredVersion   = 2
)

// MaxReasonLen bounds the reason of an acceptance or a deletion, in bytes.
const MaxReasonLen = MaxSettingLen

// maxAcceptance bounds an acceptance's text, in which JSON may write six bytes
// for one.
const maxAcceptance = 32 << 10

// An Acceptance says that a change of a benchmark was intended: what is measured
// from Commit on is the new normal. It holds for all units of the benchmark. A
// record of it never changes; another one with Revokes takes it back.
type Acceptance struct {
	Target    string
	Package   string // of the benchmark; "" when the producer names none
	Benchmark string // name without the -N suffix
	Commit    string // full hash of the commit that made the change
	Reason    string // one line
	Time      time.Time
	Revokes   string // id of the acceptance that this record takes back; "" in an acceptance
	Author    string // who recorded it, as git names the author of a commit: Name <email>; "" where nobody knows
}

// acceptanceRecord is the text of an acceptance, field by field.
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

// Text returns the record's canonical text, of which its id is the hash.
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

// AuthorName returns the name of the author, without an address.
func (a Acceptance) AuthorName() string {
	name, _, _ := strings.Cut(a.Author, "<")
	return strings.TrimSpace(name)
}

// ID returns the record's id: the SHA-256, in hex, of its text.
func (a Acceptance) ID() string { return IDOf(a.Text()) }

// ParseAcceptance reads the text of an acceptance from elsewhere. It refuses
// what [Acceptance.Text] would not give back.
func ParseAcceptance(text []byte) (Acceptance, error) {
	var r acceptanceRecord
	if err := parseRecord(text, maxAcceptance, &r); err != nil {
		return Acceptance{}, err
	}
	if r.Version < acceptanceVersion || r.Version > authoredVersion {
		return Acceptance{}, fmt.Errorf("version %d of an acceptance, this perftrack reads up to %d: upgrade perftrack", r.Version, authoredVersion)
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
		return Acceptance{}, errors.New("it is not in its canonical form")
	}
	return a, nil
}

// Validate reports the first thing in the record that its text cannot have.
func (a Acceptance) Validate() error {
	id := BenchmarkID{Kind: Bench, Package: a.Package, Name: a.Benchmark}
	if err := id.check(); err != nil {
		return err
	}
	if a.Target == "" {
		return errors.New("no target")
	}
	if err := checkValue(keyTarget, a.Target); err != nil {
		return err
	}
	if !hexSHA.MatchString(a.Commit) || len(a.Commit) < 40 {
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

// checkRecord reports what is wrong with what every record has.
func checkRecord(reason string, at time.Time) error {
	if reason == "" {
		return errors.New("no reason")
	}
	if err := checkValue("reason", reason); err != nil {
		return err
	}
	if y := at.Year(); y < 1970 || y > 9999 {
		return fmt.Errorf("its time is in the year %d", y)
	}
	return nil
}

// InForce returns the acceptances among records that none of the others revokes.
func InForce(records []Acceptance) (out []Acceptance) {
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

// OneLine makes a reason of text: spaces and line breaks become one space, and
// what follows MaxReasonLen is cut off.
func OneLine(text string) string {
	return cut(strings.Join(strings.Fields(text), " "), MaxReasonLen)
}
