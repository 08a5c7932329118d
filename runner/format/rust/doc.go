// Package rust reads the output of benchmark harnesses for Rust. Start with criterion.go; samples.go and
// lines.go hold what the readers share.
package rust
