#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

/// The memory that a recorded process shares with Highwater, and the records in it. The agent (inside the target) and
/// core/source/agent_channel_linux (the reader) share this description.
///
///     ChannelHeader | ProcessSlot x kMostProcesses | ThreadSlot x kMostThreads | next free x chunks | chunk | chunk
///     ...
///
/// Every thread writes its own chain of chunks, which only it writes and only the reader reads. A chunk that was read
/// returns to the pool. Times are ticks since ChannelHeader::baseTick. There are no pointers. The comments say which
/// side writes each field.
namespace highwater::agent {

/// Identifies the channel in the environment of the target, as FILTERS:PATH: the number of the reader's system call
/// filters, see ChannelHeader::filters, and a file that the target can open and map.
inline constexpr const char* kChannelVariable = "HIGHWATER_AGENT_CHANNEL";
inline constexpr char kAfterFilters = ':';
inline constexpr std::uint64_t kChannelMagic = 0x314E484352455748ull; // "HWERCHN1"
inline constexpr std::uint32_t kChannelVersion = 7;
inline constexpr std::uint32_t kChunkBytes = 64 * 1024;
inline constexpr std::uint32_t kMostThreads = 8192;   ///< at one time, in all recorded processes
inline constexpr std::uint32_t kMostProcesses = 1024; ///< at one time
inline constexpr std::uint32_t kMostFrames = 192;     ///< in one stack; outer frames are left out
inline constexpr std::uint32_t kNoChunk = 0xFFFFFFFFu;
inline constexpr std::uint32_t kMostUnrecorded = 16; ///< programs without an agent that are listed by name

/// Bits of ChannelHeader::options.
enum Option : std::uint32_t {
    kRecordHeap = 1,
    kRecordVirtualMemory = 2,
    kStacks = 4,
    kFreeStacks = 8,  ///< frees also have a stack
    kChildren = 16,   ///< also record forked children and programs that they execute; otherwise only programs that run
                      ///< under the pid of the launched process
    kClockIsTsc = 32, ///< ticks of the processor; otherwise nanoseconds of CLOCK_MONOTONIC
    kWaitsAtExit = 64 ///< launched programs wait at their end until the reader has a copy of their memory
};

/// States of a ProcessSlot or a ThreadSlot. The agent goes Free -> Claimed -> Used -> Done, the reader Done -> Free.
enum SlotState : std::uint32_t { kSlotFree = 0, kSlotClaimed = 1, kSlotUsed = 2, kSlotDone = 3 };

/// States of ProcessSlot::exitWait, on which the process waits (futex). The agent goes Runs -> Waits, the reader
/// Waits -> Seen -> Released.
enum ExitWait : std::uint32_t { kExitRuns = 0, kExitWaits = 1, kExitSeen = 2, kExitReleased = 3 };

/// Result of starting to record a running process.
enum class StartResult : int {
    Started = 0,
    Recorded = 1,     ///< the process is already being recorded
    NoChannel = 2,    ///< the process cannot open the channel
    Refused = 3,      ///< no free process slot, or no memory
    NoCallsFound = 4, ///< no call could be redirected to the agent
    Restricted = 5,   ///< system call filters (seccomp) forbid calls that the agent needs
};

/// The way in which recording of a process started.
enum class Origin : std::uint32_t {
    Program = 0,  ///< launched
    Fork = 1,     ///< a copy of its parent, with its parent's blocks
    Attached = 2, ///< already running; its earlier blocks are not known
};

/// A program that the agent was not passed on to because it cannot be loaded there.
struct UnrecordedProgram {
    std::atomic<std::uint32_t> state; ///< a SlotState: Used, or Free again if the program was not started
    std::uint32_t obstacle;           ///< an agent::Obstacle
    std::uint32_t pid;                ///< the process that executed or started it, in the reader's namespace
    char path[244];                   ///< its file or its interpreter, with NUL; only the end of a longer path
    char detail[128];                 ///< see Obstacle
};

struct ChannelHeader {
    // Written once, before the target starts.
    std::uint64_t magic;
    std::uint32_t version;
    std::uint32_t options;
    std::uint64_t totalBytes;
    std::uint64_t baseTick;
    std::uint64_t staleTicks; ///< with an older heartbeat, the reader has ended
    std::uint32_t chunkCount;
    std::uint32_t filters;  ///< number of the reader's system call filters, see filtersIn(): programs with more are not
                            ///< recorded
    std::uint64_t chunksAt; ///< offset of chunk 0, in bytes

    // Written by the reader.
    alignas(64) std::atomic<std::uint32_t> isRecording; ///< 0: every hook passes through
    std::atomic<std::uint64_t> heartbeatTick;

    // Written by both sides: the pool of chunks. A stack of chunk numbers + 1 (0: empty) with a counter in the upper
    // half, which detects that a chunk was removed and returned; and the first chunk that was never used.
    alignas(64) std::atomic<std::uint64_t> freeChunks;
    std::atomic<std::uint32_t> freshChunks;

    /// Chunks from this number on stay unused, because a process may not map more. 0: all are used. Written by the
    /// agent.
    std::atomic<std::uint32_t> chunkLimit;

    // Written by the agent.
    alignas(64) std::atomic<std::uint32_t> processesUsed; ///< slots at or above it were never used
    std::atomic<std::uint32_t> threadsUsed;
    std::atomic<std::uint32_t> threadHint;
    std::atomic<std::uint64_t> lostWithoutSlot;  ///< events of threads without a slot
    std::atomic<std::uint64_t> processesRefused; ///< processes without a slot, which are not recorded at all
    std::atomic<std::uint64_t> programsExecuted; ///< exec in recorded processes; those that register are recorded
    std::atomic<std::uint64_t> childrenMissed;   ///< children that were not recorded because that was not requested
    std::atomic<std::uint64_t> chunksUnmapped;   ///< a limit prevented a process from mapping a chunk
    /// A process that could not map the channel. Written through the file.
    std::atomic<std::uint64_t> unmappedProcess;
    std::atomic<std::uint32_t> programsUnrecorded; ///< programs with an obstacle; the first ones are listed
    UnrecordedProgram unrecorded[kMostUnrecorded];
};

struct alignas(64) ProcessSlot {
    std::atomic<std::uint32_t> state;
    std::uint32_t pid;       ///< pid in its own pid namespace
    std::uint32_t parentPid; ///< in the reader's namespace; 0: unknown
    std::uint32_t origin;    ///< an Origin
    std::uint64_t startTick;
    std::atomic<std::uint64_t> restrictedTick; ///< when it restricted its system calls and recording ended; 0: not yet
    std::uint32_t readerPid;                   ///< in the reader's namespace; 0: not available to the process
    std::atomic<std::uint32_t> exitWait;       ///< an ExitWait
    char name[152]; ///< the file name that it was started as, with links not resolved; empty: unknown
};

struct alignas(128) ThreadSlot {
    std::atomic<std::uint32_t> state;
    std::uint32_t pid;
    std::uint32_t tid;
    std::uint32_t processSlot;
    std::atomic<std::uint32_t> firstChunk; ///< number + 1; 0: not needed yet, or not available
    std::uint64_t startTick;
    std::uint64_t endTick;   ///< valid when Done
    std::uint32_t readerTid; ///< the thread in the reader's namespace; 0: not available to the process
    /// The thread's name in the system, valid when Done: up to 15 bytes and NUL. All 0 before, or if the thread ended
    /// without notice.
    std::atomic<std::uint64_t> name[2];

    /// Odd while a record is being written, from reading its time to publishing it. The reader waits for such a thread
    /// (never the other way round), which makes the merge by time exact.
    alignas(64) std::atomic<std::uint64_t> busy;
    std::atomic<std::uint64_t> lost;       ///< events dropped because the pool was empty or the reader was gone
    std::atomic<std::uint64_t> lostNested; ///< events of signal handlers that interrupted the agent itself
    std::atomic<std::uint64_t> lostFirstTick;
    std::atomic<std::uint64_t> lostLastTick;
    std::atomic<std::uint64_t> stacksCut; ///< stacks whose outer frames could not be found
};

struct ChunkHeader {
    std::atomic<std::uint32_t> published; ///< readable bytes, including this header
    std::atomic<std::uint32_t> next;      ///< number + 1 of the next chunk, written after `published` is final
    std::uint64_t unused;
};

/// The low byte of a record's first word; the other 56 bits are its tick. All fields are 64-bit words.
enum class RecordOp : std::uint8_t {
    Allocate = 1,    ///< address, bytes, stack
    Free = 2,        ///< address
    FreeStack = 3,   ///< address, stack
    Reallocate = 4,  ///< new address, bytes, old address, stack, tick before the call. The record's tick is after it.
    Map = 5,         ///< address, bytes, protection | flags << 32, stack
    Unmap = 6,       ///< address, bytes, stack
    Remap = 7,       ///< new address, new bytes, old address, old bytes, stack, tick before the call
    Protect = 8,     ///< address, bytes, protection, stack
    Advise = 9,      ///< address, bytes, advice, stack
    Break = 10,      ///< new break, old break, stack
    Stack = 11,      ///< key, count of frames, frames: return addresses, innermost first. Precedes the first use of the
                     ///< key.
    Module = 12,     ///< base, bytes, path bytes | build-id bytes << 32 | isProgram << 48; path, build-id, each padded
    ModuleGone = 13, ///< base

    // Short forms of the most frequent records; the first word is a shortWord(). The tick is relative to the previous
    // record in the ring.
    AllocateShort = 14, ///< an Allocate: bytes, stack
    AllocateAgain = 15, ///< an Allocate with the stack of the previous allocation in the ring, short or not: bytes
    FreeShort = 16,     ///< a Free
};

[[nodiscard]] constexpr std::uint64_t firstWord(RecordOp op, std::uint64_t tick) {
    return tick << 8 | static_cast<std::uint64_t>(op);
}
/// The first word of a short record: its kind, the ticks since the previous record, and the address / 16 in the highest
/// bits.
inline constexpr unsigned kShortTickBits = 13, kShortAddressBits = 43;
[[nodiscard]] constexpr bool isShort(std::uint64_t ticks, std::uint64_t address) {
    return ticks >> kShortTickBits == 0 && address % 16 == 0 && address >> (kShortAddressBits + 4) == 0;
}
[[nodiscard]] constexpr std::uint64_t shortWord(RecordOp op, std::uint64_t ticks, std::uint64_t address) {
    return address << (60 - kShortAddressBits) | ticks << 8 | static_cast<std::uint64_t>(op);
}
[[nodiscard]] constexpr std::uint64_t ticksInShort(std::uint64_t word) {
    return word >> 8 & ((std::uint64_t{1} << kShortTickBits) - 1);
}
[[nodiscard]] constexpr std::uint64_t addressInShort(std::uint64_t word) {
    return word >> (64 - kShortAddressBits) << 4;
}
static_assert(8 + kShortTickBits + kShortAddressBits == 64);

[[nodiscard]] constexpr std::uint64_t paddedBytes(std::uint64_t bytes) { return (bytes + 7) & ~std::uint64_t{7}; }

/// Offsets after the header, in bytes from its start.
[[nodiscard]] constexpr std::uint64_t processesAt() { return (sizeof(ChannelHeader) + 127) & ~std::uint64_t{127}; }
[[nodiscard]] constexpr std::uint64_t threadsAt() { return processesAt() + sizeof(ProcessSlot) * kMostProcesses; }
[[nodiscard]] constexpr std::uint64_t nextFreeAt() { return threadsAt() + sizeof(ThreadSlot) * kMostThreads; }

/// The shared memory as seen by both sides: the header's address and parts at fixed offsets from it.
class ChannelView {
  public:
    ChannelView() = default;
    /// A view of memory that contains a header. The offset of the chunks is read once, so that a faulty target cannot
    /// change it.
    explicit ChannelView(void* memory)
        : memory_(static_cast<std::byte*>(memory)), chunksAt_(header().chunksAt), chunkCount_(header().chunkCount) {}

    [[nodiscard]] bool isMapped() const { return memory_ != nullptr; }
    [[nodiscard]] ChannelHeader& header() const { return *at<ChannelHeader>(0); }
    [[nodiscard]] ProcessSlot& process(std::uint32_t index) const { return at<ProcessSlot>(processesAt())[index]; }
    [[nodiscard]] ThreadSlot& thread(std::uint32_t index) const { return at<ThreadSlot>(threadsAt())[index]; }
    [[nodiscard]] std::uint32_t chunkCount() const { return chunkCount_; }
    [[nodiscard]] std::uint64_t chunksAt() const { return chunksAt_; }
    /// `number` must be below chunkCount(); for a channel that is mapped as a whole, as in the reader.
    [[nodiscard]] ChunkHeader& chunk(std::uint32_t number) const {
        return *at<ChunkHeader>(chunksAt_ + std::uint64_t{number} * kChunkBytes);
    }
    /// Number of usable chunks.
    [[nodiscard]] std::uint32_t usableChunks() const {
        const std::uint32_t limit = header().chunkLimit.load(std::memory_order_relaxed);
        return limit == 0 || limit > chunkCount_ ? chunkCount_ : limit;
    }
    /// Limits the number of used chunks, unless another process has set a lower limit. Chunks in use are still
    /// returned.
    void limitChunks(std::uint32_t most) const {
        std::uint32_t limit = header().chunkLimit.load(std::memory_order_relaxed);
        while ((limit == 0 || most < limit) &&
               !header().chunkLimit.compare_exchange_weak(limit, most, std::memory_order_relaxed)) {
        }
    }

    /// Takes an empty chunk from the pool, or kNoChunk; for a channel that is mapped as a whole.
    [[nodiscard]] std::uint32_t takeChunk() const {
        const std::uint32_t number = takeNumber();
        if (number != kNoChunk) clear(chunk(number));
        return number;
    }
    static void clear(ChunkHeader& chunk) {
        chunk.next.store(0, std::memory_order_relaxed);
        chunk.published.store(sizeof(ChunkHeader), std::memory_order_release);
    }

    /// The number of a chunk from the pool, or kNoChunk. Any thread of any process, lock-free.
    [[nodiscard]] std::uint32_t takeNumber() const {
        ChannelHeader& pool = header();
        const std::uint32_t usable = usableChunks();
        std::uint64_t top = pool.freeChunks.load(std::memory_order_acquire);
        while (static_cast<std::uint32_t>(top) != 0) {
            const std::uint32_t number = static_cast<std::uint32_t>(top) - 1;
            if (number >= chunkCount_) return kNoChunk;
            const std::uint64_t rest = nextFree(number).load(std::memory_order_relaxed) | ((top >> 32) + 1) << 32;
            if (!pool.freeChunks.compare_exchange_weak(top, rest, std::memory_order_acq_rel)) continue;
            if (number < usable) return number;
            top = pool.freeChunks.load(std::memory_order_acquire); // beyond the limit: not used any more
        }
        std::uint32_t fresh = pool.freshChunks.load(std::memory_order_relaxed);
        while (fresh < usable)
            if (pool.freshChunks.compare_exchange_weak(fresh, fresh + 1, std::memory_order_relaxed)) return fresh;
        return kNoChunk;
    }

    /// Returns a chunk to the pool. It must not be written or read any more.
    void returnChunk(std::uint32_t number) const {
        ChannelHeader& pool = header();
        std::uint64_t top = pool.freeChunks.load(std::memory_order_relaxed);
        std::uint64_t wanted = 0;
        do {
            nextFree(number).store(static_cast<std::uint32_t>(top), std::memory_order_relaxed);
            wanted = (std::uint64_t{number} + 1) | ((top >> 32) + 1) << 32;
        } while (!pool.freeChunks.compare_exchange_weak(top, wanted, std::memory_order_acq_rel));
    }

  private:
    template <typename T>
    [[nodiscard]] T* at(std::uint64_t offset) const {
        return reinterpret_cast<T*>(memory_ + offset);
    }
    [[nodiscard]] std::atomic<std::uint32_t>& nextFree(std::uint32_t number) const {
        return at<std::atomic<std::uint32_t>>(nextFreeAt())[number];
    }
    std::byte* memory_ = nullptr;
    std::uint64_t chunksAt_ = 0;
    std::uint32_t chunkCount_ = 0;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

} // namespace highwater::agent
