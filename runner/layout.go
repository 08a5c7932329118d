package runner

// LayoutSeed returns the linker's layout seed for a round. Where the linker
// puts a function moves its time by up to several percent, and no repetition
// of one binary averages that out; a new layout each round does (Stabilizer,
// ASPLOS 2013). The seeds are one fixed list, the same for every commit and
// both sides, so that layout is never what differs between two commits.
//
// The list is the splitmix64 sequence (Steele, Lea and Flood, OOPSLA 2014)
// cut to 31 bits; zero, the toolchain's default layout, does not occur.
func LayoutSeed(round int) uint64 {
	z := uint64(round+1) * 0x9e3779b97f4a7c15
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb
	z ^= z >> 31
	return z&0x7fffffff | 1
}
