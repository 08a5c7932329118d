package figures

import "fmt"

// Percent formats the rate of x in n as a percentage.
func Percent(x, n int) string { return fmt.Sprintf("%.2f %%", 100*float64(x)/float64(n)) }

// Bound formats the bound of a rate as a percentage.
func Bound(p float64) string { return fmt.Sprintf("%.2f %%", 100*p) }

// Share formats the rate of x in n as a percentage without the percent sign, for tables with many
// rates.
func Share(x, n int) string { return fmt.Sprintf("%.3g", 100*float64(x)/float64(n)) }
