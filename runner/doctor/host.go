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

// hostFiles reads a machine's files under /proc and /sys. On systems without them, all conditions
// are unknown.
type hostFiles struct{ root string }

// read returns the text of a file without surrounding space, or "" if it cannot be read.
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

// values returns the distinct texts of the files matching pattern, sorted.
func (h hostFiles) values(pattern string) []string {
	paths, _ := filepath.Glob(filepath.Join(h.root, pattern)) // only a malformed pattern would be an error
	var out []string
	for _, p := range paths {
		if text, err := os.ReadFile(p); err == nil {
			out = append(out, strings.TrimSpace(string(text)))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// sum adds up the numbers in the files matching pattern. ok is false if there are none.
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

// field returns the value after "name:" in a line of a file.
func (h hostFiles) field(path, name string) string {
	for line := range strings.Lines(h.read(path)) {
		if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// conditions returns all conditions shown by the files, in a fixed order.
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
		return unknown(name, "hidden from this system; in a virtual machine, the host decides")
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
	return unknown(name, "hidden from this system")
}

func (h hostFiles) smt() Condition {
	const name = "smt"
	switch h.read("sys/devices/system/cpu/smt/active") {
	case "0":
		return quiet(name, "off, or hidden from this system")
	case "1":
		return noisy(name, "on: two threads share a core", "the other thread on a core takes up to half of its speed: "+
			"`echo off | sudo tee /sys/devices/system/cpu/smt/control`, or use one thread per core (see `lscpu -e`) with `perftrack check --cpus`")
	}
	return unknown(name, "hidden from this system")
}

// load describes the load average of the last minute. A quiet desktop has a load of half a CPU.
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
	return noisy(name, text+" in the last minute", "other programs use the CPUs: close them, or wait until they have finished (the load includes perftrack's own work)")
}

func (h hostFiles) virtualisation() Condition {
	const name = "virtualisation"
	const remedy = "other virtual machines on the host share its caches and memory: use a dedicated machine, or compare only side by side with `perftrack check`"
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
	return unknown(name, product) // for example on ARM, where the CPU does not report it
}

// virtualProducts lists parts of virtual machines' product names. They are needed for CPUs without
// a flag for virtualization.
var virtualProducts = []string{"QEMU", "KVM", "VMware", "VirtualBox", "Virtual Machine", "Amazon EC2", "Google Compute Engine", "Xen", "Parallels"}

func (h hostFiles) container() Condition {
	const name = "container"
	for _, sign := range []string{".dockerenv", "run/.containerenv"} {
		if h.exists(sign) {
			return Condition{Name: name, State: Unknown, Found: "perftrack runs in one and cannot see the machine's other containers"}
		}
	}
	if !h.exists("proc") {
		return unknown(name, "")
	}
	return quiet(name, "none found")
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
	return noisy(name, source, "reading the time takes a system call: boot with `tsc=reliable` or `clocksource=tsc` if the CPU's counter is reliable")
}

func (h hostFiles) thermal() Condition {
	const name = "thermal throttling"
	n, ok := h.sum("sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count")
	switch {
	case !ok:
		return unknown(name, "hidden from this system")
	case n == 0:
		return quiet(name, "never since boot")
	}
	return noisy(name, fmt.Sprintf("%d times since boot", n), "the CPU slows down to stay cool: improve the cooling, or turn off turbo")
}

func (h hostFiles) battery() Condition {
	const name = "power"
	status := h.values("sys/class/power_supply/*/status")
	switch {
	case slices.Contains(status, "Discharging"):
		return noisy(name, "on battery", "the CPU saves power on battery: plug in")
	case len(status) > 0:
		return quiet(name, "mains")
	case h.exists("sys/class"):
		return quiet(name, "no battery")
	}
	return unknown(name, "")
}

// hugePages describes whether processes get transparent huge pages. The condition is noisy if the
// kernel gives them to any process while there is room, because this depends on the programs that
// ran before.
func (h hostFiles) hugePages() Condition {
	const name = "huge pages"
	text := h.read("sys/kernel/mm/transparent_hugepage/enabled")
	_, rest, _ := strings.Cut(text, "[")
	mode, _, _ := strings.Cut(rest, "]")
	switch mode {
	case "":
		return unknown(name, "")
	case "always":
		return noisy(name, mode, "whether a process gets huge pages is a matter of luck: `echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled`")
	}
	return quiet(name, mode)
}
