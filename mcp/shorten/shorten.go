// Package shorten reduces perftrack's answers to a size suitable for agents, and counts all omitted
// entries.
package shorten

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// mostBytes is the maximum size of a document, whatever the limit on its entries.
const mostBytes = 100_000

// Document shortens each list of objects in a document to limit entries, and the rows of a
// comparison to limit over all tables. It lowers the limit until the document fits. It leaves out
// the least important entries and returns their number for each list. If the document is too long
// even with one entry per list, short is nil.
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

// walk shortens all lists below an object. If fromStart is true, as for a history with its newest
// entry last, it removes entries from the start.
func walk(path string, object map[string]any, limit int, fromStart bool, left map[string]int) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		switch v := object[key].(type) {
		case map[string]any:
			walk(at, v, limit, fromStart, left)
		case []any:
			if len(v) > limit && isObjects(v) && at != "tables" && at != "tables.rows" { // rows handles these
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

// rank returns the importance of a row, where smaller numbers are more important. Rows with limits
// and rows with an unknown verdict are the most important.
func rank(row map[string]any) int {
	if _, limited := row["limits"]; limited {
		return -1
	}
	verdict, _ := row["verdict"].(string)
	return slices.Index([]string{"regressed", "suspect", "not checked", "not comparable", "inconclusive", "improved", "changed", "", "unchanged"}, verdict)
}

// rows keeps the limit most important rows over all tables of a comparison, in their original
// order, and removes tables left empty.
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
	last := ranks[limit-1] // of the rows with this rank, keep as many as fit
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

// Text shortens a text to a number of lines, and each line to a readable length. If it leaves out
// lines, the last line gives their number.
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

// Words describes the omitted entries of a document, or returns "".
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
