#pragma once

#include "core/etl/raw_record.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace highwater::source {

/// A lock-free ring of fixed size that passes records from a thread that must not wait (because it empties the buffers
/// of the system) to one that may. Records that do not fit are dropped and counted.
///
/// One thread puts and one takes; any thread may read the counters. Classic records have no extended items. The GUID of
/// a provider record is not copied and must stay valid.
class LiveRing {
  public:
    /// `bytes`: a power of two. Memory is used gradually.
    explicit LiveRing(std::size_t bytes);

    // ---- putting thread ----

    /// Copies the record and its payload; false: dropped.
    bool put(const etl::RawRecord& record);

    // ---- taking thread ----

    /// The time of the next record; nothing: the ring is empty.
    [[nodiscard]] std::optional<std::int64_t> headTicks();
    /// The next record, whose payload stays in the ring until pop(). The ring must not be empty.
    [[nodiscard]] etl::RawRecord head() const;
    void pop();

    // ---- any thread ----

    /// The latest time of all records so far; nothing before the first record.
    [[nodiscard]] std::optional<std::int64_t> newestTicks() const;
    /// Changes with every added record.
    [[nodiscard]] std::uint64_t accepted() const { return accepted_.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::size_t bytesUsed() const;
    [[nodiscard]] std::size_t bytesTotal() const { return size_; }

  private:
    struct Entry;
    struct ProviderPart;

    [[nodiscard]] std::byte* at(std::uint64_t position) const { return memory_.get() + (position & (size_ - 1)); }
    [[nodiscard]] bool skipFiller();

    std::size_t size_;
    std::unique_ptr<std::byte[]> memory_;
    alignas(64) std::atomic<std::uint64_t> writePosition_{0};
    std::uint64_t knownReadPosition_ = 0; ///< used by the putting thread
    std::atomic<std::int64_t> newestTicks_{0};
    std::atomic<std::uint64_t> accepted_{0};
    std::atomic<std::uint64_t> dropped_{0};
    alignas(64) std::atomic<std::uint64_t> readPosition_{0};
    std::uint64_t knownWritePosition_ = 0; ///< used by the taking thread
};

} // namespace highwater::source
