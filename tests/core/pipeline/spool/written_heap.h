#pragma once

#include "core/pipeline/spool/spool_file.h"
#include "tests/core/decode/record_stream.h"
#include "tests/core/pipeline/trace_files.h"

#include <QTemporaryDir>

#include <filesystem>
#include <string>

namespace highwater::tests {

/// A file of a recording in a folder of its own, in memory where that is possible.
inline pipeline::SpoolFile::Options inFolder(const QTemporaryDir& folder, const char* name = "spool.etl") {
    return {.place = folder.filePath(name).toStdString(), .packing = {.compression = etl::Compression::None}};
}

/// Blocks allocated at these ticks.
inline void writeBlocks(pipeline::SpoolFile& file, std::int64_t firstTicks, int count) {
    RecordStream stream;
    for (int i = 0; i < count; ++i) {
        stream.heapAlloc(firstTicks + i, 77, 5, 0x1000 + static_cast<Address>(firstTicks + i) * 16);
    }
    file.write(stream.records());
}

inline std::uint64_t blocksIn(const std::filesystem::path& path) {
    const auto trace = load(path);
    return trace ? trace->heap.rows : 0;
}

/// Completes a next file that had nothing outstanding at its start.
inline pipeline::CarryOver nothingCarriedOver(std::int64_t startTicks, const std::filesystem::path& trace) {
    store::PagesAt pages;
    pages.time = TraceTime{startTicks};
    return {.startTicks = startTicks, .trace = load(trace), .pages = std::make_shared<store::PagesAt>(pages)};
}

} // namespace highwater::tests
