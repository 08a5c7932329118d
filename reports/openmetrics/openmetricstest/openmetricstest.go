// Package openmetricstest parses OpenMetrics text in tests. It accepts only the part of the format that
// perftrack writes: gauges and infos without times.
package openmetricstest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var (
	metaLine   = regexp.MustCompile(`^# (HELP|TYPE|UNIT) ([a-z_]+) (.+)$`)
	sampleLine = regexp.MustCompile(`^([a-z_]+)(?:\{(.*)\})? (\S+)$`)
	labelPair  = regexp.MustCompile(`^([a-z_]+)="((?:[^"\\]|\\.)*)"(,|$)`)
)

// A family is the one whose samples are being read.
type family struct{ name, kind string }

// Parse returns the values by the name of the sample with its labels, whose escapes are resolved.
func Parse(text string) (values map[string]float64, err error) {
	values = map[string]float64{}
	known := map[string]bool{}
	var now family
	body, ok := strings.CutSuffix(text, "# EOF\n")
	if !ok {
		if strings.Contains(text, "# EOF\n") {
			return nil, fmt.Errorf("there is text after the end")
		}
		return nil, fmt.Errorf("the text does not end with # EOF")
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSuffix(line, "\n")
		if m := metaLine.FindStringSubmatch(line); m != nil {
			if now, err = now.meta(m[1], m[2], m[3], known); err != nil {
				return nil, fmt.Errorf("%s: %w", line, err)
			}
			continue
		}
		m := sampleLine.FindStringSubmatch(line)
		if m == nil {
			return nil, fmt.Errorf("%s: invalid syntax", line)
		}
		if m[1] != now.name+map[string]string{"info": "_info"}[now.kind] || now.kind == "" {
			return nil, fmt.Errorf("%s: the sample belongs to no family", line)
		}
		labels, err := parseLabels(m[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		value, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		if _, twice := values[m[1]+labels]; twice {
			return nil, fmt.Errorf("%s: the sample is there twice", line)
		}
		values[m[1]+labels] = value
	}
	return values, nil
}

// meta reads a line about a family: first its HELP, then its TYPE, then perhaps its UNIT.
func (f family) meta(what, name, text string, known map[string]bool) (family, error) {
	switch {
	case what == "HELP" && known[name]:
		return f, fmt.Errorf("a second HELP")
	case what == "HELP":
		known[name] = true
		return family{name: name}, nil
	case name != f.name:
		return f, fmt.Errorf("no HELP before it")
	case what == "TYPE" && f.kind == "" && (text == "gauge" || text == "info"):
		return family{name, text}, nil
	case what == "UNIT" && f.kind != "" && strings.HasSuffix(name, "_"+text):
		return f, nil
	}
	return f, fmt.Errorf("the type or the unit is wrong")
}

func parseLabels(text string) (string, error) {
	if text == "" {
		return "", nil
	}
	var pairs []string
	for more := true; more; {
		m := labelPair.FindStringSubmatch(text)
		if m == nil {
			return "", fmt.Errorf("label %s is not NAME=\"VALUE\"", text)
		}
		value := strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n")
		if rest := strings.NewReplacer(`\\`, "", `\"`, "", `\n`, "").Replace(m[2]); strings.Contains(rest, `\`) {
			return "", fmt.Errorf("label %s has an unknown escape", text)
		}
		pairs = append(pairs, m[1]+`="`+value.Replace(m[2])+`"`)
		text, more = text[len(m[0]):], m[3] == ","
	}
	if text != "" {
		return "", fmt.Errorf("label %s is not NAME=\"VALUE\"", text)
	}
	return "{" + strings.Join(pairs, ",") + "}", nil
}
