package github

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/perftrack/perftrack/compare"
	"github.com/perftrack/perftrack/reports"
	"github.com/perftrack/perftrack/reports/comparison"
)

// Failed returns the body of a comment that says why there is no result for a commit, or with
// the state [Pending] none yet, and what to do. The reason is of perftrack's own words, and so are the
// sentences on what else there is to know.
func (o Options) Failed(commit, state, reason string, besides ...string) string {
	title, do := "⚠️ perftrack has no result for ", "find the cause in the log, and push again or run the measuring workflow again"
	switch state {
	case Pending:
		title, do = "⏳ perftrack has no result yet for ", "wait for the measuring workflow, or approve it, if it waits for that"
	case Failure:
		title = looks[compare.Regressed].mark + " perftrack has no result for "
	}
	if _, told, ok := strings.Cut(reason, ": "); ok && strings.ContainsAny(told, " ") {
		do = "" // the reason ends with what to do
	}
	text := sentences(append([]string{reason}, besides...)) + " Nothing is known of how fast it is, and the status blocks until there is a result.\n"
	if do != "" {
		text += "\n**What to do:** " + Sentence(do) + "\n"
	}
	return o.message(title, commit, state, text)
}

// Standing is a summary that says which status stands, and why.
func Standing(title, state string, why ...string) string {
	return "### " + title + " — " + comparison.Blocks(state) + "\n\n" + sentences(why) + "\n"
}

// sentences writes words as sentences.
func sentences(all []string) string {
	var out []string
	for _, words := range all {
		out = append(out, Sentence(words))
	}
	return strings.Join(out, " ")
}

// Unmeasured returns the body of a comment that says why a commit was not measured, and did not
// need to be. The reason is of perftrack's own words.
func (o Options) Unmeasured(commit, reason string) string {
	return o.message("✅ perftrack had nothing to measure for ", commit, Success, Sentence(reason)+"\n")
}

// message is a comment without numbers.
func (o Options) message(title, commit, state, text string) string {
	body := Marker(o.Workflow) + "\n### " + title + o.commit(commit) + " — " + comparison.Blocks(state) + "\n\n" + text
	var links []string
	if o.Link != "" {
		links = append(links, "[log of the run]("+o.Link+")")
	}
	if o.History != "" {
		links = append(links, "[history]("+o.History+")")
	}
	if len(links) > 0 {
		body += "\n" + strings.Join(links, " · ") + "\n"
	}
	return body
}

// Sentence writes words as a sentence, in which nothing is a link, a mention or HTML. What stands
// between backticks is code.
func Sentence(words string) string { return capital(prose(strings.TrimRight(words, ".\n"))) + "." }

// prose is text of perftrack's own words, in which code stands between backticks. A backtick without
// its other half is one of the text.
func prose(words string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(words, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !ok || !closed {
			return b.String() + reports.Prose(words)
		}
		b.WriteString(reports.Prose(before) + reports.CodeSpan(code))
		words = after
	}
}

// capital begins with a capital letter, unless the first word is a name: of a file, a command or perftrack.
func capital(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if word == "perftrack" || strings.ContainsAny(word, ".`_/-") {
		return text
	}
	r, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[size:]
}
