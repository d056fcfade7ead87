#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>

namespace highwater {

/// The unit by which columns grow: one large page.
inline constexpr std::size_t kHugePageBytes = std::size_t{2} << 20;

enum class PageSize { Normal, Huge };

/// Releases memory from allocateChunk().
struct ChunkDeleter {
    void operator()(std::byte* chunk) const noexcept;
};
using ChunkMemory = std::unique_ptr<std::byte[], ChunkDeleter>;

/// kHugePageBytes of zeroed memory, aligned to its size. Pages are touched only when they are used. Huge asks the
/// system for one large page, whose first touch is an order of magnitude faster; this is only a hint. Returns null if
/// the system has no memory left.
[[nodiscard]] ChunkMemory allocateChunk(PageSize pages);

/// Asks the system to back [memory, memory + bytes) with large pages where possible. Call before the first touch.
void preferHugePages(void* memory, std::size_t bytes);

/// Zeroed pages from the system. Null: out of memory.
[[nodiscard]] void* allocatePages(std::size_t bytes);
/// Releases memory from allocatePages(bytes).
void releasePages(void* memory, std::size_t bytes) noexcept;

/// Allocator for vectors that grow large. Large blocks come directly from the system, in large pages if there are
/// several, and are returned to it when freed; the heap would keep them for later use. Small blocks come from the heap.
template <typename T>
struct LargeAllocator {
    using value_type = T;
    LargeAllocator() = default;
    template <typename Other>
    LargeAllocator(const LargeAllocator<Other>&) noexcept {}

    [[nodiscard]] T* allocate(std::size_t count) {
        const auto bytes = count * sizeof(T); // a vector asks for no more than max_size()
        if (bytes < kLarge) return std::allocator<T>().allocate(count);
        auto* memory = allocatePages(bytes);
        if (memory == nullptr) throw std::bad_alloc();
        if (bytes >= 2 * kHugePageBytes) preferHugePages(memory, bytes);
        return static_cast<T*>(memory);
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        if (count * sizeof(T) < kLarge) return std::allocator<T>().deallocate(memory, count);
        releasePages(memory, count * sizeof(T));
    }
    /// Whether memory of this size is zeroed. Memory from the heap is not.
    [[nodiscard]] static bool isZeroed(std::size_t count) { return count * sizeof(T) >= kLarge; }
    friend bool operator==(LargeAllocator, LargeAllocator) { return true; }

  private:
    static constexpr std::size_t kLarge = std::size_t{64} << 10;
};

/// Returns unused memory in the heap of this process to the system. Call it after a phase of high memory use.
/// Takes some milliseconds. Does nothing if the system has no such call.
void releaseFreeMemory();

/// From now on, large blocks of memory are returned to the system as soon as they are freed, no matter where they are
/// allocated. Otherwise the heap holds ever larger blocks for later use, and answers to questions leave hundreds of
/// megabytes behind. For `main` of long-running programs. Does nothing if the system has no such call.
void releaseLargeMemoryImmediately();

/// Physical memory of the machine, in bytes; nothing if the system does not report it.
[[nodiscard]] std::optional<std::uint64_t> machineMemoryBytes();

} // namespace highwater
