package compare

// unknown reports whether the base's history lacks a row's benchmark or unit, if it is
// known what it has. Whoever opens a pull request may add as many of these as he likes.
func (c *Comparison) unknown(r *Row) bool {
	return c.Options.Known != nil && !c.Options.Known(r.Target, r.BenchmarkID, r.OrigUnit)
}
