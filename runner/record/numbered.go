package record

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
)

// A long value is spread over several configuration lines with the keys key, key-2 and so on, which
// are separate values for other readers of the benchmark format.

// partLen returns the length of the first part of text, at most limit bytes. No part begins or ends
// with a space, because a reader would trim it.
func partLen(text string, limit int) int {
	n := min(len(text), limit)
	for n < len(text) && (text[n] == ' ' || text[n-1] == ' ') {
		n--
	}
	return n
}

// setNumberedList stores a list in a numbered fact of a run, in at most limit parts. Elements at
// the end are dropped if they do not fit.
func setNumberedList[T any](r *Run, key string, list []T, limit int) {
	text := ""
	for len(list) > 0 {
		if text = numberedJSON(list); len(text) <= limit*(MaxSettingLen-2) {
			break
		}
		list, text = list[:len(list)*9/10], ""
	}
	r.Facts = slices.Clone(r.Facts)
	for i := range limit {
		n := partLen(text, MaxSettingLen)
		r.Facts = r.Facts.Set(NumberedKey(key, i+1), text[:n])
		text = text[n:]
	}
}

// numbered returns the value of a numbered fact with at most limit parts.
func numbered(facts Settings, key string, limit int) string {
	text := ""
	for i := range limit {
		part := facts.Get(NumberedKey(key, i+1))
		if part == "" {
			break
		}
		text += part
	}
	return text
}

// numberedJSON returns v, a plain struct or list, as ASCII JSON without two consecutive spaces.
func numberedJSON(v any) string {
	var b strings.Builder
	last := ' '
	for _, r := range CompactJSON(v) {
		if r > ' ' && r < 0x7f || r == ' ' && last != ' ' {
			b.WriteRune(r)
			last = r
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
		last = 0
	}
	return b.String()
}
