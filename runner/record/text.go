package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"

	"golang.org/x/perf/benchfmt"
)

// IDOf returns the id of the run or record with this canonical text: its SHA-256 in hex.
func IDOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// fullIDPattern is the id of a run or a record.
var fullIDPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// IsID reports whether s is the whole id of a run or a record.
func IsID(s string) bool { return fullIDPattern.MatchString(s) }

// Text returns the run's canonical text, of which its id is the hash. It is an error if
// the same run could not be read back from the text.
func (r *Run) Text() ([]byte, error) {
	var buf bytes.Buffer
	err := NewWriter(&buf).Write(r)
	return buf.Bytes(), err
}

// ParseRun reads the canonical text of one run. It is for text from elsewhere:
// any limit of a run holds, and a text that is not exactly what [Run.Text] gives
// back is refused, so that the id of an accepted run is the hash of text.
func ParseRun(text []byte) (*Run, error) {
	var b Builder
	reader := benchfmt.NewReader(bytes.NewReader(text), "run")
	for reader.Scan() {
		if err := b.Add(reader.Result()); err != nil {
			return nil, err
		}
	}
	if err := reader.Err(); err != nil {
		return nil, err
	}
	runs, err := b.Runs()
	switch {
	case err != nil:
		return nil, err
	case len(runs) != 1:
		return nil, fmt.Errorf("it holds %d runs, not one", len(runs))
	case runs[0].Target == "":
		return nil, errors.New("the run has no target")
	}
	again, err := runs[0].Text()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(again, text) {
		return nil, errors.New("it is not the canonical text of a run")
	}
	return runs[0], nil
}

// recordText returns the canonical text of a record: one line of JSON.
func recordText(record any) []byte { return append([]byte(CompactJSON(record)), '\n') }

// parseRecord reads the canonical text of a record into one of the given type,
// which the caller still has to check.
func parseRecord(text []byte, limit int, into any) error {
	if len(text) > limit {
		return fmt.Errorf("it is longer than %d bytes", limit)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one record")
	}
	if !bytes.Equal(recordText(into), text) {
		return errors.New("it is not in its canonical form")
	}
	return nil
}
