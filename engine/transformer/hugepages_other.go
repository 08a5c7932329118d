//go:build !linux

package transformer

func useHugePages([]float32) {}
