package comparison

import (
	"slices"
	"strings"

	"github.com/perftrack/perftrack/compare"
)

// packages lists the packages and suites of merged tables.
type packages struct {
	list []string
	skip int // number of bytes of the common path to skip
}

func packageOf(t *compare.Table) string { return strings.TrimSpace(t.Package + " " + t.Suite) }

// packagesOf returns the packages in a group of tables. Their names will be shown without their
// common path.
func packagesOf(group []compare.Table) (p packages) {
	for i := range group {
		if name := packageOf(&group[i]); !slices.Contains(p.list, name) {
			p.list = append(p.list, name)
		}
	}
	common := p.list[0]
	for _, name := range p.list[1:] {
		for !strings.HasPrefix(name+"/", common+"/") && common != "" {
			common = common[:max(0, strings.LastIndexByte(common, '/'))]
		}
	}
	if p.skip = strings.LastIndexByte(common, '/') + 1; slices.ContainsFunc(p.list, func(s string) bool { return s == common }) || common == "" {
		return p // the common path is itself a package, so keep its name
	}
	p.skip = len(common) + 1
	return p
}

// name returns the name of a row, preceded by its package if there are several packages.
func (p packages) name(r tableRow) string {
	if len(p.list) < 2 {
		return r.Name
	}
	return strings.TrimSpace(packageOf(r.t)[p.skip:] + " " + r.Name)
}
