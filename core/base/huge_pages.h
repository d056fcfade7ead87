#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
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

/// Zeroed memory of the system, by the page; null: there is none left.
[[nodiscard]] void* allocatePages(std::size_t bytes);
/// Gives back what allocatePages(bytes) returned.
void releasePages(void* memory, std::size_t bytes) noexcept;

/// For vectors that grow large: memory of the system's own, in large pages where there are several, which it has back
/// as soon as they let go of it. The heap would keep it for later. What is small is the heap's.
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
    /// Whether so many come zeroed. The heap's do not.
    [[nodiscard]] static bool isZeroed(std::size_t count) { return count * sizeof(T) >= kLarge; }
    friend bool operator==(LargeAllocator, LargeAllocator) { return true; }

  private:
    static constexpr std::size_t kLarge = std::size_t{64} << 10;
};

/// Gives free memory that the heap of this process keeps for later back to the system: after much was used for a while.
/// Takes some milliseconds. Does nothing where the system has no such call.
void giveBackFreeMemory();

/// From now on the system has large pieces of memory back as soon as they are freed, whoever allocates them. Else the
/// heap keeps ever larger ones for later, which answers to questions leave behind by the hundred megabytes. For `main`
/// of programs that run for long. Does nothing where the system has no such call.
void giveBackLargeMemoryAtOnce();

/// Physical memory of the machine, in bytes; nothing when the system does not say.
[[nodiscard]] std::optional<std::uint64_t> machineMemoryBytes();

} // namespace highwater
