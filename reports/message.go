package reports

import "strings"

// Fit makes a line harmless in a terminal and cuts it to so many columns.
func Fit(line string, width int) string {
	line = visible(line)
	if displayWidth(line) <= width {
		return line
	}
	line, _ = cutColumns(line, max(1, width-1))
	return line + "…"
}

// Columns is how many columns of a terminal a line takes.
func Columns(line string) int { return displayWidth(line) }

// WrapMessage makes lines harmless as [Message] does, and breaks those that a terminal has no room
// for: not within backquotes, and not the lines that are indented, as commands are there.
func WrapMessage(text string, width int) string {
	var lines []string
	for line := range strings.SplitSeq(Message(text), "\n") {
		if strings.HasPrefix(line, " ") || width <= 0 {
			lines = append(lines, line)
			continue
		}
		lines = append(lines, wrapped(line, "", width)...)
	}
	return strings.Join(lines, "\n")
}

// wrapped breaks a sentence into lines of a width at most, the first behind a mark and the others
// indented as far. What stands between backquotes is to be copied and stays together where there
// is room for it; longer words stay whole.
func wrapped(text, mark string, width int) (lines []string) {
	line, indent := mark, pad(displayWidth(mark))
	words := quotedWords(text, width-len(indent))
	for i, word := range words {
		switch {
		case i == 0:
		case displayWidth(line)+1+displayWidth(word) > width:
			lines = append(lines, line)
			line = indent
		default:
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// quotedWords are the words of a text; those between backquotes are one, where they fit a line.
func quotedWords(text string, width int) (words []string) {
	all := strings.Fields(text)
	for i := 0; i < len(all); i++ {
		word, end := all[i], i
		for strings.Count(word, "`")%2 == 1 && end+1 < len(all) {
			end++
			word += " " + all[end]
		}
		if strings.Count(word, "`")%2 == 1 || displayWidth(word) > width {
			word, end = all[i], i
		}
		words, i = append(words, word), end
	}
	return words
}
