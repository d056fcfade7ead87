#pragma once

#include "core/etl/raw_record.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

namespace highwater::source {

/// Records on their way from a thread that must not wait (it stands between the system and its buffers) to one that
/// may: a fixed number of bytes without a lock. What finds no room is dropped and counted.
///
/// One thread puts, one takes; the counters may be asked by any thread. Classic records come without extended items.
/// The GUID that a record of a provider points to is not copied: it must stay where it is.
class LiveRing {
  public:
    /// `bytes`: a power of two. Memory is used as records come.
    explicit LiveRing(std::size_t bytes);

    // ---- who puts ----

    /// Copies the record with its payload; false: dropped.
    bool put(const etl::RawRecord& record);

    // ---- who takes ----

    /// The time of the record that comes next; nothing: the ring is empty.
    [[nodiscard]] std::optional<std::int64_t> headTicks();
    /// The record that comes next, whose payload lies in the ring until pop(). Only when there is one.
    [[nodiscard]] etl::RawRecord head() const;
    void pop();

    // ---- anybody ----

    /// The latest time of all records that were put; nothing before the first.
    [[nodiscard]] std::optional<std::int64_t> newestTicks() const;
    /// Changes with every record that is put.
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
    std::uint64_t knownReadPosition_ = 0; ///< of who puts
    std::atomic<std::int64_t> newestTicks_{0};
    std::atomic<std::uint64_t> accepted_{0};
    std::atomic<std::uint64_t> dropped_{0};
    alignas(64) std::atomic<std::uint64_t> readPosition_{0};
    std::uint64_t knownWritePosition_ = 0; ///< of who takes
};

} // namespace highwater::source
