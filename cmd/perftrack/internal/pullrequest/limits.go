package pullrequest

import (
	"github.com/perftrack/perftrack/cmd/perftrack/internal/artifact"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/medians"
	"github.com/perftrack/perftrack/cmd/perftrack/internal/restapi"
	"github.com/perftrack/perftrack/reports/github"
	"github.com/perftrack/perftrack/runner/config"
	"github.com/perftrack/perftrack/runner/format/bounds"
	"github.com/perftrack/perftrack/runner/record"
)

// A Limit describes a limit on an input or output of perftrack.
type Limit struct {
	Of, What string
	Value    int64
	Unit     string
}

// inBytes converts the value from bytes to the largest unit dividing it.
func inBytes(l Limit) Limit {
	for _, unit := range []string{"KiB", "MiB"} {
		if l.Value%1024 == 0 {
			l.Value, l.Unit = l.Value/1024, unit
		}
	}
	return l
}

// Limits returns the limits on all inputs and on the texts written to GitHub.
func Limits() []Limit {
	const input, run, trial, past, api, shown = "any input", "a run", "a pull request's trial", "a history's medians", "a forge's API", "a pull request"
	all := []Limit{
		{input, "file", bounds.MaxInput, "B"},
		{input, "line", bounds.MaxLine, "B"},
		{input, "line in the benchmark format", bounds.MaxRecordLine, "B"},
		{input, "benchmarks", bounds.MaxBenchmarks, ""},
		{input, "samples per benchmark", bounds.MaxSamples, ""},
		{input, "values", bounds.MaxValues, ""},
		{input, "benchmark name", bounds.MaxName, "B"},
		{input, "unit", bounds.MaxUnit, "B"},
		{input, "configuration key", record.MaxKeyLen, "B"},
		{input, "configuration value", record.MaxSettingLen, "B"},
		{input, "perftrack.toml", config.MaxSize, "B"},
		{run, "benchmarks", record.MaxBenchmarks, ""},
		{run, "samples per benchmark", record.MaxSamples, ""},
		{run, "samples", record.MaxTotalSamples, ""},
		{run, "units per benchmark", record.MaxUnits, ""},
		{run, "configuration keys from other programs", record.MaxSettings, ""},
		{run, "named failures", record.MaxFailures, ""},
		{run, "reason for a failure", record.MaxFailureLen, "B"},
		{trial, "artifact", artifact.MaxArchive, "B"},
		{trial, "files in the artifact", 1, ""},
		{trial, "unpacked size to packed size", artifact.MaxArchiveRatio, ""},
		{trial, "runs", artifact.MaxRuns, ""},
		{trial, "rounds in all series", artifact.MaxTotalRounds, ""},
		{trial, "samples per benchmark", 2 * record.MaxSamples, ""},
		{trial, "configuration above all results, added up", artifact.MaxConfig, "B"},
		{past, "file", medians.MaxSize, "B"},
		{past, "commits", medians.MaxCommits, ""},
		{past, "runs per series", medians.MaxRuns, ""},
		{api, "answer", restapi.MaxAnswer, "B"},
		{api, "tries per request", restapi.MaxTries, ""},
		{api, "time per request", int64(restapi.RequestTimeout.Seconds()), "s"},
		{api, "total waiting time", int64(restapi.MaxWait.Seconds()), "s"},
		{api, "accepted changes", maxAcceptances, ""},
		{shown, "comment", github.MaxComment, "B"},
		{shown, "job summary", github.MaxSummary, "B"},
		{shown, "annotations of each kind", github.MaxAnnotations, ""},
		{shown, "description of the commit status", github.MaxDescription, "characters"},
	}
	for i, l := range all {
		if l.Unit == "B" {
			all[i] = inBytes(l)
		}
	}
	return all
}
