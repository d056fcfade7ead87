#pragma once

#include "core/agent_linux/channel_layout.h"

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// The chunks of a channel, as this process maps them: in windows of some chunks each, and only those that it writes.
/// So the process has hardly more memory mapped than without us, and what its limits allow it stays its own. Any
/// thread, also in a signal handler: no lock, no allocation.
class MappedChunks {
  public:
    /// For a channel whose part before the chunks is mapped. `file` is open now, and need not stay so.
    /// False: no chunk can be had. Not while threads write to this channel; they may to the one before.
    [[nodiscard]] bool begin(const ChannelView& channel, int file);
    /// A chunk of the pool, empty, for one thread; null: none is free, or the process may not map it.
    [[nodiscard]] ChunkHeader* take(std::uint32_t& number);
    /// A chunk that this thread had taken.
    [[nodiscard]] ChunkHeader* find(std::uint32_t number);
    /// The thread writes there no longer.
    void release(std::uint32_t number);
    /// In a forked child, before its first chunk: the threads of its parent are not there.
    void forgetThreads();
    /// Unmaps what no thread writes to.
    void unmapIdle();
    /// Makes the kernel count nothing of ours among what the process has locked.
    void unlock() const;

  private:
    static constexpr std::uint32_t kMostWindows = 4096;
    static constexpr std::uint32_t kLeastChunks = 4; ///< in a window
    // A window's word: its address, how many threads write there, and whether it is mapped. An address alone: memory of
    // ours that the channel before the last one had; it is used again.
    static constexpr std::uint64_t kMapped = 1u << 11, kThreads = kMapped - 1, kAddress = ~std::uint64_t{0xFFF};

    struct Table {
        std::uint32_t chunksInWindow = 0;
        std::atomic<std::uint64_t> windows[kMostWindows];
    };

    [[nodiscard]] ChunkHeader* map(std::uint32_t window);
    [[nodiscard]] std::uint64_t mapPlace(std::uint32_t window, std::uint64_t spare) const;
    [[nodiscard]] bool mapAll(int file);
    [[nodiscard]] ChunkHeader* at(std::uint64_t word, std::uint32_t number) const;
    void emptyTable(Table& table) const;
    void respectLimit() const;
    [[nodiscard]] std::uint64_t windowBytes() const { return std::uint64_t{table_->chunksInWindow} * kChunkBytes; }
    [[nodiscard]] std::uint32_t windowCount() const {
        return (channel_.chunkCount() + table_->chunksInWindow - 1) / table_->chunksInWindow;
    }

    ChannelView channel_;
    Table* table_ = nullptr;
    Table tables_[2]; ///< in turns: a thread may be held up in the middle of a record for the channel before
    std::atomic<std::uint64_t> failedNs_; ///< when mapping failed last
};
extern constinit MappedChunks mappedChunks;

} // namespace highwater::agent
