package artifact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/perftrack/perftrack/reports/github"
)

// The measuring job may explain regressions in comments in the trial's file. Each explanation is a
// line of JSON, skipped by readers of the benchmark format. The author of the file may write
// anything there, so explanations are limited in size here, escaped for display, and never used for
// a verdict.

// Limits for the explanations in a trial.
const (
	MaxWhys      = 8       // explanations in a trial
	MaxWhyLine   = 8 << 10 // bytes in an explanation; longer ones are skipped
	MaxFunctions = 8       // functions in an explanation
	maxWhyText   = 500     // bytes in a name or a reason
)

const whyMark = "# perftrack-why: "

type whyLine struct {
	Target    string         `json:"target"`
	Package   string         `json:"package,omitempty"`
	Name      string         `json:"name"`
	Reason    string         `json:"reason,omitempty"`
	Functions []whyOfProgram `json:"functions,omitempty"`
}

type whyOfProgram struct {
	Name    string   `json:"name"`
	Unit    string   `json:"unit"`
	Base    float64  `json:"base"`
	Head    float64  `json:"head"`
	Share   *float64 `json:"share,omitempty"`
	Changed bool     `json:"changed,omitempty"`
}

// FormatWhys formats explanations as lines for [ParseWhys]. It drops explanations beyond the
// limits.
func FormatWhys(all []github.Why) ([]byte, error) {
	var text bytes.Buffer
	for _, w := range all[:min(len(all), MaxWhys)] {
		line := whyLine{Target: w.Target, Package: w.Package, Name: w.Name, Reason: cutText(w.Reason)}
		for _, f := range w.Functions[:min(len(w.Functions), MaxFunctions)] {
			one := whyOfProgram{Name: cutText(f.Name), Unit: f.Unit, Base: f.Base, Head: f.Head, Changed: f.Changed}
			if f.Share-f.Share == 0 {
				one.Share = &f.Share
			}
			line.Functions = append(line.Functions, one)
		}
		out, err := json.Marshal(line)
		if err != nil {
			return nil, fmt.Errorf("write why %s regressed: %w", w.Name, err)
		}
		fmt.Fprintf(&text, "%s%s\n", whyMark, out)
	}
	return text.Bytes(), nil
}

func cutText(s string) string {
	if len(s) > maxWhyText {
		return strings.ToValidUTF8(s[:maxWhyText], "")
	}
	return s
}

// ParseWhys returns the explanations in a trial's file, at most [MaxWhys]. It skips malformed and
// oversized ones.
func ParseWhys(text []byte) (all []github.Why) {
	for line := range bytes.Lines(text) {
		rest, ok := bytes.CutPrefix(line, []byte(whyMark))
		if !ok || len(rest) > MaxWhyLine || len(all) == MaxWhys {
			continue
		}
		var read whyLine
		if json.Unmarshal(rest, &read) != nil || read.Name == "" || len(read.Functions) > MaxFunctions {
			continue
		}
		w := github.Why{Target: read.Target, Package: read.Package, Name: read.Name, Reason: cutText(read.Reason)}
		for _, f := range read.Functions {
			one := github.Function{Name: cutText(f.Name), Unit: f.Unit, Base: f.Base, Head: f.Head, Share: math.NaN(), Changed: f.Changed}
			if f.Share != nil {
				one.Share = *f.Share
			}
			if one.Unit == "sec/op" || one.Unit == "B/op" || one.Unit == "allocs/op" || one.Unit == "sec" {
				w.Functions = append(w.Functions, one)
			}
		}
		if len(w.Functions) > 0 || w.Reason != "" {
			all = append(all, w)
		}
	}
	return all
}

// Whys returns the explanations in an artifact. data is a trial's file or a zip archive of one.
func Whys(data []byte) []github.Why {
	if bytes.HasPrefix(data, []byte("PK")) {
		text, err := Unzip(data)
		if err != nil {
			return nil
		}
		data = text
	}
	return ParseWhys(data)
}
