// Package figures turns the counts of a campaign into figures for the tables. rates.go bounds
// rates, samples.go computes means and quantiles, and write.go formats figures.
package figures
