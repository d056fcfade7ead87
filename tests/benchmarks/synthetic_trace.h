#pragma once

#include "core/store/published/published_trace.h"

#include <cstdint>
#include <memory>

namespace highwater::benchmarks {

/// Random numbers that are the same in every run, and cheap.
struct XorShift {
    std::uint64_t state = 88172645463325252ull;
    std::uint64_t operator()() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return state;
    }
};

/// How a trace is to look. Blocks come one every 100 ns and live for a random while.
struct SyntheticTrace {
    std::uint64_t rows = 20'000'000;
    std::uint32_t stacks = 100'000; ///< distinct, 12 frames each
    std::uint32_t processes = 20;
    std::uint32_t threads = 16;           ///< per trace
    std::uint32_t outstanding = 1u << 21; ///< blocks outstanding at a time, about
};

/// Straight into columns, without files: a heap table of that shape. About 40 bytes of memory a row.
[[nodiscard]] std::shared_ptr<const store::PublishedTrace> makeSyntheticTrace(const SyntheticTrace& shape);

/// A trace of finished columns, seen up to `horizon`. Both are kept.
[[nodiscard]] std::shared_ptr<store::PublishedTrace>
publishedTrace(std::shared_ptr<const store::TraceColumns> columns, std::shared_ptr<const store::ProcessTable> processes,
               TraceTime horizon);

} // namespace highwater::benchmarks
