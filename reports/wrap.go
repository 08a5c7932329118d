package reports

import (
	"strings"
	"unicode/utf8"
)

// Wrap breaks text into lines of at most width terminal columns. Text between backquotes, such as a
// command, stays on one line if it fits. A word longer than a line stays whole.
func Wrap(text string, width int) []string { return fill(quotedWords(text, width), width) }

// broken is like Wrap, but cuts words longer than a line.
func broken(text string, width int) []string {
	var words []string
	for _, rest := range quotedWords(text, width) {
		for displayWidth(rest) > width {
			head, tail := cutColumns(rest, width)
			if tail == "" {
				break // a single character is wider than the line
			}
			words, rest = append(words, head), tail
		}
		words = append(words, rest)
	}
	return fill(words, width)
}

// fill joins words into lines. It returns at least one line.
func fill(words []string, width int) []string {
	lines := []string{""}
	for _, word := range words {
		switch last := &lines[len(lines)-1]; {
		case *last == "":
			*last = word
		case displayWidth(*last)+1+displayWidth(word) <= width:
			*last += " " + word
		default:
			lines = append(lines, word)
		}
	}
	return lines
}

// quotedWords returns the words of a text. Text between backquotes counts as one word if it fits on
// a line.
func quotedWords(text string, width int) (words []string) {
	all := strings.Fields(text)
	for len(all) > 0 {
		span := 1
		for quotes := strings.Count(all[0], "`"); quotes%2 == 1 && span < len(all); span++ {
			quotes += strings.Count(all[span], "`")
		}
		joined := strings.Join(all[:span], " ")
		switch {
		case strings.Count(joined, "`")%2 == 1: // the second backquote is missing
			span = 1
			words = append(words, all[0])
		case displayWidth(joined) > width:
			words = append(words, all[:span]...)
		default:
			words = append(words, joined)
		}
		all = all[span:]
	}
	return words
}

// cutColumns cuts s after at most the given number of columns, but never before the end of its
// first character.
func cutColumns(s string, columns int) (head, rest string) {
	end := 0
	for end < len(s) {
		_, n := utf8.DecodeRuneInString(s[end:])
		if end > 0 && displayWidth(s[:end+n]) > columns {
			break
		}
		end += n
	}
	return s[:end], s[end:]
}
