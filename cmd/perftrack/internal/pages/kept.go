package pages

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/perftrack/perftrack/cmd/perftrack/internal/fault"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/history"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/workspace"
	"github.com/perftrack/perftrack/compare/steps"
	"github.com/perftrack/perftrack/reports/site/documents"
)

const (
	keptAnswer = "overview" // name of the rows in the database
	keptForm   = "perftrack overview 1"
)

// A keptOverview holds the rows of the index as stored in the database, so a server on any machine
// can show its overview before reading any history.
type keptOverview struct {
	Form, Basis           string
	Commits, Environments []string // what the indices in the rows refer to
	Runs                  []string
	Rows                  []keptRow
}

// A keptRow is a row with the stamp of its histories.
type keptRow struct {
	Stamp      history.Stamp
	Row        documents.BenchmarkRow
	Unresolved int
	Limits     []documents.LimitRow
	Measured   []byte // a bit for each of Runs: whether it measured the benchmark
	Whole      []byte // a bit for each of Runs: see [steps.IsWhole]
}

// Keep stores the rows of the overview in the database, for servers in this and other clones. It
// computes only the rows of changed benchmarks.
func Keep(ctx context.Context, a *workspace.Session) (err error) {
	s, err := Open(ctx, a, Options{Live: true, rowsOnly: true})
	if err != nil {
		return err
	}
	var text []byte
	all, err := s.readAll(ctx)
	if err == nil {
		text, err = s.encodeKept(all)
	}
	whole := s.whole()
	if err = errors.Join(err, s.Close()); err != nil || !whole {
		return err
	}
	d, err := a.Database(ctx)
	if err != nil {
		return err
	}
	db, err := d.Open(ctx)
	if err != nil {
		return fault.IO(err)
	}
	return errors.Join(db.KeepAnswer(ctx, keptAnswer, text), db.Close())
}

func (s *Site) encodeKept(all []benchmark) ([]byte, error) {
	k := keptOverview{Form: keptForm, Basis: s.basis()}
	for i := range s.commits {
		k.Commits = append(k.Commits, s.commits[i].SHA)
	}
	for i := range s.environments {
		k.Environments = append(k.Environments, s.environments[i].ID)
	}
	for i := range s.runs {
		k.Runs = append(k.Runs, s.runs[i].ID)
	}
	for i, one := range all {
		if one.newer || slices.ContainsFunc(one.presence.Runs, func(m steps.Measured) bool { return s.at.Run(m.Run) < 0 }) {
			continue // something was stored or deleted while the histories were read
		}
		row := keptRow{
			Stamp: s.stamps.Of(s.benchmarks[i]), Row: one.row, Unresolved: one.unresolved, Limits: one.limits,
			Measured: make([]byte, (len(k.Runs)+7)/8), Whole: make([]byte, (len(k.Runs)+7)/8),
		}
		for _, m := range one.presence.Runs {
			at := s.at.Run(m.Run)
			set(row.Measured, at)
			if m.Whole {
				set(row.Whole, at)
			}
		}
		k.Rows = append(k.Rows, row)
	}
	return json.Marshal(k)
}

// readRows returns the benchmarks with a stored row and unchanged histories, by index. It sets the
// stamps of the site.
func (s *Site) readRows(ctx context.Context) (map[int]benchmark, error) {
	s.stamps = s.lines.Stamps(s.session.Version)
	text, err := s.db.Answer(ctx, keptAnswer)
	if err != nil {
		return nil, fault.IO(err)
	}
	var k keptOverview
	if json.Unmarshal(text, &k) != nil || k.Form != keptForm || k.Basis != s.basis() {
		return nil, nil
	}
	rows := make(map[history.Stamp]*keptRow, len(k.Rows))
	for i := range k.Rows {
		rows[k.Rows[i].Stamp] = &k.Rows[i]
	}
	runs := make([]steps.Measured, len(k.Runs))
	for n, id := range k.Runs {
		if at := s.at.Run(id); at >= 0 { // otherwise the run was deleted, and no valid row needs it
			r := &s.runs[at]
			runs[n] = steps.Measured{Run: id, Seq: r.Seq, Commit: s.at.Commit(r.Commit.SHA)}
		}
	}
	at := documents.Moved{
		Commit:      func(n int) int { return s.at.Commit(k.Commits[n]) },
		Environment: func(n int) int { return s.at.Environment(k.Environments[n]) },
	}
	known := map[int]benchmark{}
	for i, b := range s.benchmarks {
		row := rows[s.stamps.Of(b)]
		if row == nil {
			continue
		}
		one := benchmark{row: at.Row(row.Row), unresolved: row.Unresolved, limits: row.Limits, presence: steps.Presence{Benchmark: i, Target: b.Target, BenchmarkID: b.BenchmarkID}}
		for n := range one.limits {
			one.limits[n].Benchmark = i
		}
		for n, m := range runs {
			if has(row.Measured, n) {
				m.Whole = has(row.Whole, n)
				one.presence.Runs = append(one.presence.Runs, m)
			}
		}
		one.presence.Runs = s.sharedRuns(one.presence.Runs)
		known[i] = one
	}
	return known, nil
}

func has(bits []byte, n int) bool { return bits[n/8]>>(n%8)&1 != 0 }

func set(bits []byte, n int) { bits[n/8] |= 1 << (n % 8) }
