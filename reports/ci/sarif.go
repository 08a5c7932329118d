package ci

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"github.com/perftrack/perftrack/reports"
)

// SARIF writes the findings of the report as SARIF 2.1.0, with a rule for each kind of finding and
// a result with a stable fingerprint for each benchmark and unit. The summary and a failure of the
// command become notifications of the invocation. A failure is also a result, because some readers
// look only at results.
func SARIF(w io.Writer, r reports.Report) error {
	run := sarifRun{Results: []sarifResult{}, Invocations: []sarifInvocation{invocation(r)}}
	run.Tool.Driver = sarifDriver{Name: "perftrack", InformationURI: "https://github.com/perftrack/perftrack"}
	for _, f := range findings {
		rule := sarifRule{ID: string(f.state), Name: strings.ReplaceAll(f.title, " ", ""), Short: sarifText{f.title}, Full: sarifText{f.help}, Help: sarifText{f.help}}
		rule.Default.Level = f.level
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
	}
	for _, o := range worth(r) {
		run.Results = append(run.Results, resultOf(r, o))
	}
	text, err := json.MarshalIndent(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	}, "", "  ")
	if err == nil {
		_, err = w.Write(append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write SARIF: %w", err)
	}
	return nil
}

// These types are the parts of a SARIF log that perftrack writes.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		Invocations []sarifInvocation `json:"invocations"`
		Results     []sarifResult     `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Name    string    `json:"name"`
		Short   sarifText `json:"shortDescription"`
		Full    sarifText `json:"fullDescription"`
		Help    sarifText `json:"help"`
		Default struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifInvocation struct {
		Successful    bool                `json:"executionSuccessful"`
		Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
	}
	sarifNotification struct {
		Level   string    `json:"level"`
		Message sarifText `json:"message"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifText         `json:"message"`
		Locations    []sarifLocation   `json:"locations,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	}
	sarifLogical struct {
		FullName string `json:"fullyQualifiedName"`
		Kind     string `json:"kind"`
	}
)

func invocation(r reports.Report) sarifInvocation {
	out := sarifInvocation{Successful: r.Failure == nil}
	if r.Summary != "" {
		out.Notifications = append(out.Notifications, sarifNotification{"note", sarifMessage(r.Summary)})
	}
	if r.Failure != nil {
		out.Notifications = append(out.Notifications, sarifNotification{"error", sarifMessage(r.Failure.Words() + ": " + strings.TrimSpace(r.Failure.Message))})
	}
	return out
}

func resultOf(r reports.Report, o reports.Outcome) sarifResult {
	index := slices.IndexFunc(findings, func(f finding) bool { return f.state == o.State })
	out := sarifResult{
		RuleID: string(o.State), RuleIndex: index, Level: findings[index].level, Message: sarifMessage(sentence(o)),
		Fingerprints: map[string]string{"perftrackBenchmark/v1": fingerprint(o)},
	}
	var at sarifLocation
	if p := place(r, o); p.Path != "" {
		at.Physical = &sarifPhysical{}
		at.Physical.Artifact.URI = (&url.URL{Path: p.Path}).String()
		at.Physical.Region.StartLine = max(1, p.Line)
	}
	if o.Name != "" {
		at.Logical = []sarifLogical{{reports.Visible(strings.TrimPrefix(o.Package+"."+o.Name, ".")), "function"}}
	}
	if at.Physical != nil || at.Logical != nil {
		out.Locations = []sarifLocation{at}
	}
	return out
}

// sarifMessage returns a plain message. In SARIF, [text](target) is a link and {0} is an argument.
// Names must not produce either.
func sarifMessage(s string) sarifText {
	return sarifText{strings.NewReplacer("](", "] (", "{", "{{", "}", "}}").Replace(reports.Message(s))}
}
