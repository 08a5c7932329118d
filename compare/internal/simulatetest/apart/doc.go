// Package apart measures how often the gates on runs that were measured apart are wrong:
// campaign.go draws pairs of such runs and lets the shipped gates judge them, tables.go
// writes what came out.
package apart
