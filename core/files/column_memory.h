#pragma once

#include "core/base/huge_pages.h"
#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace highwater {

/// Where the columns of traces get their memory: chunks of kHugePageBytes. All traces of the program share a budget of
/// anonymous memory; what goes beyond it lies in a temporary file that is mapped (ScratchChunks), which the system can
/// write to the disk in place of taking memory from others. Any thread, and no cost but by the chunk.

/// Gives back what allocateColumnChunk returned.
struct ColumnChunkDeleter {
    static constexpr std::uint32_t kAnonymous = 0xFFFFFFFFu;
    std::uint32_t place = kAnonymous; ///< else its number in the file
    void operator()(std::byte* chunk) const noexcept;
};
using ColumnChunk = std::unique_ptr<std::byte[], ColumnChunkDeleter>;

/// kHugePageBytes of zeroed memory, the chunk `number` of its column. The first one is always anonymous: small traces
/// do not go to the disk. The first few have pages of the usual size, of which only those take memory that are written
/// to: the last chunk of a column is rarely full, and small traces have a column's first chunks only. Where the file
/// cannot take more (the disk is full), anonymous memory goes beyond the budget. Null: that is used up, too.
[[nodiscard]] ColumnChunk allocateColumnChunk(std::uint64_t number);

/// A budget of its own; 0: the usual one again, half of the machine's memory. What is there stays where it is.
void setColumnMemoryBudget(ByteCount bytes);

struct ColumnMemory {
    ByteCount budget = 0;
    ByteCount anonymousBytes = 0; ///< chunks as a whole, touched or not
    ByteCount fileBytes = 0;
    std::filesystem::path folder; ///< of the file; empty: there is none
    std::string refusal;          ///< why the file could not take the last chunk that it should have; empty: it could
};
/// As it is now.
[[nodiscard]] ColumnMemory columnMemory();
/// What a user should know of it: a sentence or two; empty: all columns are within the budget.
[[nodiscard]] std::string describe(const ColumnMemory& memory);

} // namespace highwater
