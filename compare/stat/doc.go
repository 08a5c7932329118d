// Package stat decides trials, by their numbers alone.
//
// A [Trial] has for each benchmark and unit the pairs that its rounds gave, which way is
// better, how large a change matters, and after which rounds a session ended. A [Decision]
// says for each of them: higher, lower, the same or still open, the shift with its interval,
// p, and how many rounds were missing. The package knows neither runs nor rows, neither
// units nor words: package compare has them.
//
// Open first trial.go and decision.go, then sequence.go, in which a [Sequence] takes the
// rounds as they come, and pairs.go, the rules by which it decides ([Pairs], and [Typical] before it). A check looks at
// 9 to 48 rounds, eight times, and at the end of each continuation; a trial of fixed length is the
// sequence whose only look is at its end ([FixedPlan]). Then, from the inside out:
//
//   - signedrank.go: the test of the rounds' log ratios and its dual interval (Wilcoxon 1945;
//     Hodges and Lehmann 1963), with its exact distribution in signedrank_null.go. It takes
//     nothing for granted but a fair coin in each round: coin.go.
//   - mean.go: the mean of all slices, and the one place where it and the typical round are
//     joined; groups.go: the groups that share the error rate; capped.go: when ranks are capped.
//   - holm.go: Holm's correction for all hypotheses (1979); families.go: known and unknown
//     ones; spending.go: the share of the error rate for each look (Lan and DeMets 1983).
//   - floor.go: changes that are real and do not matter, or that every build has; the interval
//     that proves "the same" is two one-sided tests (Schuirmann 1987).
//   - measurement.go: what the rounds so far say of one series; repeats.go and
//     pairs_repeats.go: the one rule by which counts that repeat are believed.
//   - forecast.go: how many rounds it takes to decide, and to flag at all; calibrated.go: the
//     noise of a trial of one source, and the change that a check can find.
//   - unpaired.go: the shift between samples that were not measured in pairs, and median.go.
//
// The files that begin with blocks are the rules by which trials were decided before
// ([Blocks]): a test in blocks of five rounds (van Elteren 1960; Klotz 1966), where benchstat
// agreed. Such trials keep the verdict that they had.
package stat
