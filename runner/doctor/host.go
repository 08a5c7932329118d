package doctor

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/perftrack/perftrack/runner/machine"
)

// hostFiles read the files under /proc and /sys of a machine. On systems that
// have none of them every fact is unknown.
type hostFiles struct{ root string }

// read returns a file's text, "" where there is none.
func (h hostFiles) read(path string) string {
	text, err := os.ReadFile(filepath.Join(h.root, path))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

func (h hostFiles) exists(path string) bool {
	_, err := os.Stat(filepath.Join(h.root, path))
	return err == nil
}

// values returns the different texts of the files that match, sorted.
func (h hostFiles) values(pattern string) []string {
	paths, _ := filepath.Glob(filepath.Join(h.root, pattern)) // a bad pattern would be ours
	var out []string
	for _, p := range paths {
		if text, err := os.ReadFile(p); err == nil {
			out = append(out, strings.TrimSpace(string(text)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sum adds up the numbers in the files that match; ok is false without any.
func (h hostFiles) sum(pattern string) (total int, ok bool) {
	paths, _ := filepath.Glob(filepath.Join(h.root, pattern))
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			continue
		}
		if n, err := strconv.Atoi(strings.TrimSpace(string(text))); err == nil {
			total, ok = total+n, true
		}
	}
	return total, ok
}

// field returns what follows "name:" on a line of a file.
func (h hostFiles) field(path, name string) string {
	for line := range strings.Lines(h.read(path)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// conditions returns every condition that the files can show, in a fixed order.
func (h hostFiles) conditions(cpus cpuFacts) []Condition {
	return []Condition{
		h.governor(), h.turbo(), h.smt(), h.load(), h.virtualisation(), h.container(), h.quota(cpus),
		h.cpus(cpus), h.clock(), h.thermal(), h.battery(), h.hugePages(),
	}
}

func quiet(name, found string) Condition { return Condition{Name: name, State: Quiet, Found: found} }

func noisy(name, found, remedy string) Condition {
	return Condition{Name: name, State: Noisy, Found: found, Remedy: remedy}
}

func unknown(name, found string) Condition {
	return Condition{Name: name, State: Unknown, Found: found}
}

func (h hostFiles) governor() Condition {
	const name = "governor"
	governors := h.values("sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor")
	found := strings.Join(governors, ", ")
	switch {
	case len(governors) == 0:
		return unknown(name, "not shown to this system; a virtual machine's host decides")
	case found == "performance":
		return quiet(name, found)
	}
	return noisy(name, found, "keep the frequency up: `sudo cpupower frequency-set -g performance`")
}

func (h hostFiles) turbo() Condition {
	const name, remedy = "turbo", "the frequency depends on how many cores are busy and how warm they are; switch it off while measuring: "
	if v := h.read("sys/devices/system/cpu/intel_pstate/no_turbo"); v != "" {
		if v == "1" {
			return quiet(name, "off")
		}
		return noisy(name, "on", remedy+"`echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo`")
	}
	if v := h.read("sys/devices/system/cpu/cpufreq/boost"); v != "" {
		if v == "0" {
			return quiet(name, "off")
		}
		return noisy(name, "on", remedy+"`echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost`")
	}
	return unknown(name, "not shown to this system")
}

func (h hostFiles) smt() Condition {
	const name = "smt"
	switch h.read("sys/devices/system/cpu/smt/active") {
	case "0":
		return quiet(name, "off, or hidden from this system")
	case "1":
		return noisy(name, "on: two threads share a core", "what runs on the other thread of a core takes up to half of it: "+
			"`echo off | sudo tee /sys/devices/system/cpu/smt/control`, or leave every second thread idle: `perftrack check --cpus`, one thread of each core (`lscpu -e`)")
	}
	return unknown(name, "not shown to this system")
}

// load is that of the last minute. Half a CPU is what a quiet desktop has.
func (h hostFiles) load() Condition {
	const name, much = "load", 0.5
	text, _, _ := strings.Cut(h.read("proc/loadavg"), " ")
	if text == "" && h.root == "/" {
		text = machine.LoadAverage()
	}
	load, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil:
		return unknown(name, "")
	case load <= much:
		return quiet(name, text)
	}
	return noisy(name, text+" in the last minute", "other programs want the CPUs: close them, or wait until they are done (perftrack's own work counts, too)")
}

func (h hostFiles) virtualisation() Condition {
	const name = "virtualisation"
	const remedy = "neighbours on the same host share its caches and memory: prefer a machine of its own; compare only what was measured side by side (`perftrack check`)"
	flags := strings.Fields(h.field("proc/cpuinfo", "flags"))
	product := strings.TrimSpace(h.read("sys/class/dmi/id/sys_vendor") + " " + h.read("sys/class/dmi/id/product_name"))
	kind := h.read("sys/hypervisor/type")
	switch {
	case slices.Contains(flags, "hypervisor") || kind != "":
		return noisy(name, strings.TrimSpace("virtual machine "+strings.TrimSpace(kind+" "+product)), remedy)
	case slices.ContainsFunc(virtualProducts, func(p string) bool { return strings.Contains(product, p) }):
		return noisy(name, "virtual machine "+product, remedy)
	case len(flags) > 0:
		return quiet(name, strings.TrimSpace("none "+product))
	}
	return unknown(name, product) // of ARM: the CPU does not say
}

// virtualProducts are in the names that virtual machines give themselves, for
// CPUs that have no flag for it.
var virtualProducts = []string{"QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Amazon EC2", "Google Compute Engine", "Xen", "Parallels"}

func (h hostFiles) container() Condition {
	const name = "container"
	for _, sign := range []string{".dockerenv", "run/.containerenv"} {
		if h.exists(sign) {
			return Condition{Name: name, State: Unknown, Found: "inside one: other containers of the machine are not visible here"}
		}
	}
	if !h.exists("proc") {
		return unknown(name, "")
	}
	return quiet(name, "none seen")
}

func (h hostFiles) clock() Condition {
	const name = "clock source"
	source := h.read("sys/devices/system/clocksource/clocksource0/current_clocksource")
	switch source {
	case "":
		return unknown(name, "")
	case "tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page":
		return quiet(name, source)
	}
	return noisy(name, source, "reading the time takes a system call: boot with `tsc=reliable`, or `clocksource=tsc`, where the CPU's counter is sound")
}

func (h hostFiles) thermal() Condition {
	const name = "thermal throttling"
	n, ok := h.sum("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count")
	switch {
	case !ok:
		return unknown(name, "not shown to this system")
	case n == 0:
		return quiet(name, "never since boot")
	}
	return noisy(name, fmt.Sprintf("%d times since boot", n), "the CPU slows down to stay cool: mend the cooling, or switch turbo off")
}

func (h hostFiles) battery() Condition {
	const name = "power"
	status := h.values("sys/class/power_supply/*/status")
	switch {
	case slices.Contains(status, "Discharging"):
		return noisy(name, "on battery", "plug in: on battery the CPU saves power")
	case len(status) > 0:
		return quiet(name, "mains")
	case h.exists("sys/class"):
		return quiet(name, "no battery")
	}
	return unknown(name, "")
}

// hugePages are noisy where the kernel gives them to whoever there is room for:
// whether there is depends on what ran before.
func (h hostFiles) hugePages() Condition {
	const name = "huge pages"
	text := h.read("sys/kernel/mm/transparent_hugepage/enabled")
	_, rest, _ := strings.Cut(text, "[")
	mode, _, _ := strings.Cut(rest, "]")
	switch mode {
	case "":
		return unknown(name, "")
	case "always":
		return noisy(name, mode, "a process gets them or not by luck: `echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled`")
	}
	return quiet(name, mode)
}
