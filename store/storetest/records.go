package storetest

import (
	"bytes"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/perftrack/perftrack/runner/record"
	"github.com/perftrack/perftrack/runner/record/decode"
	"github.com/perftrack/perftrack/store"
)

// testText tests that the id of a stored run is the hash of its text, and the run can be restored
// from the text.
func testText(t *testing.T, db *store.DB) {
	rapid.Check(t, func(t *rapid.T) {
		id, _, err := db.Put(context.Background(), Runs().Draw(t, "run"))
		if err != nil {
			t.Fatal(err)
		}
		run, err := db.Get(context.Background(), id)
		if err != nil {
			t.Fatal(err)
		}
		text, err := run.Text()
		if err != nil || record.IDOf(text) != id {
			t.Fatalf("the text of run %s has the hash %s, %v", id, record.IDOf(text), err)
		}
		back, err := decode.ParseRun(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := fmt.Sprintf("%+v", *back), fmt.Sprintf("%+v", *run); got != want {
			t.Fatalf("stored\n%s\nread\n%s", want, got)
		}
	})
	text, err := Plain(sha("a"), 1, 2).Text()
	if err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string][]byte{
		"empty":           nil,
		"twice":           append(slices.Clone(text), text...),
		"cut off":         text[:len(text)-1],
		"a line more":     append(slices.Clone(text), "# nothing\n"...),
		"another number":  bytes.Replace(text, []byte(" 1000 ns/op"), []byte(" 1e3 ns/op"), 1),
		"an odd number":   bytes.Replace(text, []byte(" 1000 ns/op"), []byte(" 0x3e8 ns/op"), 1),
		"not a number":    bytes.Replace(text, []byte(" 1000 ns/op"), []byte(" NaN ns/op"), 1),
		"no target":       bytes.Replace(text, []byte("target: engine\n"), nil, 1),
		"a newer format":  bytes.Replace(text, []byte("perftrack-run: 1"), []byte("perftrack-run: 2"), 1),
		"carriage return": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
		"a long line":     append(slices.Clone(text), strings.Repeat("x", 1<<17)...),
	} {
		if bytes.Equal(bad, text) {
			t.Fatalf("%s: nothing changed in\n%s", name, text)
		}
		if r, err := decode.ParseRun(bad); err == nil {
			t.Errorf("%s: accepted as %s", name, r.ID())
		}
	}
}

func acceptance(benchmark, commit string) record.Acceptance {
	return record.Acceptance{
		Target: "engine", Benchmark: benchmark, Commit: sha(commit), Reason: "exact gradients cost one more pass",
		Time: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC),
	}
}

func accept(t *testing.T, db *store.DB, a record.Acceptance) string {
	t.Helper()
	id, added, err := db.Accept(context.Background(), a)
	if err != nil || !added || id != a.ID() {
		t.Fatalf("Accept: %s, added %v, %v", id, added, err)
	}
	return id
}

func testAcceptances(t *testing.T, db *store.DB) {
	ctx := context.Background()
	a, b, other := acceptance("GELU_1000", "a"), acceptance("GELU_1000", "b"), acceptance("Add", "a")
	other.Target, other.Package, other.Reason = "tokenizer", "example.org/x", "quotes \" < & \u2028 ü"
	other.Author = "A. Uthor <a@example.org>"
	first := accept(t, db, a)
	accept(t, db, b)
	accept(t, db, other)
	if id, added, err := db.Accept(ctx, a); err != nil || added || id != first {
		t.Errorf("the second time: %s, added %v, %v", id, added, err)
	}
	unrevoked := func(target string, want ...record.Acceptance) {
		t.Helper()
		got, err := db.Acceptances(ctx, target)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("acceptances of %q: %+v, %v; want %+v", target, got, err, want)
		}
	}
	unrevoked("", a, b, other)
	unrevoked("engine", a, b)
	unrevoked("none")
	revocation := a
	revocation.Revokes, revocation.Reason = first, "it was the compiler"
	accept(t, db, revocation)
	unrevoked("engine", b)
	if all, err := db.AcceptanceRecords(ctx, ""); err != nil || !slices.Equal(all, []record.Acceptance{a, b, other, revocation}) {
		t.Errorf("all records: %+v, %v", all, err)
	}
	for _, r := range []record.Acceptance{a, other, revocation} {
		if back, err := record.ParseAcceptance(r.Text()); err != nil || back != r {
			t.Errorf("read back as %+v, %v", back, err)
		}
	}
	verify(t, db, 0)
	refuseAcceptances(t, db)
}

func refuseAcceptances(t *testing.T, db *store.DB) {
	for name, change := range map[string]func(*record.Acceptance){
		"no reason":    func(a *record.Acceptance) { a.Reason = "" },
		"two lines":    func(a *record.Acceptance) { a.Reason = "a\nb" },
		"long reason":  func(a *record.Acceptance) { a.Reason = strings.Repeat("x", record.MaxReasonLen+1) },
		"no benchmark": func(a *record.Acceptance) { a.Benchmark = "" },
		"no target":    func(a *record.Acceptance) { a.Target = "" },
		"short commit": func(a *record.Acceptance) { a.Commit = "abcd" },
		"no commit":    func(a *record.Acceptance) { a.Commit = "" },
		"no time":      func(a *record.Acceptance) { a.Time = time.Time{} },
		"two authors":  func(a *record.Acceptance) { a.Author = "a\nb" },
		"odd revokes":  func(a *record.Acceptance) { a.Revokes = "x" },
	} {
		a := acceptance("GELU_1000", "c")
		change(&a)
		if _, added, err := db.Accept(context.Background(), a); err == nil || added {
			t.Errorf("%s: added %v, %v", name, added, err)
		}
	}
	good := string(acceptance("GELU_1000", "c").Text())
	for _, bad := range []string{
		"", "null\n", "[]\n", "{}\n", good + good, good + "\n", " " + good, strings.TrimSpace(good),
		strings.Replace(good, `"reason"`, `"Reason"`, 1), strings.Replace(good, `{`, `{"more":1,`, 1),
		strings.Replace(good, `-acceptance":1`, `-acceptance":2`, 1), strings.Replace(good, `05Z`, `05+00:00`, 1),
		strings.Replace(good, `"target":"engine"`, `"target":"engine","target":"engine"`, 1),
		strings.Replace(good, `engine`, `\u0065ngine`, 1), strings.Replace(good, `05Z`, `05.5Z`, 1),
		strings.Repeat("[", 100_000),
	} {
		if bad == good {
			t.Fatalf("nothing changed in %s", good)
		}
		if a, err := record.ParseAcceptance([]byte(bad)); err == nil {
			t.Errorf("%.200q accepted as %+v", bad, a)
		}
	}
}

func testDeletions(t *testing.T, db *store.DB) {
	ctx := context.Background()
	var runs []*record.Run
	for n := range 4 {
		runs = append(runs, Plain(sha("a"), n, 2))
	}
	ids := put(t, db, runs...)
	never := strings.Repeat("e", 64) // deleted elsewhere before this database had it
	d := record.Deletion{Runs: []string{ids[2], never, ids[0]}, Reason: "older than 90 days", Time: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)}
	if gone, err := db.Delete(ctx, d); err != nil || gone != 2 {
		t.Fatalf("Delete: %d gone, %v", gone, err)
	}
	if gone, err := db.Delete(ctx, d); err != nil || gone != 0 {
		t.Errorf("the second time: %d gone, %v", gone, err)
	}
	for i, r := range runs {
		id, added, err := db.Put(ctx, r)
		if err != nil || added || id != ids[i] {
			t.Errorf("run %d put again: %s, added %v, %v", i, id, added, err)
		}
		of, ok, err := db.DeletionOf(ctx, id)
		want := record.Deletion{Runs: []string{id}, Reason: d.Reason, Time: d.Time}
		if !slices.Contains(d.Runs, id) {
			want = record.Deletion{}
		}
		if err != nil || ok != (want.Runs != nil) || !reflect.DeepEqual(of, want) {
			t.Errorf("run %d: deletion %+v, %v, %v, want %+v", i, of, ok, err, want)
		}
	}
	infos, err := db.Runs(ctx, store.Filter{})
	if err != nil || len(infos) != 2 || infos[0].ID != ids[1] || infos[1].ID != ids[3] {
		t.Errorf("left: %+v, %v", infos, err)
	}
	second := record.Deletion{Runs: []string{ids[0], ids[1]}, Reason: "again", Time: d.Time}
	if gone, err := db.Delete(ctx, second); err != nil || gone != 1 {
		t.Errorf("Delete: %d gone, %v", gone, err)
	}
	all, err := db.Deletions(ctx)
	if err != nil || len(all) != 2 || all[0].ID() != d.ID() || all[1].ID() != second.ID() {
		t.Errorf("deletions %+v, %v", all, err)
	}
	if back, err := record.ParseDeletion(d.Text()); err != nil || back.ID() != d.ID() {
		t.Errorf("read back as %+v, %v", back, err)
	}
	verify(t, db, 1)
	refuseDeletions(t, db, d)
}

func refuseDeletions(t *testing.T, db *store.DB, d record.Deletion) {
	for name, change := range map[string]func(*record.Deletion){
		"no run":    func(d *record.Deletion) { d.Runs = nil },
		"no id":     func(d *record.Deletion) { d.Runs = []string{"abcd"} },
		"no reason": func(d *record.Deletion) { d.Reason = "" },
		"no time":   func(d *record.Deletion) { d.Time = time.Time{} },
		"too many":  func(d *record.Deletion) { d.Runs = slices.Repeat(d.Runs, record.MaxDeletedRuns) },
	} {
		changed := d
		change(&changed)
		if gone, err := db.Delete(context.Background(), changed); err == nil || gone > 0 {
			t.Errorf("%s: %d gone, %v", name, gone, err)
		}
	}
	good := string(d.Text())
	first, _, _ := strings.Cut(good[strings.Index(good, `["`)+1:], ",")
	for _, bad := range []string{
		"", "{}\n", good + " ", strings.Replace(good, "[", "[1,", 1), strings.Replace(good, "["+first, "["+first+","+first, 1),
		strings.Replace(good, `"runs":[`, `"runs":["../../x",`, 1), strings.Replace(good, `-deletion":1`, `-deletion":2`, 1),
	} {
		if bad == good {
			t.Fatalf("nothing changed in %s", good)
		}
		if d, err := record.ParseDeletion([]byte(bad)); err == nil {
			t.Errorf("%.200q accepted as %+v", bad, d)
		}
	}
}

// ReadNewest reads the two newest runs, as a comparison does.
func ReadNewest(ctx context.Context, db *store.DB) error {
	infos, err := db.Runs(ctx, store.Filter{Newest: true, Limit: 2})
	for _, info := range infos {
		if err == nil {
			_, err = db.Get(ctx, info.ID)
		}
	}
	return err
}
