package reach

import (
	"crypto/sha256"
	"slices"
	"strings"
)

// A program holds the symbols of a test binary, except for the standard library's symbols. The
// standard library must be the same on both sides, and it calls our code only through types and
// function values passed to it by our own code.
type program struct {
	ids   map[string]int
	nodes []node
	roots []int // symbols every benchmark runs, or may run
}

// A node represents all symbols with the same name.
type node struct {
	name    string
	hashes  [][sha256.Size]byte // hash of each definition, sorted
	edges   []edge
	goType  bool
	changed bool
	opens   bool // opens files by name
	lists   bool // may read files whose names do not occur in the program
}

type edge struct {
	to          int
	use, method bool
}

// testMain is the package with the main function of a test binary, which the go command generates.
const testMain = "main"

// testLists are the lists of all tests, benchmarks and examples in testMain. Following them would
// reach everything, although benchmarks are selected by name here.
var testLists = []string{testMain + ".tests", testMain + ".benchmarks", testMain + ".fuzzTargets", testMain + ".examples"}

func newProgram(packages []*compiled) *program {
	p := &program{ids: map[string]int{}}
	for _, c := range packages {
		for i := range c.symbols {
			p.add(&c.symbols[i], c.foreign)
		}
	}
	for i := range p.nodes {
		n := &p.nodes[i]
		slices.SortFunc(n.hashes, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
		n.hashes = slices.Compact(n.hashes)
	}
	return p
}

func (p *program) id(name string) int {
	id, ok := p.ids[name]
	if !ok {
		id = len(p.nodes)
		p.ids[name] = id
		p.nodes = append(p.nodes, node{name: name, opens: opens(name), lists: lists(name)})
	}
	return id
}

func (p *program) add(s *symbol, foreign bool) {
	id := p.id(s.name)
	if foreign || isRoot(s.name) {
		p.roots = append(p.roots, id)
	}
	edges := make([]edge, 0, len(s.refs))
	for _, r := range s.refs {
		edges = append(edges, edge{p.id(r.name), r.use, r.method})
	}
	n := &p.nodes[id]
	n.goType = n.goType || s.goType
	n.hashes = append(n.hashes, s.hash)
	if !slices.Contains(testLists, s.name) {
		n.edges = append(n.edges, edges...)
	}
}

// opens reports whether a function of the standard library opens a file by name.
func opens(name string) bool {
	switch name {
	case "os.Open", "os.OpenFile", "os.ReadFile", "io/ioutil.ReadFile", "syscall.Open":
		return true
	}
	return false
}

// lists reports whether a function of the standard library lists files, reads all files in a
// folder, or starts programs that could read files.
func lists(name string) bool {
	switch name {
	case "os.ReadDir", "os.CopyFS", "os.DirFS", "os.(*File).ReadDir", "os.(*File).Readdir", "os.(*File).Readdirnames",
		"os.OpenRoot", "os.OpenInRoot", "os.StartProcess", "io/ioutil.ReadDir", "path/filepath.Walk", "path/filepath.WalkDir", "path/filepath.Glob",
		"syscall.ReadDirent", "syscall.Getdents", "syscall.StartProcess", "syscall.ForkExec", "syscall.Exec":
		return true
	}
	if strings.HasSuffix(name, initTask) { // initializing a package does not list files
		return false
	}
	name = strings.TrimPrefix(name, "type:")
	if strings.HasPrefix(name, "html/template.") || strings.HasPrefix(name, "text/template.") {
		return strings.HasSuffix(strings.ToLower(name), "parseglob")
	}
	return slices.ContainsFunc([]string{"os.dirFS", "os/exec.", "go/build.", "go/parser.", "net/http.Dir"}, func(p string) bool { return strings.HasPrefix(name, p) })
}

// isRoot reports whether every benchmark may reach a symbol. That is the case for the main
// function, which calls TestMain, and for the initialization of packages.
func isRoot(name string) bool {
	return name == testMain+".main" || strings.HasSuffix(name, initTask)
}

// compare marks the nodes that differ between the programs or exist in only one of them.
func compare(a, b *program) {
	for _, pair := range [][2]*program{{a, b}, {b, a}} {
		for i := range pair[0].nodes {
			n := &pair[0].nodes[i]
			var other [][sha256.Size]byte
			if id, ok := pair[1].ids[n.name]; ok {
				other = pair[1].nodes[id].hashes
			}
			n.changed = n.name == unknown || !slices.Equal(n.hashes, other) && !slices.Contains(testLists, n.name)
		}
	}
}

// A flood marks the part of a program that has been reached.
type flood struct {
	*program
	reached, used []bool
	queue         []int
	changed       string // name of a reached symbol that changed, or ""
	opens, lists  bool   // whether a reached symbol opens or lists files
}

func newFlood(p *program, from *flood) *flood {
	if from != nil {
		return &flood{program: p, reached: slices.Clone(from.reached), used: slices.Clone(from.used), opens: from.opens, lists: from.lists}
	}
	return &flood{program: p, reached: make([]bool, len(p.nodes)), used: make([]bool, len(p.nodes))}
}

// mark marks a symbol as reached. A type can be marked a second time, as used.
func (f *flood) mark(id int, use bool) {
	n := &f.nodes[id]
	use = n.goType && use
	if f.reached[id] && (!use || f.used[id]) {
		return
	}
	f.reached[id], f.used[id] = true, f.used[id] || use
	f.opens, f.lists = f.opens || n.opens, f.lists || n.lists
	if n.changed && f.changed == "" {
		f.changed = n.name
	}
	f.queue = append(f.queue, id)
}

// from marks everything reachable from the given symbols. Through reflection, a program can get
// from a type to its component types, and from a value to its methods, including the methods of a
// pointer to it.
func (f *flood) from(ids ...int) {
	for _, id := range ids {
		f.mark(id, false)
	}
	for len(f.queue) > 0 {
		id := f.queue[len(f.queue)-1]
		f.queue = f.queue[:len(f.queue)-1]
		for _, e := range f.nodes[id].edges {
			if e.method && !f.used[id] {
				continue
			}
			f.mark(e.to, e.use || f.used[id])
		}
	}
}
