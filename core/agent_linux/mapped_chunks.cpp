#include "core/agent_linux/mapped_chunks.h"

#include "core/agent_linux/loaded_object.h"
#include "core/agent_linux/system_calls.h"
#include "core/agent_linux/ticks.h"

#include <sys/resource.h>

namespace highwater::agent {

constinit MappedChunks mappedChunks{};

namespace {

constexpr std::uint64_t kShareOfLimit = 16;    ///< 1/kShareOfLimit of the process's mapping limit is used for chunks
constexpr std::uint64_t kPauseNs = 10'000'000; ///< before a failed attempt is repeated

bool isDone(long result) { return result >= 0 || result < -4095; }
long callAt(long number, std::uint64_t address, std::uint64_t bytes, long a = 0, long b = 0, long c = 0, long d = 0) {
    return systemCall(number, static_cast<long>(address), static_cast<long>(bytes), a, b, c, d);
}
std::uint64_t addressOf(const void* place) { return reinterpret_cast<std::uint64_t>(place); }

} // namespace

bool MappedChunks::begin(const ChannelView& channel, int file) {
    Table* const before = table_;
    Table& next = before == &tables_[0] ? tables_[1] : tables_[0];
    if (before != nullptr) emptyTable(*before);
    const std::uint32_t least = (channel.chunkCount() + kMostWindows - 1) / kMostWindows;
    const std::uint32_t chunks = least < kLeastChunks ? kLeastChunks : least;
    if (next.chunksInWindow != chunks)
        for (auto& window : next.windows)
            window.store(0, std::memory_order_relaxed); // other sizes: those addresses stay empty
    next.chunksInWindow = chunks;
    channel_ = channel;
    table_ = &next;
    respectLimit();
    // Maps everything now if the kernel cannot do so later without the file.
    if (find(0) == nullptr && !mapAll(file)) return false;
    release(0);
    return true;
}

/// Frees the memory. The address ranges stay reserved and empty, so that a thread in the middle of a record can finish
/// it there, where it is never read.
void MappedChunks::emptyTable(Table& table) const {
    const std::uint64_t bytes = std::uint64_t{table.chunksInWindow} * kChunkBytes;
    for (auto& window : table.windows) {
        const std::uint64_t place = window.load(std::memory_order_relaxed) & kAddress;
        if (place == 0) continue;
        const long mapped = callAt(SYS_mmap, place, bytes, PROT_READ | PROT_WRITE,
                                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        if (isDone(mapped)) callAt(SYS_madvise, place, bytes, MADV_DONTDUMP);
        window.store(place, std::memory_order_relaxed);
    }
}

/// A process with a low mapping limit limits the chunks for all processes: they then use only the first chunks of the
/// pool.
void MappedChunks::respectLimit() const {
    rlimit64 limit{};
    if (systemCall(SYS_prlimit64, 0, RLIMIT_AS, 0, reinterpret_cast<long>(&limit)) != 0) return;
    if (limit.rlim_cur == RLIM64_INFINITY) return;
    const std::uint64_t windows = limit.rlim_cur / kShareOfLimit / windowBytes();
    const std::uint64_t chunks = (windows == 0 ? 1 : windows) * table_->chunksInWindow;
    channel_.limitChunks(chunks < channel_.chunkCount() ? static_cast<std::uint32_t>(chunks) : channel_.chunkCount());
}

ChunkHeader* MappedChunks::at(std::uint64_t word, std::uint32_t number) const {
    const std::uint64_t offset = std::uint64_t{number % table_->chunksInWindow} * kChunkBytes;
    return reinterpret_cast<ChunkHeader*>((word & kAddress) + offset);
}

ChunkHeader* MappedChunks::take(std::uint32_t& number) {
    number = channel_.takeNumber();
    if (number == kNoChunk) return nullptr;
    ChunkHeader* const chunk = find(number);
    if (chunk == nullptr) {
        channel_.returnChunk(number);
        return nullptr;
    }
    ChannelView::clear(*chunk);
    return chunk;
}

ChunkHeader* MappedChunks::find(std::uint32_t number) {
    const std::uint32_t index = number / table_->chunksInWindow;
    auto& window = table_->windows[index];
    std::uint64_t word = window.load(std::memory_order_acquire);
    while ((word & kMapped) != 0)
        if (window.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) return at(word, number);
    const std::uint64_t now = monotonicNs();
    if (now - failedNs_.load(std::memory_order_relaxed) < kPauseNs) return nullptr;
    respectLimit();
    for (int tries = 0; tries < 2; ++tries) {
        if (map(index) != nullptr) return at(window.load(std::memory_order_acquire), number);
        unmapIdle();
    }
    failedNs_.store(now, std::memory_order_relaxed);
    channel_.header().chunksUnmapped.fetch_add(1, std::memory_order_relaxed);
    return nullptr;
}

/// Several threads may do this at the same time; one mapping is kept.
ChunkHeader* MappedChunks::map(std::uint32_t window) {
    auto& entry = table_->windows[window];
    std::uint64_t word = entry.load(std::memory_order_acquire);
    const std::uint64_t spare = (word & kMapped) == 0 ? word & kAddress : 0;
    const std::uint64_t place = mapPlace(window, spare);
    if (place == 0) return nullptr;
    while ((word & kMapped) == 0)
        if (entry.compare_exchange_weak(word, place | kMapped | 1, std::memory_order_acq_rel))
            return reinterpret_cast<ChunkHeader*>(place);
    if (place != spare) callAt(SYS_munmap, place, windowBytes());
    while (!entry.compare_exchange_weak(word, word + 1, std::memory_order_acq_rel)) {
    }
    return reinterpret_cast<ChunkHeader*>(word & kAddress);
}

/// Does not use the file, whose name may be invalid by now and which must not be open in the program. mremap with an
/// old size of 0 bytes makes the kernel map the same pages a second time, counted from the start of the channel. The
/// copy is not locked by the program's mlockall.
std::uint64_t MappedChunks::mapPlace(std::uint32_t window, std::uint64_t spare) const {
    const std::uint64_t before = channel_.chunksAt() + window * windowBytes();
    const std::uint64_t begin = addressOf(&channel_.header());
    callAt(SYS_munlock, begin, channel_.chunksAt());
    const long whole = callAt(SYS_mremap, begin, 0, static_cast<long>(before + windowBytes()), MREMAP_MAYMOVE);
    if (!isDone(whole)) return 0;
    callAt(SYS_munmap, static_cast<std::uint64_t>(whole), before);
    const std::uint64_t place = static_cast<std::uint64_t>(whole) + before;
    if (spare == 0) return place;
    const long moved = callAt(SYS_mremap, place, windowBytes(), static_cast<long>(windowBytes()),
                              MREMAP_MAYMOVE | MREMAP_FIXED, static_cast<long>(spare));
    return isDone(moved) ? spare : place;
}

bool MappedChunks::mapAll(int file) {
    const std::uint64_t bytes = windowBytes();
    for (std::uint32_t i = 0; i * table_->chunksInWindow < channel_.usableChunks(); ++i) {
        const std::uint64_t at = channel_.chunksAt() + i * bytes;
        const std::uint64_t rest = channel_.header().totalBytes - at;
        const std::uint64_t spare = table_->windows[i].load(std::memory_order_relaxed) & kAddress;
        const long mapped =
            callAt(SYS_mmap, spare, rest < bytes ? rest : bytes, PROT_READ | PROT_WRITE,
                   MAP_SHARED | MAP_NORESERVE | (spare != 0 ? MAP_FIXED : 0), file, static_cast<long>(at));
        if (!isDone(mapped)) return i != 0;
        callAt(SYS_madvise, static_cast<std::uint64_t>(mapped), bytes, MADV_DONTDUMP);
        table_->windows[i].store(static_cast<std::uint64_t>(mapped) | kMapped | (i == 0 ? 1 : 0));
    }
    return true;
}

void MappedChunks::release(std::uint32_t number) {
    auto& window = table_->windows[number / table_->chunksInWindow];
    std::uint64_t word = window.load(std::memory_order_relaxed);
    while ((word & kThreads) != 0 && !window.compare_exchange_weak(word, word - 1, std::memory_order_acq_rel)) {
    }
}

void MappedChunks::forgetThreads() {
    for (std::uint32_t i = 0; i < windowCount(); ++i)
        table_->windows[i].fetch_and(~kThreads, std::memory_order_relaxed);
}

void MappedChunks::unmapIdle() {
    for (std::uint32_t i = 0; i < windowCount(); ++i) {
        auto& window = table_->windows[i];
        std::uint64_t word = window.load(std::memory_order_relaxed);
        if ((word & kMapped) == 0 || (word & kThreads) != 0) continue;
        if (window.compare_exchange_strong(word, 0, std::memory_order_acq_rel))
            callAt(SYS_munmap, word & kAddress, windowBytes());
    }
}

void MappedChunks::unlock() const {
    if (table_ == nullptr) return;
    callAt(SYS_munlock, addressOf(&channel_.header()), channel_.chunksAt());
    for (std::uint32_t i = 0; i < windowCount(); ++i) {
        const std::uint64_t word = table_->windows[i].load(std::memory_order_relaxed);
        if ((word & kMapped) != 0) callAt(SYS_munlock, word & kAddress, windowBytes());
    }
    dl_find_object own{};
    if (!findLoadedObject(addressOf(&mappedChunks), own)) return;
    callAt(SYS_munlock, addressOf(own.dlfo_map_start), addressOf(own.dlfo_map_end) - addressOf(own.dlfo_map_start));
}

} // namespace highwater::agent
