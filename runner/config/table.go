package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/perftrack/perftrack/runner/spelling"
)

// table is one table of the file while it is read. Asking for a key makes it a known
// one; done reports the keys that nobody asked for.
type table struct {
	p      *parser
	path   string // of the table in the file, such as "target[2]."; "" for the file
	values map[string]any
	known  []string
}

// mistake records an error at the line of key or, when the table has no such key, at
// the line where the table begins.
func (t *table) mistake(key, format string, args ...any) {
	line := t.p.lines[t.path+key]
	if line == 0 {
		line = t.p.lines[strings.TrimSuffix(t.path, ".")]
	}
	if line == 0 { // an element of an inline list
		line = t.p.lines[t.kind()]
	}
	t.p.mistakes = append(t.p.mistakes, &mistake{t.p.fileName, max(line, 1), fmt.Sprintf(format, args...)})
}

func (t *table) get(key string) (any, bool) {
	t.known = append(t.known, key)
	v, ok := t.values[key]
	return v, ok
}

// kind is the name of the table without the index of a list's element.
func (t *table) kind() string { return strings.TrimRight(t.path, "[]0123456789.") }

// required reports which of the keys are missing.
func (t *table) required(keys ...string) {
	for _, key := range keys {
		if _, set := t.values[key]; !set {
			t.mistake(key, "%s: missing key %s", t.kind(), key)
		}
	}
}

// oneOf reports that the table has none of the keys.
func (t *table) oneOf(keys ...string) {
	for _, key := range keys {
		if _, set := t.values[key]; set {
			return
		}
	}
	t.mistake(keys[0], "%s: missing key %s", t.kind(), strings.Join(keys, " or "))
}

// done reports the unknown keys.
func (t *table) done() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if slices.Contains(t.known, key) {
			continue
		}
		if near := spelling.Nearest(key, t.known); near != "" {
			t.mistake(key, "unknown key %q: did you mean %q?", key, near)
		} else {
			t.mistake(key, "unknown key %q: there are %s", key, strings.Join(t.known, ", "))
		}
	}
}

// table returns the table at key, or nil.
func (t *table) table(key string) *table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	values, ok := v.(map[string]any)
	if !ok {
		t.mistake(key, "%s is a table: write [%s]", key, key)
		return nil
	}
	return &table{p: t.p, path: t.path + key + ".", values: values}
}

// tables returns the elements of the array of tables at key.
func (t *table) tables(key string) []*table {
	v, ok := t.get(key)
	if !ok {
		return nil
	}
	var all []*table
	list, ok := v.([]any)
	for _, element := range list {
		if values, ok := element.(map[string]any); ok {
			all = append(all, &table{p: t.p, path: fmt.Sprintf("%s[%d].", key, len(all)), values: values})
		}
	}
	if ok && len(all) == len(list) {
		return all
	}
	t.mistake(key, "%s is a list of tables: write [[%s]]", key, key)
	return nil
}

func (t *table) text(key string, to *string) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	s, ok := v.(string)
	if !ok {
		t.mistake(key, `%s is a text: write %s = "..."`, key, key)
		return
	}
	if err := checkText(s); err != nil {
		t.mistake(key, "%s %v", key, err)
		return
	}
	*to = s
}

func (t *table) texts(key string, to *[]string) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	list, ok := v.([]any)
	for _, element := range list {
		s, isText := element.(string)
		if ok = ok && isText; !ok {
			break
		}
		if err := checkText(s); err != nil {
			t.mistake(key, "an element of %s %v", key, err)
			return
		}
		*to = append(*to, s)
	}
	if !ok || len(list) == 0 {
		t.mistake(key, `%s is a list of texts: write %s = ["..."]`, key, key)
	}
}

func (t *table) boolean(key string, to *bool) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	if *to, ok = v.(bool); !ok {
		t.mistake(key, "%s is true or false, without quotes", key)
	}
}

func (t *table) integer(key string, to *int, limit int) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	n, ok := v.(int64)
	if !ok || n < 1 || n > int64(limit) {
		t.mistake(key, "%s is a whole number from 1 to %d", key, limit)
		return
	}
	*to = int(n)
}

func (t *table) duration(key string, to *time.Duration) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	s, _ := v.(string)
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		t.mistake(key, `%s is a duration above zero: write for example %s = "10m"`, key, key)
		return
	}
	*to = d
}

// fraction reads "5%" or 0.05 and requires it to lie between 0 and limit, both
// excluded. A whole number is refused: 5 would be 500 %, and is never meant so.
func (t *table) fraction(key string, to *float64, limit float64) {
	v, ok := t.get(key)
	if !ok {
		return
	}
	f := math.NaN()
	switch v := v.(type) {
	case float64:
		f = v
	case string:
		if number, ok := strings.CutSuffix(v, "%"); ok {
			if number = strings.TrimSpace(number); strings.HasPrefix(number, "-") {
				f = -percent(number[1:])
			} else {
				f = percent(number)
			}
		}
	}
	switch {
	case math.IsNaN(f):
		t.mistake(key, `%s: write it as "5%%" or as 0.05`, key)
	case f <= 0 || f >= limit:
		t.mistake(key, "%s must be above 0%% and below %g%%", key, limit*100)
	default:
		*to = f
	}
}

// cpus reads a list of CPUs such as "2-3,6".
func (t *table) cpus(key string, to *CPUs) {
	var list string
	if t.text(key, &list); list == "" {
		return
	}
	cpus, err := ParseCPUs(list)
	if err != nil {
		t.mistake(key, "%s: %v", key, err)
		return
	}
	*to = cpus
}

// procs reads a list of GOMAXPROCS such as "1,2,4".
func (t *table) procs(key string, to *Procs) {
	var list string
	if t.text(key, &list); list == "" {
		return
	}
	procs, err := ParseProcs(list)
	if err != nil {
		t.mistake(key, "%s: %v", key, err)
		return
	}
	*to = procs
}

// percent reads a decimal number and returns its hundredth, or NaN. The exponent is
// shifted in the text, because 3/100 is not the same number as 0.03 always.
func percent(number string) float64 {
	if strings.Trim(number, "0123456789.") != "" {
		return math.NaN()
	}
	f, err := strconv.ParseFloat(number+"e-2", 64)
	if err != nil {
		return math.NaN()
	}
	return f
}
