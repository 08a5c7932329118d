// The tests of the page in a browser, a module of their own: what is only for them is
// nothing that perftrack depends on.
module github.com/perftrack/perftrack/reports/site/browsertest

go 1.25.0

require (
	github.com/chromedp/cdproto v0.159.0
	github.com/chromedp/chromedp v0.22.1
)

require github.com/go-json-experiment/json v0.0.0-20260213210345-44df1a37e875 // indirect
