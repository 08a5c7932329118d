package reports

import "strings"

// Fit makes a line safe for a terminal and cuts it to width columns.
func Fit(line string, width int) string {
	line = Visible(line)
	if displayWidth(line) <= width {
		return line
	}
	line, _ = cutColumns(line, max(1, width-1))
	return line + "…"
}

// Columns returns the display width of a line on a terminal.
func Columns(line string) int { return displayWidth(line) }

// WrapMessage makes text safe as [Message] does, and breaks long lines. It does not break indented
// lines, which are commands. Text between backquotes stays together if it fits on a line.
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

// wrapped breaks a sentence into lines of at most width columns. The first line starts with mark,
// and the following lines are indented by its width.
func wrapped(text, mark string, width int) []string {
	indent := displayWidth(mark)
	lines := Wrap(text, width-indent)
	for i := range lines {
		lines[i] = mark + lines[i]
		mark = pad(indent)
	}
	return lines
}
