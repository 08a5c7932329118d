package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// JUnit writes the outcomes of the report as JUnit XML, with a testsuite for each target, package
// and suite and a testcase for each benchmark and unit. A regression is a failure. A failed command
// and a failed or unchecked benchmark are errors. Undecided outcomes are skipped, with a reason.
func JUnit(w io.Writer, r reports.Report) error {
	all := junitSuites{Name: "perftrack"}
	index := map[string]int{}
	for _, o := range outcomes(r) {
		name := junitText(group(o))
		i, ok := index[name]
		if !ok {
			i = len(all.Suites)
			index[name] = i
			all.Suites = append(all.Suites, junitSuite{Name: name})
		}
		all.Suites[i].Cases = append(all.Suites[i].Cases, junitCaseOf(o, place(r, o)))
	}
	for i := range all.Suites {
		all.Suites[i].count()
		all.add(all.Suites[i].junitCounts)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err == nil {
		_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	}
	if err != nil {
		return fmt.Errorf("write JUnit: %w", err)
	}
	return nil
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
	Skipped  int `xml:"skipped,attr"`
}

func (c *junitCounts) add(o junitCounts) {
	c.Tests += o.Tests
	c.Failures += o.Failures
	c.Errors += o.Errors
	c.Skipped += o.Skipped
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Cases []junitCase `xml:"testcase"`
}

func (s *junitSuite) count() {
	for _, c := range s.Cases {
		s.Tests++
		switch {
		case c.Failure != nil:
			s.Failures++
		case c.Error != nil:
			s.Errors++
		case c.Skipped != nil:
			s.Skipped++
		}
	}
}

type junitCase struct {
	ClassName string       `xml:"classname,attr"`
	Name      string       `xml:"name,attr"`
	File      string       `xml:"file,attr,omitempty"`
	Line      int          `xml:"line,attr,omitempty"`
	Failure   *junitReason `xml:"failure"`
	Error     *junitReason `xml:"error"`
	Skipped   *junitReason `xml:"skipped"`
	SystemOut string       `xml:"system-out,omitempty"`
}

type junitReason struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func junitCaseOf(o reports.Outcome, at reports.Place) junitCase {
	c := junitCase{ClassName: junitText(group(o)), Name: junitText(title(o)), File: junitText(at.Path), Line: at.Line}
	reason := &junitReason{Message: junitText(firstLine(text(o))), Type: string(o.State), Text: junitText(text(o))}
	switch o.State {
	case reports.Passed:
		c.SystemOut = junitText(text(o))
	case reports.Regressed, reports.Beyond:
		c.Failure = reason
	case reports.NotChecked, reports.Broken, reports.NoResult:
		c.Error = reason
	default: // undecided, suspect, missing, or a limit that was already missed
		c.Skipped = &junitReason{Message: reason.Message}
	}
	return c
}

// junitText makes text safe for readers of JUnit files. XML forbids most control characters, and
// [[ATTACHMENT|path]] makes some readers fetch a file.
func junitText(s string) string {
	return strings.ReplaceAll(reports.Message(s), "[[", "[ [")
}
