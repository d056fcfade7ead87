// Like known_totals.cpp: a known amount, in a profile that contains every allocation.
package main

import (
	"os"
	"runtime"
	"runtime/pprof"
)

var kept [][]byte
var last []byte

//go:noinline
func leakOne() { kept = append(kept, make([]byte, 10007)) }

//go:noinline
func leakThem() {
	kept = make([][]byte, 0, 300)
	for i := 0; i < 300; i++ {
		leakOne()
	}
}

//go:noinline
func churn() {
	for i := 0; i < 5000; i++ {
		last = make([]byte, 4099)
	}
}

func init() { runtime.MemProfileRate = 1 }

func main() {
	leakThem()
	churn()
	last = nil
	runtime.GC()
	runtime.GC()
	file, err := os.Create(os.Args[1])
	if err != nil {
		panic(err)
	}
	if err := pprof.WriteHeapProfile(file); err != nil {
		panic(err)
	}
	file.Close()
	runtime.KeepAlive(kept)
}
