#pragma once

#include "core/agent_linux/channel_layout.h"

#include <atomic>
#include <cstdint>

namespace highwater::agent {

/// The chunks of a channel that this process has mapped, in windows of several chunks, and only those that it writes.
/// This way the agent adds little mapped memory, and the process's limits remain available to the program. Any thread,
/// also in a signal handler: no lock, no allocation.
class MappedChunks {
  public:
    /// For a channel whose part before the chunks is mapped. `file` is open now and may be closed afterwards. False: no
    /// chunk is available. Threads must not be writing to this channel; they may still be writing to the previous one.
    [[nodiscard]] bool begin(const ChannelView& channel, int file);
    /// Takes an empty chunk from the pool for one thread; null: none is free, or the process may not map it.
    [[nodiscard]] ChunkHeader* take(std::uint32_t& number);
    /// A chunk that this thread has taken.
    [[nodiscard]] ChunkHeader* find(std::uint32_t number);
    /// The thread does not write to the chunk any more.
    void release(std::uint32_t number);
    /// In a forked child, before its first chunk: the threads of its parent do not exist there.
    void forgetThreads();
    /// Unmaps windows that no thread writes to.
    void unmapIdle();
    /// Removes our memory from the locked memory of the process.
    void unlock() const;

  private:
    static constexpr std::uint32_t kMostWindows = 4096;
    static constexpr std::uint32_t kLeastChunks = 4; ///< in a window
    // The word of a window: its address, the number of threads that write there, and whether it is mapped. An address
    // alone is memory of ours from the channel before the last one, which is reused.
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
    Table tables_[2]; ///< used alternately, because a thread may be delayed in a record of the previous channel
    std::atomic<std::uint64_t> failedNs_; ///< time of the last failed mapping
};
extern constinit MappedChunks mappedChunks;

} // namespace highwater::agent
