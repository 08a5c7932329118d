package reporttest

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/perftrack/perftrack/reports"
)

// junit fails unless the XML is well formed, its counts match its cases, no finding counts as
// passed, and no text moves the cursor or makes a reader fetch a file.
func junit(t *testing.T, r reports.Report) {
	t.Helper()
	text := Write(t, r, "junit.xml")
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Cases    []struct {
			Failure *struct{} `xml:"failure"`
			Error   *struct{} `xml:"error"`
			Skipped *struct{} `xml:"skipped"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	failures, errs, skipped := 0, 0, 0
	for _, c := range got.Cases {
		switch {
		case c.Failure != nil:
			failures++
		case c.Error != nil:
			errs++
		case c.Skipped != nil:
			skipped++
		}
	}
	if got.Tests == 0 || got.Tests != len(got.Cases) || got.Failures != failures || got.Errors != errs || got.Skipped != skipped {
		t.Errorf("counts %d %d %d %d of %d, %d, %d, %d", got.Tests, got.Failures, got.Errors, got.Skipped, len(got.Cases), failures, errs, skipped)
	}
	bad := 0
	for _, o := range r.Outcomes() {
		switch o.State {
		case reports.Regressed, reports.NotChecked, reports.Broken:
			bad++
		}
	}
	if failures+errs < bad {
		t.Errorf("%d failures and errors of %d findings that gate", failures+errs, bad)
	}
	dec := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.CharData:
			harmlessText(t, string(token))
		case xml.StartElement:
			for _, a := range token.Attr {
				harmlessText(t, a.Value)
			}
		}
	}
}

func harmlessText(t *testing.T, text string) {
	t.Helper()
	if strings.ContainsFunc(strings.ReplaceAll(text, "\n", ""), invisible) || strings.Contains(text, "[[") {
		t.Errorf("%q", text)
	}
}

// findings fails unless the findings in both formats have the required fields, each finding occurs
// once, and no text is a link.
func findings(t *testing.T, r reports.Report) {
	t.Helper()
	var quality []struct {
		Description, Fingerprint, Severity string
		Check                              string `json:"check_name"`
		Location                           struct {
			Path  string
			Lines struct{ Begin int }
		}
	}
	if err := json.Unmarshal([]byte(Write(t, r, "codequality.json")), &quality); err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, q := range quality {
		harmlessText(t, q.Description)
		if seen[q.Fingerprint] || len(q.Fingerprint) != 32 || q.Severity == "" || q.Check == "" || q.Location.Path == "" || q.Location.Lines.Begin < 1 {
			t.Errorf("%+v", q)
		}
		seen[q.Fingerprint] = true
	}
	var sarif struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID    string
				RuleIndex int
				Message   struct{ Text string }
			}
		}
	}
	if err := json.Unmarshal([]byte(Write(t, r, "sarif")), &sarif); err != nil {
		t.Fatal(err)
	}
	if sarif.Version != "2.1.0" || len(sarif.Runs) != 1 || len(sarif.Runs[0].Results) != len(quality) {
		t.Fatalf("%+v of %d findings", sarif, len(quality))
	}
	for _, res := range sarif.Runs[0].Results {
		harmlessText(t, res.Message.Text)
		if sarif.Runs[0].Tool.Driver.Rules[res.RuleIndex].ID != res.RuleID || strings.Contains(res.Message.Text, "](") {
			t.Errorf("%+v", res)
		}
	}
}
