package github

import (
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// Failed returns the body of a comment that says why there is no result for a commit, or with
// the state [Pending] none yet, and what to do. The reason is of perftrack's own words.
func (o Options) Failed(commit, state, reason string) string {
	title, do := "⚠️ perftrack has no result for ", "find the cause in the log, and push again or run the measuring workflow again"
	if state == Pending {
		title, do = "⏳ perftrack has no result yet for ", "wait for the measuring workflow, or approve it, if it waits for that"
	}
	if _, told, ok := strings.Cut(reason, ": "); ok && strings.ContainsAny(told, " ") {
		do = "" // the reason ends with what to do
	}
	text := Sentence(reason) + " Nothing is known of how fast it is, and the status blocks until there is a result.\n"
	if do != "" {
		text += "\n**What to do:** " + Sentence(do) + "\n"
	}
	return o.message(title, commit, text)
}

// Unmeasured returns the body of a comment that says why a commit was not measured, and did not
// need to be. The reason is of perftrack's own words.
func (o Options) Unmeasured(commit, reason string) string {
	return o.message("✅ perftrack had nothing to measure for ", commit, Sentence(reason)+"\n")
}

// message is a comment without numbers.
func (o Options) message(title, commit, text string) string {
	body := Marker(o.Workflow) + "\n### " + title + o.commit(commit) + "\n\n" + text
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

// Sentence writes words as a sentence, in which nothing is a link, a mention or HTML.
func Sentence(words string) string { return reports.Prose(strings.TrimRight(words, ".\n")) + "." }
