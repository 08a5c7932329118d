package compare

import "slices"

// A Caveat is a warning about a number, such as a difference between the environments.
type Caveat struct {
	Code   string // one of the constants below; stable, for use by programs
	Text   string // written by perftrack, for people
	Detail string // the subject: a command, or untrusted text from outside
}

func (c Caveat) String() string {
	if c.Detail == "" {
		return c.Text
	}
	return c.Text + ": " + c.Detail
}

// The codes of all caveats.
const (
	CodeEnvironment = "environment" // the sides' environments differ
	CodeRunStatus   = "run-status"  // a run is partial or failed
	CodeDirty       = "dirty"       // a run measured uncommitted changes
	CodeBusy        = "busy"        // other programs were running when measuring began
	CodeOneSample   = "one-sample"  // no test is possible
	CodeFewSamples  = "few-samples" // no verdict or no interval is possible yet
	CodeSummary     = "summary"     // a file has no samples, only a summary of them, so no test is possible
	CodeZero        = "zero"        // values of 0 have no relative change
	CodeCapped      = "capped"      // rounds with extreme values weigh no more than usual rounds
	CodeFurther     = "further"     // a check's trial is not the first one for its commits
	CodeRest        = "rest"        // the trial of a check also has benchmarks from earlier checks
	CodeRounded     = "rounded"     // a report printed 0 for a value below its last digit
	CodeDirection   = "direction"   // the sides disagree about the better direction, or nobody declares it
	CodeTerms       = "terms"       // the trial was measured under different terms from those used to judge it
	CodeOverruled   = "overruled"   // the command line overrides the terms of the trial
	CodeLook        = "look"        // a row was decided before its last round
	CodeMean        = "mean"        // the numbers in a row are for the mean of all slices; Text says how many slices are slow
	CodeCalls       = "calls"       // the sides made different numbers of calls to a scope, so its totals cannot be compared
	CodeUnpaired    = "unpaired"    // the runs were not measured side by side
	CodeNotChecked  = "not-checked" // benchmarks ended too early for any look (analysis) to flag them
	CodeLayout      = "layout"      // each build has a single layout, which may explain the whole change
	CodeAccepted    = "accepted"    // the regression is intended; Detail is the reason
	CodeAcceptances = "acceptances" // could not determine whether a regression was accepted
	CodeLimit       = "limit"       // some limits match no measured benchmark
	CodeDecision    = "decision"    // a procedure other than the one for new trials decides the trial
	CodeSelection   = "selection"   // only some benchmarks of a target were selected
	CodeSearches    = "searches"    // a later bisection is not included
	CodeOlder       = "older"       // a side has older runs of the same benchmarks
	CodeTests       = "test-files"  // both sides were measured with the test files of one side
	CodePart        = "part"        // some benchmarks were not checked, or one part is judged alone
	CodeSpread      = "spread"      // the rounds of a trial were spread over machines
	CodeModels      = "models"      // the change in a row, for each CPU model of a spread trial
	CodeSample      = "sample"      // a warning from benchmath about a sample or a geomean
)

func (c *Comparison) addCaveat(added Caveat) {
	if !slices.Contains(c.Caveats, added) {
		c.Caveats = append(c.Caveats, added)
	}
}
