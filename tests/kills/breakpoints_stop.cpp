// Exits with 0 where breakpoints of the processor stop threads, otherwise with 1: then a program is followed to its
// next allocation step by step, and more of them are lost when the loader is killed.
#include "core/source/attach/processor_breakpoints_linux.h"

int main() { return highwater::source::processorBreakpointsStop() ? 0 : 1; }
