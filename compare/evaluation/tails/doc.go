// Package tails measures how a check judges a change that makes only some calls of a benchmark
// slower. Such a change leaves the typical slice the same but not the mean.
//
// slices.go draws the slices of a round, including the noise of the machine and the slow calls.
// campaign.go passes them to the estimator in package slicing and to the sequential decision
// procedure, and tables.go writes the results.
package tails
