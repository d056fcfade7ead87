#pragma once

namespace highwater::tests {

/// In the memory of copied_program, one for each busy thread: it increments `first`, then `second`.
struct CopiedCounters {
    volatile unsigned long tid;
    volatile unsigned long first;
    volatile unsigned long second;
};

} // namespace highwater::tests
