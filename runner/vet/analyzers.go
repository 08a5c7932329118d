package vet

import (
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzers returns one analyzer per rule, for go vet, golangci-lint and other drivers. The
// analyzers report likely and certain findings. A rule only examines functions in the same package;
// suspicions that only a run can confirm are left to the command perftrack vet.
func Analyzers() []*analysis.Analyzer {
	var all []*analysis.Analyzer
	for _, f := range faults {
		all = append(all, &analysis.Analyzer{
			Name:     strings.ReplaceAll(string(f.rule), "-", "_"),
			Doc:      f.doc,
			URL:      "https://pkg.go.dev/github.com/perftrack/perftrack/runner/vet",
			Requires: []*analysis.Analyzer{findings},
			Run: func(pass *analysis.Pass) (any, error) {
				for _, found := range pass.ResultOf[findings].([]Finding) {
					if found.Rule == f.rule && found.Sure >= Likely {
						pass.Report(analysis.Diagnostic{Pos: found.Pos, Category: string(f.rule), Message: found.Found + " (instead: " + found.Remedy + ")"})
					}
				}
				return nil, nil
			},
		})
	}
	return all
}

// findings applies all rules to a package once and provides the result to all analyzers.
var findings = &analysis.Analyzer{
	Name:       "benchmarks",
	Doc:        "find mistakes in benchmarks",
	ResultType: reflect.TypeFor[[]Finding](),
	Run: func(pass *analysis.Pass) (any, error) {
		return NewPackage(pass.Pkg.Path(), pass.Fset, pass.Files, pass.TypesInfo, Declarations{}).Findings(), nil
	},
}
