// Package unpaired measures how often the gates on unpaired runs are wrong. campaign.go draws pairs
// of such runs and lets the shipped gates judge them, and tables.go writes the results.
package unpaired
