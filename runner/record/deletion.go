package record

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// deletionVersion is the version of a deletion's text.
const deletionVersion = 1

// MaxDeletedRuns is how many runs one deletion may name.
const MaxDeletedRuns = 10_000

// maxDeletion bounds a deletion's text: 67 bytes a run.
const maxDeletion = 1 << 20

// A Deletion says that runs were deleted for good: wherever it is known, these
// runs are not stored again. The record stays when the runs are gone.
type Deletion struct {
	Runs   []string // full ids
	Reason string   // one line, such as the retention rule
	Time   time.Time
}

// deletionRecord is the text of a deletion, field by field.
type deletionRecord struct {
	Version int      `json:"perftrack-deletion"`
	Reason  string   `json:"reason"`
	Time    string   `json:"time"`
	Runs    []string `json:"runs"` // sorted
}

// Text returns the record's canonical text, of which its id is the hash.
func (d Deletion) Text() []byte {
	runs := slices.Clone(d.Runs)
	slices.Sort(runs)
	return recordText(&deletionRecord{deletionVersion, d.Reason, formatTime(d.Time.Truncate(time.Second)), slices.Compact(runs)})
}

// ID returns the record's id: the SHA-256, in hex, of its text.
func (d Deletion) ID() string { return IDOf(d.Text()) }

// ParseDeletion reads the text of a deletion from elsewhere. It refuses what
// [Deletion.Text] would not give back.
func ParseDeletion(text []byte) (Deletion, error) {
	var r deletionRecord
	if err := parseRecord(text, maxDeletion, &r); err != nil {
		return Deletion{}, err
	}
	if r.Version != deletionVersion {
		return Deletion{}, fmt.Errorf("version %d of a deletion, this perftrack reads %d: upgrade perftrack", r.Version, deletionVersion)
	}
	t, err := time.Parse(time.RFC3339Nano, r.Time)
	if err != nil {
		return Deletion{}, fmt.Errorf("time: %w", err)
	}
	d := Deletion{r.Runs, r.Reason, t.UTC()}
	if err := d.Validate(); err != nil {
		return Deletion{}, err
	}
	if string(d.Text()) != string(text) {
		return Deletion{}, errors.New("it is not in its canonical form")
	}
	return d, nil
}

// Validate reports the first thing in the record that its text cannot have.
func (d Deletion) Validate() error {
	if len(d.Runs) == 0 {
		return errors.New("it names no run")
	}
	if len(d.Runs) > MaxDeletedRuns {
		return fmt.Errorf("it names %d runs: more than %d", len(d.Runs), MaxDeletedRuns)
	}
	for _, id := range d.Runs {
		if !IsID(id) {
			return fmt.Errorf("%q is not the id of a run", id)
		}
	}
	return checkRecord(d.Reason, d.Time)
}
