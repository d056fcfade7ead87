#pragma once

#include "core/base/huge_pages.h"
#include "core/base/units.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace highwater {

/// Memory for trace columns, in chunks of kHugePageBytes. All traces of the program share a budget of anonymous memory.
/// Chunks beyond it are in a mapped temporary file (ScratchChunks), which the system can write to the disk in place of
/// taking memory from others. Any thread; costs only arise per chunk.

/// Returns memory of allocateColumnChunk.
struct ColumnChunkDeleter {
    static constexpr std::uint32_t kAnonymous = 0xFFFFFFFFu;
    std::uint32_t place = kAnonymous; ///< otherwise its number in the file
    void operator()(std::byte* chunk) const noexcept;
};
using ColumnChunk = std::unique_ptr<std::byte[], ColumnChunkDeleter>;

/// kHugePageBytes of zeroed memory for chunk `number` of its column. The first one is always anonymous, so that small
/// traces do not use the disk. The first few have normal pages, which only use memory when they are written to, because
/// the last chunk of a column is rarely full, and small traces only have the first chunks of columns. If the file
/// cannot grow (the disk is full), anonymous memory exceeds the budget. Null if that is also exhausted.
[[nodiscard]] ColumnChunk allocateColumnChunk(std::uint64_t number);

/// Sets the budget; 0: the default, half of the machine's memory. Existing chunks are not moved.
void setColumnMemoryBudget(ByteCount bytes);

struct ColumnMemory {
    ByteCount budget = 0;
    ByteCount anonymousBytes = 0; ///< whole chunks, touched or not
    ByteCount fileBytes = 0;
    std::filesystem::path folder; ///< folder of the file; empty if there is none
    std::string refusal;          ///< the reason why the file could not take the last chunk; empty if it could
};
/// The current state.
[[nodiscard]] ColumnMemory columnMemory();
/// One or two sentences for the user; empty if all columns are within the budget.
[[nodiscard]] std::string describe(const ColumnMemory& memory);

} // namespace highwater
