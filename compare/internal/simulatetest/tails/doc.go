// Package tails measures how a check judges a change that makes only some calls of a benchmark
// slower: its typical slice stays as it was, its mean does not.
//
// slices.go draws the slices of a round, with the noise of a machine and the calls that are slow;
// campaign.go gives them to the estimator of package slicing and to the sequence that decides,
// tables.go writes the result.
package tails
