package record

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// deletionVersion is the version of a deletion's text.
const deletionVersion = 1

// MaxDeletedRuns is the maximum number of runs in one deletion.
const MaxDeletedRuns = 10_000

// maxDeletion is the maximum length in bytes of a deletion's text, which needs 67 bytes per run.
const maxDeletion = 1 << 20

// A Deletion marks runs as permanently deleted: every database that has the record refuses to store
// these runs again. The record outlives the runs.
type Deletion struct {
	Runs   []string // full ids of the deleted runs
	Reason string   // one line, such as the retention rule
	Time   time.Time
}

// deletionRecord is the JSON form of a deletion.
type deletionRecord struct {
	Version int      `json:"perftrack-deletion"`
	Reason  string   `json:"reason"`
	Time    string   `json:"time"`
	Runs    []string `json:"runs"` // sorted
}

// Text returns the record's canonical text. The record's id is the hash of this text.
func (d Deletion) Text() []byte {
	runs := slices.Clone(d.Runs)
	slices.Sort(runs)
	return recordText(&deletionRecord{deletionVersion, d.Reason, formatTime(d.Time.Truncate(time.Second)), slices.Compact(runs)})
}

// ID returns the record's id, the SHA-256 of its text in hex.
func (d Deletion) ID() string { return IDOf(d.Text()) }

// ParseDeletion parses a deletion from an untrusted source. It rejects any text that
// [Deletion.Text] would not have written.
func ParseDeletion(text []byte) (Deletion, error) {
	var r deletionRecord
	if err := parseRecord(text, maxDeletion, &r); err != nil {
		return Deletion{}, err
	}
	if r.Version != deletionVersion {
		return Deletion{}, fmt.Errorf("deletion has version %d, but this perftrack reads only %d: upgrade perftrack", r.Version, deletionVersion)
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
		return Deletion{}, errors.New("not in canonical form")
	}
	return d, nil
}

// Validate returns an error for the first field with an invalid value.
func (d Deletion) Validate() error {
	if len(d.Runs) == 0 {
		return errors.New("it names no runs")
	}
	if len(d.Runs) > MaxDeletedRuns {
		return fmt.Errorf("it names %d runs; the limit is %d", len(d.Runs), MaxDeletedRuns)
	}
	for _, id := range d.Runs {
		if !IsID(id) {
			return fmt.Errorf("%q is not the id of a run", id)
		}
	}
	return checkRecord(d.Reason, d.Time)
}
