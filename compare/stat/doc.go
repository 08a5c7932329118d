// Package stat decides the outcome of a trial from its measurements.
//
// A [Trial] contains one series per benchmark and unit, with its pairs of values, its better
// direction and its threshold, as well as the rounds after which sessions ended. The [Decision] for
// a series gives the outcome (higher, lower, the same or still open), the shift with its interval,
// the p-value, and the number of rounds needed. Package compare handles runs, rows, units and
// messages.
//
// Begin with trial.go and decision.go. Then read sequence.go, where a [Sequence] processes the
// rounds one by one, and pairs.go with its rules. A check is analyzed several times between its 9th
// and its 48th round, and at the end of each continuation; each such analysis is called a look. A
// trial of fixed length is a sequence whose only look is at the end ([FixedPlan]). The other files,
// starting with the innermost:
//
//   - signedrank.go has the test of the rounds' log ratios and its dual interval (Wilcoxon 1945;
//     Hodges and Lehmann 1963), and signedrank_null.go has the exact distribution of the test
//     statistic. The test assumes nothing except a fair coin in each round (see coin.go).
//   - mean.go tests the mean of all slices. It is also the only place where the mean and the
//     typical round are combined. groups.go divides the error rate between groups of hypotheses.
//     weighing.go decides when ranks are capped and when sums are tested instead (clipped.go:
//     Fisher 1935; Huber 1964).
//   - holm.go has Holm's correction for all hypotheses (1979), families.go separates known from
//     unknown hypotheses, and spending.go sets each look's share of the error rate (Lan and DeMets
//     1983).
//   - floor.go handles real changes too small to matter, and differences between any two builds.
//     Proving "the same" by an interval amounts to two one-sided tests (Schuirmann 1987).
//   - measurement.go computes the evidence about one series from the rounds so far. repeats.go and
//     pairs_repeats.go have the rule for deciding repeating counts without a test.
//   - forecast.go computes how many rounds are needed to decide a series, and how many to flag
//     anything at all. calibrated.go estimates the noise from a trial of a source against itself,
//     and the smallest change a check can find.
//   - unpaired.go estimates the shift between samples not measured in pairs, ranksum.go has
//     benchstat's test of them, and median.go computes medians.
package stat
