package reports

import (
	"encoding/json"
	"fmt"
	"io"
)

// CodeQuality writes the findings of the report in the format of GitLab's Code Quality reports: an
// array of objects with a description, a check name, a stable fingerprint, a severity and a
// location. GitLab compares the report with the target branch's. Passed and undecided outcomes are
// left out, but a failure of the command is included.
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
			at.Path = "." // GitLab ignores findings without a path
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
