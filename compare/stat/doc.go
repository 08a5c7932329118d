// Package stat decides trials, by their numbers alone.
//
// A [Trial] has for each benchmark and unit the pairs that its rounds gave, which way is
// better, how large a change matters, and after which rounds a session ended. A [Decision]
// says for each of them: higher, lower, the same or still open, the shift with its interval,
// p, and how many rounds were missing. The package knows neither runs nor rows, neither
// units nor words: package compare has them.
//
// Open first sequence.go, in which a [Sequence] takes the rounds as they come, and look.go,
// where it decides. A check looks at 10, 15, 20, 30 and 40 rounds; a trial of fixed length
// is the sequence whose only look is at its end ([FixedPlan]). Then, from the inside out:
//
//   - test.go: the [Test] that holds pairs against each other, stratified.go and null.go: the
//     one there is, Mann-Whitney within blocks of five rounds, added up, with its exact
//     distribution (van Elteren 1960; Klotz 1966).
//   - holm.go: Holm's correction for all hypotheses (1979); families.go: known and unknown
//     ones; spending.go: the share of the error rate for each look (Lan and DeMets 1983).
//   - floor.go: changes that are real and do not matter, or that every build has; the interval
//     that proves "the same" is two one-sided tests (Schuirmann 1987).
//   - repeats.go: the one rule by which counts that repeat are believed.
//   - required.go and reach.go: how many rounds it takes to decide, and to flag at all;
//     calibrated.go: the noise of a trial of one source, and the change that a check can find.
//   - order.go: which side of a pair is measured first.
//   - unpaired.go: the shift between samples that were not measured in pairs, and median.go.
package stat
