// Package rust reads the output of benchmark harnesses for Rust.
package rust
