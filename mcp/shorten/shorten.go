// Package shorten cuts perftrack's answers to what an agent can afford to read, and counts what
// it cuts: nothing is left out silently.
package shorten

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostBytes is how long a document may be, whatever the limit.
const mostBytes = 100_000

// Document cuts each list of objects in a document of perftrack to limit entries, the rows of a
// comparison to limit in all of its tables, and goes on with less where it is still too long. It
// returns how many entries of which list are gone: those that say least. The document is nil
// where even one entry of each is too long.
func Document(document map[string]any, limit int) (short map[string]any, left map[string]int) {
	left = map[string]int{}
	for ; ; limit /= 2 {
		if document["kind"] == "comparison" {
			rows(document, limit, left)
		}
		walk("", document, limit, document["kind"] == "history", left)
		text, err := json.Marshal(document)
		switch {
		case err == nil && len(text) <= mostBytes:
			return document, left
		case err != nil || limit <= 1:
			left["document"]++
			return nil, left
		}
	}
}

// walk cuts all lists of objects below an object. In a history the newest entry is the last one.
func walk(path string, object map[string]any, limit int, fromStart bool, left map[string]int) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		switch v := object[key].(type) {
		case map[string]any:
			walk(at, v, limit, fromStart, left)
		case []any:
			if len(v) > limit && isObjects(v) && at != "tables" && at != "tables.rows" { // see rows
				left[at] += len(v) - limit
				if fromStart {
					v = v[len(v)-limit:]
				} else {
					v = v[:limit]
				}
				object[key] = v
			}
			for _, e := range v {
				if o, ok := e.(map[string]any); ok {
					walk(at, o, limit, fromStart, left)
				}
			}
		}
	}
}

func isObjects(list []any) bool {
	_, ok := list[0].(map[string]any)
	return ok
}

// rank orders rows by what they tell, most first; what is not known here is kept.
func rank(row map[string]any) int {
	if _, limited := row["limits"]; limited {
		return -1
	}
	verdict, _ := row["verdict"].(string)
	return slices.Index([]string{"regressed", "suspect", "not checked", "not comparable", "inconclusive", "improved", "changed", "", "unchanged"}, verdict)
}

// rows keeps limit rows of all tables of a comparison, in their order, and drops the tables that
// have none left.
func rows(document map[string]any, limit int, left map[string]int) {
	tables, _ := document["tables"].([]any)
	var ranks []int
	each := func(visit func(table map[string]any, rows []any)) {
		for _, t := range tables {
			if table, ok := t.(map[string]any); ok {
				list, _ := table["rows"].([]any)
				visit(table, list)
			}
		}
	}
	each(func(_ map[string]any, list []any) {
		for _, r := range list {
			row, _ := r.(map[string]any)
			ranks = append(ranks, rank(row))
		}
	})
	if len(ranks) <= limit {
		return
	}
	slices.Sort(ranks)
	last := ranks[limit-1] // of those that are kept, as many as there is room for
	room := limit - slices.Index(ranks, last)
	each(func(table map[string]any, list []any) {
		table["rows"] = slices.DeleteFunc(list, func(r any) bool {
			row, _ := r.(map[string]any)
			own := rank(row)
			keep := own < last || own == last && room > 0
			if own == last && keep {
				room--
			}
			if !keep {
				verdict, _ := row["verdict"].(string)
				left[strings.TrimSpace("tables.rows "+verdict)]++
			}
			return !keep
		})
	})
	document["tables"] = slices.DeleteFunc(tables, func(t any) bool {
		table, _ := t.(map[string]any)
		list, _ := table["rows"].([]any)
		return len(list) == 0
	})
}

// Text cuts a text to so many lines, each to a bearable length, and says at its end how many
// are missing.
func Text(text string, lines int) string {
	const longest = 400
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	short := all[:min(len(all), lines)]
	for i, line := range short {
		if r := []rune(strings.TrimRight(line, " ")); len(r) > longest {
			short[i] = fmt.Sprintf("%s… (%d more characters)", string(r[:longest]), len(r)-longest)
		} else {
			short[i] = string(r)
		}
	}
	if more := len(all) - len(short); more > 0 {
		short = append(slices.Clip(short), fmt.Sprintf("(%d more lines left out: raise limit)", more))
	}
	return strings.Join(short, "\n")
}

// Words say what was left out of a document.
func Words(left map[string]int) string {
	if len(left) == 0 {
		return ""
	}
	var parts []string
	for _, key := range slices.Sorted(maps.Keys(left)) {
		parts = append(parts, fmt.Sprintf("%d of %s", left[key], key))
	}
	return "left out of the document: " + strings.Join(parts, ", ") + "; raise limit to see them"
}
