package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"

	"github.com/perftrack/perftrack/runner/record"
)

// A digest collects the fields of a row. Its sum is stored with the row and compared whenever the
// row is read. It protects against accidental damage only; the id of a run is a SHA-256 of all its
// content.
type digest []byte

func (d *digest) text(list ...string) {
	for _, s := range list {
		*d = append(binary.AppendUvarint(*d, uint64(len(s))), s...)
	}
}

func (d *digest) number(list ...int64) {
	for _, n := range list {
		*d = binary.LittleEndian.AppendUint64(*d, uint64(n))
	}
}

// optional adds a field that may be null.
func (d *digest) optional(list ...sql.NullInt64) {
	for _, n := range list {
		if n.Valid {
			d.number(n.Int64)
		}
		d.text(map[bool]string{true: "known", false: "null"}[n.Valid])
	}
}

// column adds a packed column, which may be null.
func (d *digest) column(c []byte) {
	if c == nil {
		*d = append(*d, 0)
		return
	}
	*d = append(*d, 1)
	*d = binary.AppendUvarint(*d, uint64(len(c)))
	*d = append(*d, c...)
}

// sum returns the first 8 bytes of the SHA-256.
func (d *digest) sum() int64 {
	sum := sha256.Sum256(*d)
	return int64(binary.LittleEndian.Uint64(sum[:8]))
}

// digestOf returns the digest of the results of benchmark id in the run uid. units are the names of
// the benchmark's units. The buffer into is overwritten.
func (r *resultRow) digestOf(into *digest, uid string, id record.BenchmarkID, units []string) int64 {
	d := (*into)[:0]
	d.text(uid, string(id.Kind), id.Suite, id.Package, id.Name)
	d.number(int64(r.rounds))
	for _, c := range r.columns {
		d.column(c)
	}
	for unit := range r.units() {
		if unit < len(units) {
			d.text(units[unit])
		}
	}
	d.column(r.samples)
	*into = d
	return d.sum()
}
