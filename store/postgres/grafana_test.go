package postgres

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/store/storetest"
)

// A dashboard is the part of a Grafana dashboard that has queries.
type dashboard struct {
	Templating struct {
		List []struct{ Name, Type, Query string }
	}
	Panels []panel
}

type panel struct {
	ID          int
	Title, Type string
	Panels      []panel // of a row that is closed
	Targets     []struct{ Format, RawSQL string }
	Options     struct{ XField string }
	FieldConfig struct {
		Overrides []struct {
			Matcher struct{ ID, Options string }
		}
	}
}

// readDashboard returns the dashboard in the documentation, with the panels of closed rows among
// the others.
func readDashboard(t *testing.T) (d dashboard) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "grafana.json"))
	if err == nil {
		err = json.Unmarshal(text, &d)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range d.Panels {
		d.Panels = append(d.Panels, p.Panels...)
	}
	d.Panels = slices.DeleteFunc(d.Panels, func(p panel) bool { return p.Type == "row" })
	return d
}

var (
	timeFilter = regexp.MustCompile(`\$__timeFilter\((to_timestamp\([^()]*\))\)`)
	variable   = regexp.MustCompile(`\$\{([a-z]+):sqlstring\}`)
)

// expand replaces the macros and the variables of a query as Grafana does.
func expand(t *testing.T, query string, values map[string]string) string {
	t.Helper()
	query = timeFilter.ReplaceAllString(query, "$1 BETWEEN '2026-01-01T00:00:00Z' AND '9999-12-31T23:59:59Z'")
	if strings.Contains(variable.ReplaceAllString(query, ""), "$") {
		t.Errorf("the query has something else of Grafana: %s", query)
	}
	return variable.ReplaceAllStringFunc(query, func(v string) string {
		value, ok := values[variable.FindStringSubmatch(v)[1]]
		if !ok {
			t.Errorf("no value of %s", v)
		}
		return "'" + strings.ReplaceAll(value, "'", "''") + "'"
	})
}

// rowsOf returns the result of a query: the types of its columns by name, in order, and its rows.
func rowsOf(t *testing.T, db *sql.DB, query string) (names []string, types map[string]string, lines []string) {
	t.Helper()
	rows, err := db.Query(query)
	if err != nil {
		t.Fatalf("%v\n%s", err, query)
	}
	defer rows.Close()
	columns, err := rows.ColumnTypes()
	if err != nil {
		t.Fatal(err)
	}
	types = map[string]string{}
	for _, c := range columns {
		names = append(names, c.Name())
		types[c.Name()] = c.DatabaseTypeName()
	}
	if len(types) != len(names) {
		t.Errorf("two columns have the same name: %v", names)
	}
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, v := range values {
			switch v := v.(type) {
			case time.Time:
				values[i] = v.UTC().Format("2006-01-02T15:04Z")
			case nil:
				values[i] = "-"
			case float64:
				if names[i] == "seconds" || names[i] == "seen" || names[i] == "waited" { // until now
					values[i] = fmt.Sprintf("%.0fm", v/60)
				}
			}
		}
		lines = append(lines, strings.TrimSuffix(fmt.Sprintln(values...), "\n"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names, types, lines
}

// fillDashboard stores five runs of a benchmark, one of them in another environment, one of a dirty
// work tree and one in another repository, and the fleet of package storetest.
func fillDashboard(t *testing.T, a Address, now time.Time) *sql.DB {
	t.Helper()
	const hostile = "o'rg/$repo"
	for i, name := range []string{hostile, hostile, hostile, hostile, "other"} {
		r := storetest.Plain(strings.Repeat(string("abcde"[i]), 40), 1+i, 3)
		r.Commit.Time = time.Date(2026, 9, 1+i, 12, 0, 0, 0, time.UTC)
		r.Start = r.Commit.Time.Add(time.Hour)
		b := &r.Benchmarks[0]
		b.Package = "m"
		b.Samples = append(b.Samples, record.Samples{Unit: "B/op", Values: []float64{64, 64, 64}}, record.Samples{Unit: "allocs/op", Values: []float64{2, 2, 2}})
		switch i {
		case 1:
			r.Env[1].Value = "4"
		case 2:
			r.Commit.Dirty = true
		case 3:
			r.Trial, r.Side = "t1", record.Head
		}
		if _, _, err := openAt(t, a, name).Put(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	db := raw(t, a)
	storetest.Exec(t, db, storetest.FleetTables+storetest.Fleet(now))
	return db
}

// Every query of the dashboard for Grafana works and returns what its panel needs.
func TestDashboard(t *testing.T) {
	d := readDashboard(t)
	now := time.Now()
	db := fillDashboard(t, newAddress(t), now)
	values := map[string]string{}
	for _, v := range d.Templating.List {
		if v.Type != "query" {
			continue
		}
		names, types, lines := rowsOf(t, db, expand(t, v.Query, values))
		if last := names[len(names)-1]; len(lines) == 0 || types[last] != "TEXT" || len(names) == 2 && (names[0] != "__text" || names[1] != "__value") {
			t.Fatalf("the variable %s has %v of %v", v.Name, lines, types)
		}
		choice := lines[0]
		if len(names) == 2 { // the value is the last word
			choice = lines[0][strings.LastIndex(lines[0], " ")+1:]
		}
		for _, line := range lines {
			if strings.HasPrefix(line, "o'rg/") {
				choice = line
			}
		}
		values[v.Name] = choice
	}
	if values["repository"] != "o'rg/$repo" {
		t.Fatalf("variables %v", values)
	}
	one, other := storetest.Plain("", 0, 1).Env, storetest.Plain("", 0, 1).Env
	other.Set("gomaxprocs", "4")
	ended := map[string]int{} // jobs by hour and state
	for state, minutes := range map[string][]time.Duration{"completed": {115, 90}, "cancelled": {90}, "failed": {95}} {
		for _, m := range minutes {
			ended[now.Add(-m*time.Minute).UTC().Truncate(time.Hour).Format("2006-01-02T15:04Z")+" "+state]++
		}
	}
	var hours []string
	for hour, n := range ended {
		hours = append(hours, fmt.Sprint(hour, " ", n))
	}
	slices.Sort(hours)
	want := map[string][]string{
		"History: time by commit": {
			"2026-09-01T12:00Z environment " + one.EnvironmentID() + " 1001", "2026-09-02T12:00Z environment " + other.EnvironmentID() + " 2001", "2026-09-04T12:00Z environment " + one.EnvironmentID() + " 4001",
		},
		"Rounds in each run":      {"2026-09-01T12:00Z 1000 1001 1002", "2026-09-04T12:00Z 4000 4001 4002"},
		"Allocations":             {"2026-09-01T12:00Z 64 2", "2026-09-04T12:00Z 64 2"},
		"Jobs by class and state": {"linux 3 3 2 1 1", "mac 2 0 0 0 0"},
		"Jobs ended in each hour": hours,
		"Oldest waiting job":      {"linux pairs/3 300m", "mac pairs/3 24m"},
		"Workers": {
			"l1 linux pairs/3 0.9.0 AMD EPYC 9354 8 0m 8", "l2 linux pairs/3 0.9.0 AMD EPYC 9354 8 0m 9",
			"l3 linux pairs/3 0.9.0 Xeon 8480 <img/src=x/onerror=perftrackCanary=1> 8 5m 7", "l4 linux pairs/3 0.9.0 AMD EPYC 9354 8 6m -", "m1 mac pairs/3 0.9.0 Apple M4 8 40m -",
		},
	}
	first := map[string]string{ // beginnings of the first rows of longer tables
		"Newest runs": "2026-09-04T13:00Z engine dddddddddddd main complete head of t1 1",
		"Classes":     "linux pairs/3 4 2 2 ",
		"Newest jobs": "12 waiting linux example.org/m",
	}
	for _, p := range d.Panels {
		for _, target := range p.Targets {
			names, types, lines := rowsOf(t, db, expand(t, target.RawSQL, values))
			needs(t, p, target.Format, names, types)
			if list, ok := want[p.Title]; ok {
				if !slices.Equal(lines, list) {
					t.Errorf("%s:\n%s\nwant\n%s", p.Title, strings.Join(lines, "\n"), strings.Join(list, "\n"))
				}
				delete(want, p.Title)
				continue
			}
			row, ok := first[p.Title]
			if !ok || len(lines) == 0 || !strings.HasPrefix(lines[0], row) {
				t.Errorf("%s: %q, want %q first", p.Title, lines, row)
			}
			delete(first, p.Title)
		}
	}
	if len(want)+len(first) > 0 {
		t.Errorf("no panels %v, %v", want, first)
	}
}

var number = []string{"INT4", "INT8", "FLOAT8", "NUMERIC"}

// needs checks that a panel can draw the columns, as its type and format demand.
func needs(t *testing.T, p panel, format string, names []string, types map[string]string) {
	t.Helper()
	rest := names
	switch {
	case p.Type == "timeseries" && format == "time_series":
		if names[0] != "time" || types["time"] != "TIMESTAMPTZ" {
			t.Errorf("%s: the first column is %s %s, want the time", p.Title, names[0], types[names[0]])
		}
		rest = names[1:]
		if rest[0] == "metric" && types["metric"] == "TEXT" {
			rest = rest[1:]
		}
	case p.Type == "barchart" && format == "table":
		if p.Options.XField != names[0] || types[names[0]] != "TEXT" {
			t.Errorf("%s: the bars stand at %q of %v", p.Title, p.Options.XField, names)
		}
		rest = names[1:]
	case p.Type == "bargauge" && format == "table":
		rest = names[1:]
	case p.Type == "table" && format == "table":
		rest = nil
	default:
		t.Errorf("%s: a %s of format %s", p.Title, p.Type, format)
	}
	if p.Type != "table" && len(rest) == 0 {
		t.Errorf("%s: no values in %v", p.Title, names)
	}
	for _, name := range rest {
		if !slices.Contains(number, types[name]) {
			t.Errorf("%s: %s is %s, want a number", p.Title, name, types[name])
		}
	}
	for _, o := range p.FieldConfig.Overrides {
		if o.Matcher.ID != "byName" || types[o.Matcher.Options] == "" {
			t.Errorf("%s: an override for %q of %v", p.Title, o.Matcher.Options, names)
		}
	}
}
