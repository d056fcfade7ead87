#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>

namespace highwater::benchmarks {

/// Cheap random numbers that are the same in every run.
struct XorShift {
    std::uint64_t state = 88172645463325252ull;
    std::uint64_t operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
};

/// The shape of a trace. Blocks come one every 100 ns and live for a random time.
struct SyntheticTrace {
    std::uint64_t rows = 20'000'000;
    std::uint32_t stacks = 100'000; ///< distinct, 12 frames each
    std::uint32_t processes = 20;
    std::uint32_t threads = 16;           ///< per trace
    std::uint32_t outstanding = 1u << 21; ///< blocks outstanding at a time, on average
};

/// Directly as columns, without files: a heap table of that shape. About 40 bytes of memory per row.
[[nodiscard]] std::shared_ptr<const store::PublishedTrace> makeSyntheticTrace(const SyntheticTrace& shape);

/// A trace with these finished columns, published up to `horizon`. It keeps both arguments.
[[nodiscard]] std::shared_ptr<store::PublishedTrace>
publishedTrace(std::shared_ptr<const store::TraceColumns> columns, std::shared_ptr<const store::ProcessTable> processes,
               TraceTime horizon);

} // namespace highwater::benchmarks
