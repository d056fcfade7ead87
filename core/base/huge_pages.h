#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace highwater {

/// The unit in which columns grow: one large page.
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

enum class PageSize { Normal, Huge };

/// Releases what allocateChunk returned.
struct ChunkDeleter {
    void operator()(std::byte* chunk) const noexcept;
};
using ChunkMemory = std::unique_ptr<std::byte[], ChunkDeleter>;

/// kHugePageBytes of zeroed memory, aligned to its size; pages are touched only when they are used.
/// Huge asks the system for one large page (first touch is an order of magnitude faster); it is a hint, not a
/// condition. Returns null when the system has no memory left.
[[nodiscard]] ChunkMemory allocateChunk(PageSize pages);

/// Asks the system to back what is in [memory, memory + bytes) with large pages where it can. Call before the first
/// touch.
void preferHugePages(void* memory, std::size_t bytes);

/// Physical memory of the machine, in bytes; nothing when the system does not say.
[[nodiscard]] std::optional<std::uint64_t> machineMemoryBytes();

} // namespace highwater
