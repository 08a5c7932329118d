// Package demand decides whether somebody may have a pull request measured, and which part of
// it.
//
// What comes in is an event of GitHub Actions, a comment that anybody may have written or a
// workflow that was started by hand; what comes out are the commits to measure and checked
// arguments, or a refusal. Begin with demand.go; command.go has the grammar of a comment.
package demand
