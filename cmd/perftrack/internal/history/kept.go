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
	"github.com/perftrack/perftrack/reports/filecache"
)

const (
	keptForm            = "perftrack outlines 4"
	keptRegressionsForm = "perftrack regressions 3"
	keptFrom            = time.Second // answers computed in less time are not worth storing
)

// A keptAnswer is a result stored in a file together with the version of its inputs.
type keptAnswer[T any] struct {
	Version string
	All     T
}

// keptOr returns the result stored in the file if its inputs are unchanged, and otherwise calls
// compute. It stores a new result if computing it took at least keptFrom and no damaged run was
// left out.
func keptOr[T any](r *reader, a *workspace.Session, file filecache.File, compute func() (T, error)) (all T, err error) {
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

func readKept[T any](file filecache.File, version string) (all T, ok bool) {
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

func writeKept[T any](file filecache.File, version string, all T, now time.Time) {
	var b bytes.Buffer
	if gob.NewEncoder(&b).Encode(keptAnswer[T]{version, all}) == nil {
		file.Write(b.Bytes(), now)
	}
}

// configText returns the text of the configuration file, or "" if there is none.
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

// version returns a hash of the inputs of the histories. It includes the ids of the runs instead of
// their samples, because an id is a hash of the run's content.
func (r *reader) version() (string, error) {
	v := struct {
		Program, Branch, Config string
		Options                 Options
		Runs                    []string
		Places                  map[string][3]int // positions of commits in position and along, and whether they are in main, see reader
		Times                   map[string]time.Time
		Accepted                compare.Accepted
	}{Program: filecache.Program(), Branch: r.branch, Options: r.opt, Places: map[string][3]int{}, Times: r.times, Accepted: r.intended}
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
		return "", fmt.Errorf("identify the inputs of histories: %w", err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}
