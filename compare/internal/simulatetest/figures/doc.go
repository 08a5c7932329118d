// Package figures has what a campaign says of its counts: rates.go has their bounds,
// samples.go quantiles, write.go how a table writes them.
package figures
