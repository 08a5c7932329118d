package compare

// unknown reports whether the base's history is known and lacks the row's benchmark or unit. A pull
// request may add any number of such rows.
func (c *Comparison) unknown(r *Row) bool {
	return c.Options.Known != nil && !c.Options.Known(r.Target, r.BenchmarkID, r.OrigUnit)
}
