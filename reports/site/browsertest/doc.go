// Package browsertest opens every page of a site in headless Chromium, both from a folder and from
// perftrack serve. It checks what is drawn, the console, requests to other hosts, narrow windows,
// hostile names and accessibility.
//
// The tests write a repository, and perftrack makes the site from it. They are skipped if there is
// no Chromium. If PERFTRACK_PICTURES names a folder, the tests save a picture of every page there.
// PERFTRACK_AXE is the path of axe-core's axe.min.js. If it is not set, npm downloads the file.
package browsertest
