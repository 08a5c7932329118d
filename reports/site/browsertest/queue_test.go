package browsertest

import "testing"

// cells is an expression for the text of a table on the page.
func cells(caption string) string {
	return `[...document.querySelectorAll("main table")].filter(t => t.caption.textContent === ` + quoted(caption) + `)[0].innerText`
}

// queue checks that the page shows the queue with its alarms, and follows its changes without being
// loaded again and without taking the focus from the reader.
func queue(t *testing.T, b *tab, base string, f *fixture) {
	b.size(t, 1280, 900)
	b.prefer(t, "light")
	b.open(t, base+"#/")
	b.wait(t, `!document.querySelector("nav [data-page=queue]").hidden`)
	b.eval(t, `document.querySelector("nav [data-page=queue]").click()`, nil)
	b.wait(t, `location.hash === "#/queue" && `+settled)
	b.wait(t, `document.querySelector("main .alarms.wrong li") && document.querySelector("main .alarms").innerText.includes("Worker bench-3 of class linux-epyc was last seen at")`)
	b.wait(t, cells("Workers")+`.includes("bench-1") && `+cells("Workers")+`.includes("<img/src=x/onerror=")`)
	b.eval(t, `(globalThis.sameDocument = true, document.querySelectorAll("main table .head")[5].focus(), globalThis.focused = document.activeElement, true)`, nil)
	f.sql(t, `UPDATE fleet_jobs SET state = 'completed' WHERE state IN ('waiting', 'running'); DELETE FROM fleet_workers WHERE id <> 'bench-1'`)
	b.wait(t, `document.querySelector("main .alarms").innerText.includes("No alarm")`)
	b.wait(t, `document.querySelector("main .lead").innerText.startsWith("1 live worker, 0 jobs running, 0 waiting, at ")`)
	b.wait(t, `!`+cells("Workers")+`.includes("bench-2")`)
	b.wait(t, `globalThis.sameDocument && document.activeElement === focused && focused.isConnected`)
	f.sql(t, `UPDATE fleet_jobs SET state = 'waiting' WHERE job > 1215`)
	b.wait(t, `document.getElementById("live").textContent === "2 alarms"`)
	b.open(t, base+"#/runs")
	b.wait(t, `document.querySelector("main h1").textContent === "Runs"`)
	if complaints, _ := b.said(); len(complaints) > 0 {
		t.Errorf("complaints: %q", complaints)
	}
}
