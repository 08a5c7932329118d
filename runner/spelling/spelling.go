// Package spelling corrects mistyped words.
package spelling

import "strings"

// Nearest returns the word with the fewest edits from typed, or "" if it takes more than two edits
// or would replace the whole word. An edit inserts, deletes or replaces a letter, or swaps two
// neighbors (Damerau, A technique for computer detection and correction of spelling errors, 1964).
// If typed is the beginning of a word and has at least three letters, the number of edits is 0.
// Case does not matter. Nearest compares bytes.
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

// edits returns the number of edits between two words, with no letter edited twice. It returns far
// if their lengths differ by that much.
func edits(a, b string) int {
	const far = 3
	if len(a)-len(b) >= far || len(b)-len(a) >= far {
		return far
	}
	var before []int // the row before above
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
