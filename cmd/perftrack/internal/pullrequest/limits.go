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

// A Limit bounds something that perftrack reads or writes.
type Limit struct {
	Of, What string
	Value    int64
	Unit     string
}

// inBytes names a number of bytes in the largest unit that divides it.
func inBytes(l Limit) Limit {
	for _, unit := range []string{"KiB", "MiB"} {
		if l.Value%1024 == 0 {
			l.Value, l.Unit = l.Value/1024, unit
		}
	}
	return l
}

// Limits returns the limits of all inputs and of what is written for GitHub.
func Limits() []Limit {
	const input, run, trial, past, api, shown = "any input", "a run", "a pull request's trial", "a history's medians", "a forge's API", "a pull request"
	all := []Limit{
		{input, "file", bounds.MaxInput, "B"},
		{input, "line", bounds.MaxLine, "B"},
		{input, "line of the benchmark format", bounds.MaxRecordLine, "B"},
		{input, "benchmarks", bounds.MaxBenchmarks, ""},
		{input, "samples of a benchmark", bounds.MaxSamples, ""},
		{input, "values", bounds.MaxValues, ""},
		{input, "name of a benchmark", bounds.MaxName, "B"},
		{input, "unit", bounds.MaxUnit, "B"},
		{input, "configuration key", record.MaxKeyLen, "B"},
		{input, "configuration value", record.MaxSettingLen, "B"},
		{input, "perftrack.toml", config.MaxSize, "B"},
		{run, "benchmarks", record.MaxBenchmarks, ""},
		{run, "samples of a benchmark", record.MaxSamples, ""},
		{run, "samples", record.MaxTotalSamples, ""},
		{run, "units of a benchmark", record.MaxUnits, ""},
		{run, "configuration keys of other programs", record.MaxSettings, ""},
		{run, "failures that are named", record.MaxFailures, ""},
		{run, "reason of a failure", record.MaxFailureLen, "B"},
		{trial, "artifact", artifact.MaxArchive, "B"},
		{trial, "files in the artifact", 1, ""},
		{trial, "unpacked size to packed size", artifact.MaxArchiveRatio, ""},
		{trial, "runs", artifact.MaxRuns, ""},
		{trial, "rounds of all series", artifact.MaxTotalRounds, ""},
		{trial, "samples of a benchmark", 2 * record.MaxSamples, ""},
		{trial, "configuration above each result, added up", artifact.MaxConfig, "B"},
		{past, "file", medians.MaxSize, "B"},
		{past, "commits", medians.MaxCommits, ""},
		{past, "runs of a series", medians.MaxRuns, ""},
		{api, "answer", restapi.MaxAnswer, "B"},
		{api, "tries of a request", restapi.MaxTries, ""},
		{api, "time of a request", int64(restapi.RequestTimeout.Seconds()), "s"},
		{api, "waiting in all", int64(restapi.MaxWait.Seconds()), "s"},
		{api, "accepted changes", maxAcceptances, ""},
		{shown, "comment", github.MaxComment, "B"},
		{shown, "job summary", github.MaxSummary, "B"},
		{shown, "annotations of a kind", github.MaxAnnotations, ""},
		{shown, "description of the commit status", github.MaxDescription, "characters"},
	}
	for i, l := range all {
		if l.Unit == "B" {
			all[i] = inBytes(l)
		}
	}
	return all
}
