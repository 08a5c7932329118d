package figures

import "fmt"

// Percent writes a rate.
func Percent(x, n int) string { return fmt.Sprintf("%.2f %%", 100*float64(x)/float64(n)) }

// Bound writes a bound of a rate.
func Bound(p float64) string { return fmt.Sprintf("%.2f %%", 100*p) }

// Share is a rate without its bounds, for tables of many.
func Share(x, n int) string { return fmt.Sprintf("%.3g", 100*float64(x)/float64(n)) }
