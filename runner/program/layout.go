package program

// LayoutSeed returns the linker's layout seed for a round. The position of a function in a binary
// changes its time by up to several percent. Repeating the same binary does not average this out,
// but a new layout in each round does (Stabilizer, ASPLOS 2013). The seeds are a fixed list, the
// same for every commit and for both sides, so two commits never differ in layout.
//
// The list is the splitmix64 sequence (Steele, Lea and Flood, OOPSLA 2014), truncated to 31 bits.
// It never contains zero, which selects the toolchain's default layout.
func LayoutSeed(round int) uint64 {
	z := uint64(round+1) * 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	z ^= z >> 31
	return z&0x7fffffff | 1
}
