// Package ci writes reports in the formats that CI systems read: JUnit, SARIF, and GitLab's Code
// Quality reports.
//
// Begin with findings.go, which selects and describes the outcomes of a report. Each format has its
// own file.
package ci
