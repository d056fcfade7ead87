#pragma once

#include "tests/core/analysis/columns_builder.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace highwater::tests {

/// A heap block of a process; end 0: outstanding.
struct BlockOfTest {
    std::int64_t begin = 0;
    std::int64_t end = 0;
    ByteCount size = 0;
    std::string stack = {};
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
};

/// Publishes blocks of a.exe (7) and b.exe (8), all before time 1000. Addresses are 0x1000, 0x2000, ...; at one
/// instant, blocks end before others start.
inline std::shared_ptr<const store::PublishedTrace> traceOfBlocks(const std::vector<BlockOfTest>& blocks) {
    ColumnsBuilder builder;
    builder.process("a.exe", 7, TraceTime{0});
    builder.process("b.exe", 8, TraceTime{0});
    std::vector<std::size_t> rows(blocks.size());
    for (std::int64_t time = 0; time < 1000; ++time) {
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].end != time || blocks[i].begin == time || time == 0) continue;
            ModelRelease release;
            release.time = TraceTime{time};
            release.stack = blocks[i].stack;
            builder.end(rows[i], release);
        }
        for (std::size_t i = 0; i < blocks.size(); ++i) {
            if (blocks[i].begin != time) continue;
            ModelRow row;
            row.process = blocks[i].process;
            row.heap = 0x10000;
            row.thread = blocks[i].thread;
            row.begin = TraceTime{time};
            row.size = blocks[i].size;
            row.stack = blocks[i].stack;
            row.address = 0x1000 * (i + 1);
            rows[i] = builder.alloc(row);
        }
    }
    return builder.publish(TraceTime{1000});
}

} // namespace highwater::tests
