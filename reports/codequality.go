package reports

import (
	"encoding/json"
	"fmt"
	"io"
)

// CodeQuality writes the findings of the report as GitLab's Code Quality report: an array
// with a description, the name of the check, a fingerprint that stays the same from run to
// run, a severity and a place. GitLab compares it with that of the target branch. What passed
// or is not decided is not part of it; that the command failed is.
func CodeQuality(w io.Writer, r Report) error {
	type lines struct {
		Begin int `json:"begin"`
	}
	type location struct {
		Path  string `json:"path"`
		Lines lines  `json:"lines"`
	}
	type entry struct {
		Description string   `json:"description"`
		CheckName   string   `json:"check_name"`
		Fingerprint string   `json:"fingerprint"`
		Severity    string   `json:"severity"`
		Location    location `json:"location"`
	}
	all := []entry{}
	for _, o := range r.worth() {
		f, _ := o.finding()
		at := r.place(o)
		if at.Path == "" {
			at.Path = "." // GitLab leaves out what has no path
		}
		all = append(all, entry{o.sentence(), "perftrack-" + string(o.State), o.fingerprint(), f.severity,
			location{visible(at.Path), lines{max(1, at.Line)}}})
	}
	text, err := json.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write Code Quality report: %w", err)
	}
	return nil
}
