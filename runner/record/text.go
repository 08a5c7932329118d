package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// IDOf returns the id of the run or record with this canonical text: the text's SHA-256 in hex.
func IDOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// Text returns the run's canonical text. The run's id is the hash of this text. Text returns an
// error if the run could not be read back from it.
func (r *Run) Text() ([]byte, error) {
	var buf bytes.Buffer
	err := NewWriter(&buf).Write(r)
	return buf.Bytes(), err
}

// recordText returns the canonical text of a record, which is one line of JSON.
func recordText(record any) []byte { return append([]byte(CompactJSON(record)), '\n') }

// parseRecord parses the canonical text of a record into the struct that into points to. The caller
// must check the record's values.
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
		return errors.New("not in canonical form")
	}
	return nil
}
