package managed

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/runner/format/reading"
)

// name returns the full name of a benchmark. Old versions write no full name.
func (e *dotNetEntry) name() string {
	name := e.fullName
	if name == "" {
		var parts []string
		for _, part := range []string{e.namespace, e.class, e.method} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		name = strings.Join(parts, ".")
		for part := range strings.FieldsFuncSeq(e.parameters, func(r rune) bool { return r == '&' || r == ',' }) {
			if key, value, ok := strings.Cut(strings.TrimSpace(part), "="); ok {
				name += reading.Param(key, value)
			}
		}
	}
	return name + jobOf(e.displayInfo)
}

// effort lists the properties of a job that say how long it measures. They do not change what is
// measured, unlike its runtime.
var effort = []string{"LaunchCount", "WarmupCount", "IterationCount", "InvocationCount", "UnrollFactor", "IterationTime", "RunStrategy",
	"MinIterationCount", "MaxIterationCount", "MinWarmupIterationCount", "MaxWarmupIterationCount", "MinInvokeCount", "MinIterationTime"}

// jobOf returns the properties of a job as parts of a name. info is like
//
//	Type.Method: Job-ABCDEF(Runtime=.NET 8.0, IterationCount=3) [N=10]
//
// Jobs for several runtimes measure a benchmark under the same full name.
func jobOf(info string) (parts string) {
	_, job, _ := strings.Cut(info, ": ")
	job, _, _ = strings.Cut(job, " [")
	_, properties, ok := strings.Cut(job, "(")
	if !ok {
		return ""
	}
	for property := range strings.SplitSeq(strings.TrimSuffix(properties, ")"), ", ") {
		key, value, ok := strings.Cut(property, "=")
		if ok && !slices.Contains(effort, key) {
			parts += reading.Param(key, value)
		}
	}
	return parts
}
