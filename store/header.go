package store

import (
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/perftrack/perftrack/runner/record"
)

// A header holds the fields of a run as they are stored, with its environment and the name of its
// trial.
type header struct {
	uid, target, sha, tree, branch         string
	dirty                                  bool
	environment, settings, facts, protocol string
	tool, status, trial, side              string
	units, failures                        string
	commitTime, started, ended             sql.NullInt64
	benchmarks, rounds                     int
}

// headerColumns are the columns of runs r, environments e and trials t that scanHeader reads.
const headerColumns = `r.uid, r.target, r.commit_sha, r.tree, r.branch, r.dirty, e.key, e.settings, r.facts, r.protocol,
	r.tool, r.status, t.name, r.side, r.units, r.failures, r.commit_time, r.started, r.ended, r.benchmarks, r.max_rounds, r.digest`

// fromRuns is the FROM clause of queries for headerColumns.
const fromRuns = ` FROM runs r LEFT JOIN environments e ON e.id = r.environment_id LEFT JOIN trials t ON t.id = r.trial_id`

// headerOf returns the header to store for a run.
func headerOf(r *record.RunInfo) header {
	return header{
		uid: r.ID, target: r.Target, sha: r.Commit.SHA, tree: r.Commit.Tree, branch: r.Commit.Branch, dirty: r.Commit.Dirty,
		environment: r.Env.EnvironmentID(), settings: r.Env.JSON(), facts: r.Facts.JSON(), protocol: r.Protocol.JSON(),
		tool: r.Tool, status: string(r.Status), trial: r.Trial, side: string(r.Side), units: listJSON(r.Units), failures: listJSON(r.Failures),
		commitTime: micros(r.Commit.Time), started: micros(r.Start), ended: micros(r.End), benchmarks: r.Benchmarks, rounds: r.Rounds,
	}
}

// sum returns the digest of all fields.
func (h *header) sum() int64 {
	d := make(digest, 0, 512+len(h.facts)+len(h.protocol))
	d.text(h.uid, h.target, h.sha, h.tree, h.branch, h.environment, h.settings, h.facts, h.protocol,
		h.tool, h.status, h.trial, h.side, h.units, h.failures)
	d.optional(h.commitTime, h.started, h.ended, sql.NullInt64{Int64: 1, Valid: h.dirty})
	d.number(int64(h.benchmarks), int64(h.rounds))
	return d.sum()
}

// scanHeader reads a row id and the headerColumns. If it returns an error, the row id and the run's
// id are still set if they could be read.
func scanHeader(rows *sql.Rows) (seq int64, h header, digest int64, err error) {
	var environment, settings, trial sql.NullString
	err = rows.Scan(&seq, &h.uid, &h.target, &h.sha, &h.tree, &h.branch, &h.dirty, &environment, &settings, &h.facts, &h.protocol,
		&h.tool, &h.status, &trial, &h.side, &h.units, &h.failures, &h.commitTime, &h.started, &h.ended, &h.benchmarks, &h.rounds, &digest)
	if err == nil && !environment.Valid {
		err = errors.New("its environment is missing")
	}
	h.environment, h.settings, h.trial = environment.String, settings.String, trial.String
	return seq, h, digest, err
}

// parse sets the fields of i. Settings that are in parsed are not parsed again.
func (h *header) parse(i *record.RunInfo, parsed map[string]record.Settings) (err error) {
	settings := func(text string) record.Settings {
		s, ok := parsed[text]
		if !ok {
			var perr error
			s, perr = record.ParseSettings(text)
			err = errors.Join(err, perr)
			parsed[text] = s
		}
		return slices.Clone(s) // the caller may change it
	}
	list := func(text string, into any) {
		if text != "[]" {
			err = errors.Join(err, json.Unmarshal([]byte(text), into))
		}
	}
	i.Target, i.Tool, i.Status, i.Trial, i.Side = h.target, h.tool, record.Status(h.status), h.trial, record.Side(h.side)
	i.Commit = record.Commit{SHA: h.sha, Tree: h.tree, Branch: h.branch, Dirty: h.dirty, Time: fromMicros(h.commitTime)}
	i.Start, i.End = fromMicros(h.started), fromMicros(h.ended)
	i.EnvironmentID, i.Benchmarks, i.Rounds = h.environment, h.benchmarks, h.rounds
	i.Env, i.Facts = settings(h.settings), settings(h.facts)
	list(h.units, &i.Units)
	list(h.failures, &i.Failures)
	return errors.Join(err, i.SetProtocol(h.protocol))
}

func fromMicros(t sql.NullInt64) time.Time {
	if !t.Valid {
		return time.Time{}
	}
	return time.UnixMicro(t.Int64).UTC()
}
