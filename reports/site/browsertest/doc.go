// Package browsertest opens every page of a site in headless Chromium, from a folder and from
// perftrack serve, and looks at what a reader would: that it is drawn, quiet on the console,
// loads nothing from elsewhere, fits a narrow window, runs nothing that a name holds, and can
// be read without eyes.
//
// The site is made by perftrack itself, from a repository that the tests write. Without
// Chromium the tests are skipped, and say so. PERFTRACK_PICTURES names a folder for a picture of
// every page; PERFTRACK_AXE is axe-core's axe.min.js, which else npm fetches.
package browsertest
