// Package javascript reads the output of benchmark libraries for JavaScript.
package javascript
