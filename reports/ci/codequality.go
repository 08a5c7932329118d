package ci

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/perftrack/perftrack/reports"
)

// CodeQuality writes the findings of the report in the format of GitLab's Code Quality reports: an
// array of objects with a description, a check name, a stable fingerprint, a severity and a
// location. GitLab compares the report with the target branch's. Passed and undecided outcomes are
// left out, but a failure of the command is included.
func CodeQuality(w io.Writer, r reports.Report) error {
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
	for _, o := range worth(r) {
		f, _ := findingOf(o)
		at := place(r, o)
		if at.Path == "" {
			at.Path = "." // GitLab ignores findings without a path
		}
		all = append(all, entry{sentence(o), "perftrack-" + string(o.State), fingerprint(o), f.severity,
			location{reports.Visible(at.Path), lines{max(1, at.Line)}}})
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
