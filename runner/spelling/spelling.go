// Package spelling finds the word that somebody meant who mistyped one.
package spelling

import "strings"

// Nearest returns the word that is fewest edits away from what was typed, at most two and fewer
// than the word has letters, or "". An edit puts in, leaves out or replaces a letter, or swaps
// two neighbours (Damerau, A technique for computer detection and correction of spelling errors,
// 1964). To have typed only the beginning of a word, three letters or more, is none. Capitals do
// not count. It compares bytes.
func Nearest(typed string, words []string) string {
	typed = strings.ToLower(typed)
	best, distance := "", 3
	for _, word := range words {
		lower := strings.ToLower(word)
		d := edits(typed, lower)
		if len(typed) >= 3 && strings.HasPrefix(lower, typed) {
			d = 0
		}
		if d < distance && d < len(word) {
			best, distance = word, d
		}
	}
	return best
}

// edits is the number of edits between two words, no letter edited twice. Words of which one is
// far longer than the other are only called far apart.
func edits(a, b string) int {
	const far = 3
	if len(a)-len(b) >= far || len(b)-len(a) >= far {
		return far
	}
	var before []int // the row before the row above
	above := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			replace := above[j]
			if a[i] != b[j] {
				replace++
			}
			row[j+1] = min(replace, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above = above, row
	}
	return above[len(b)]
}
