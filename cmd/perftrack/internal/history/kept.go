package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports/kept"
)

const (
	keptForm            = "perftrack outlines 4"
	keptRegressionsForm = "perftrack regressions 3"
	keptFrom            = time.Second // what is made in less time is made anew, and the database read
)

// A keptAnswer is an answer in a file, and what it was made of.
type keptAnswer[T any] struct {
	Version string
	All     T
}

// keptOr returns the answer that is kept in the file, where it was made of the same, else the one
// that compute returns. What took long, and no damaged run was left out of, is kept.
func keptOr[T any](r *reader, a *workspace.Session, file kept.File, compute func() (T, error)) (all T, err error) {
	version, err := r.version()
	if err != nil {
		return all, err
	}
	if all, ok := readKept[T](file, version); ok {
		return all, nil
	}
	begin := a.Now()
	all, err = compute()
	if end := a.Now(); err == nil && end.Sub(begin) >= keptFrom && len(r.db.Damaged()) == 0 {
		writeKept(file, version, all, end)
	}
	return all, err
}

func readKept[T any](file kept.File, version string) (all T, ok bool) {
	text, ok := file.Read()
	if !ok {
		return all, false
	}
	var k keptAnswer[T]
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&k); err != nil || k.Version != version {
		return all, false
	}
	return k.All, true
}

func writeKept[T any](file kept.File, version string, all T, now time.Time) {
	var b bytes.Buffer
	if gob.NewEncoder(&b).Encode(keptAnswer[T]{version, all}) == nil {
		file.Write(b.Bytes(), now)
	}
}

// configText is the configuration as it is written, "" without one.
func (r *reader) configText() (string, error) {
	if r.where.ConfigPath == "" {
		return "", nil
	}
	text, err := os.ReadFile(r.where.ConfigPath)
	if err != nil {
		return "", fault.IO(err)
	}
	return string(text), nil
}

// version names what the reader's histories are made of, but for the samples: these are those of
// the runs, whose ids are the hashes of all that was measured.
func (r *reader) version() (string, error) {
	v := struct {
		Program, Branch, Config string
		Options                 Options
		Runs                    []string
		Places                  map[string][3]int // of commits, see reader
		Times                   map[string]time.Time
		Accepted                compare.Accepted
	}{Program: kept.Program(), Branch: r.branch, Options: r.opt, Places: map[string][3]int{}, Times: r.times, Accepted: r.intended}
	var err error
	if v.Config, err = r.configText(); err != nil {
		return "", err
	}
	for _, run := range r.runs {
		v.Runs = append(v.Runs, run.ID)
	}
	for sha, at := range r.position {
		place := [3]int{at, r.along[sha], 0}
		if r.main[sha] {
			place[2] = 1
		}
		v.Places[sha] = place
	}
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("name what the histories are made of: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
