// Package javascript reads the output of benchmark libraries for JavaScript. Start with tinybench.go.
package javascript
