//go:build ignore

// The first program of the emulated machine of .ci/emulate: it runs each test binary
// in /tests, tells how it ended on the console and turns the machine off.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"time"
)

func main() {
	for where, kind := range map[string]string{"/proc": "proc", "/dev": "devtmpfs", "/tmp": "tmpfs"} {
		if err := syscall.Mount(kind, where, kind, 0, ""); err != nil {
			fmt.Println("mount", where, err)
		}
	}
	info, _ := os.ReadFile("/proc/cpuinfo")
	fmt.Printf("CPU %q\n", regexp.MustCompile(`avx512\w+`).FindAllString(string(info), -1))
	tests, _ := filepath.Glob("/tests/*")
	for _, t := range tests {
		c := exec.Command(t, "-test.v", "-test.run", "^(TestVNNI|TestVNNIText|FuzzVectorKernels|TestKernelsEqualThePortableCode)$", "-test.timeout", "25m")
		c.Stdout, c.Stderr = os.Stdout, os.Stderr
		// Go's collector would scan with AVX-512 (GFNI, VBMI, BITALG), which this emulator
		// gets wrong: it dies of "found pointer to free object" before any kernel runs.
		c.Env = []string{"GODEBUG=cpu.avx512dq=off"}
		err := c.Run()
		fmt.Println("RUN", t, err)
		if err != nil {
			fmt.Println("FAIL", t)
		}
	}
	fmt.Println("EMULATOR DONE")
	time.Sleep(time.Second)
	_ = syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF)
}
