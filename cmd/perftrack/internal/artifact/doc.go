// Package artifact reads what the measuring job of a pull request left, which a stranger
// may have written: nothing in it is believed before it was bounded and checked.
package artifact
