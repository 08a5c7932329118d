// Package medians hands the newest medians of a history to whoever draws it and has no store:
// the commenting job of a pull request.
//
// medians.go takes them from a store, document.go writes them down and reads what somebody
// else wrote, within limits.
package medians
