package site

// A part holds styles and scripts that several pages share. The script js/parts.js loads the part
// when the first of these pages is opened. Names are paths below static without their extensions,
// separated by spaces, in loading order.
type part struct {
	pages   string // names of pages as in addresses; "" means all pages
	styles  string
	scripts string
}

// themeScript is the script that runs before anything is drawn.
const themeScript = "js/theme"

// parts lists every style and script of the page once, except for themeScript. Each part begins
// with a script of perftrack, because its "use strict" applies to the whole part.
var parts = []part{
	{
		styles:  "perftrack",
		scripts: "js/format js/order js/again js/router js/loader js/dom js/parts js/virtual js/table js/keys js/core",
	},
	{pages: "overview trends family", scripts: "js/spark js/rows"},
	{pages: "overview", styles: "overview", scripts: "js/filters js/now js/limits js/page_overview"},
	{pages: "regressions commit", scripts: "js/changes"},
	{
		pages: "regressions machine releases models commit family", styles: "pages",
		scripts: "js/plot js/page_regressions js/page_machine js/page_releases js/page_models",
	},
	{pages: "b trends", styles: "chart", scripts: "js/benchmark/find"},
	{pages: "trends", styles: "trends", scripts: "js/trends/next js/page_trends"},
	{
		pages: "b", styles: "uplot/uPlot.min",
		scripts: "js/chart/maths js/chart/words js/chart/paint js/chart/hand js/chart/chart js/benchmark/point js/benchmark/steps js/page_benchmark uplot/uPlot.iife.min",
	},
	{pages: "p profiles", styles: "profile", scripts: "js/calls js/page_profile"},
	{pages: "c compare runs r commit", styles: "compare"},
	{
		pages:   "c compare commit",
		scripts: "js/compare/model js/compare/forest js/compare/detail js/compare/rows js/compare/view js/compare/unpaired js/compare/bases js/page_comparison js/page_compare",
	},
	{pages: "family", scripts: "js/family js/page_family"},
	{pages: "commit", scripts: "js/page_commit"},
	{pages: "runs r", scripts: "js/page_runs js/page_run"},
	{pages: "queue", styles: "queue", scripts: "js/page_queue"},
}
