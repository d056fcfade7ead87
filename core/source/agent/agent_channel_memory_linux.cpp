#include "core/source/agent/agent_channel_memory_linux.h"

#include "core/agent_linux/programs/process_status.h"
#include "core/base/text.h"
#include "core/event/agent_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace highwater::source {

namespace {

std::uint32_t optionBits(const AgentOptions& options, const AgentClock& clock) {
    std::uint32_t bits = 0;
    if (options.heap) bits |= agent::kRecordHeap;
    if (options.virtualMemory) bits |= agent::kRecordVirtualMemory;
    if (options.stacks) bits |= agent::kStacks;
    if (options.freeStacks) bits |= agent::kFreeStacks;
    if (options.children == AgentOptions::Children::Recorded) bits |= agent::kChildren;
    if (options.waitsAtExit) bits |= agent::kWaitsAtExit;
    if (clock.kind() == agent::TickClock::Tsc) bits |= agent::kClockIsTsc;
    return bits;
}

std::uint32_t ownFilters() {
    std::ifstream file("/proc/self/status");
    std::ostringstream status;
    status << file.rdbuf();
    return agent::filtersIn(status.str().c_str());
}

struct Sizes {
    std::uint32_t chunkCount;
    std::uint64_t chunksAt;
    std::uint64_t total;
};

constexpr std::uint64_t kLeastBytes = 1u << 20; ///< size of all chunks

std::uint64_t limitOf(int resource) {
    rlimit limit{};
    const bool isLimited =
        ::getrlimit(static_cast<__rlimit_resource>(resource), &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    return isLimited ? limit.rlim_cur : ~std::uint64_t{0};
}

/// The size for chunks that the limits of this process permit, both for the size of a file and for mapped memory.
/// Shared memory is subject to both.
std::uint64_t mostChunkBytes() {
    constexpr std::uint64_t kShareOfAddresses = 8;
    const std::uint64_t file = limitOf(RLIMIT_FSIZE);
    const std::uint64_t control = agent::nextFreeAt() + file / agent::kChunkBytes * 4;
    const std::uint64_t addresses = limitOf(RLIMIT_AS);
    const std::uint64_t mapped = addresses == ~std::uint64_t{0} ? addresses : addresses / kShareOfAddresses;
    return std::min(mapped, file - std::min(file, control));
}

Sizes sizesFor(const AgentOptions& options) {
    constexpr std::uint64_t kMost = 64ull << 30;
    constexpr std::uint64_t kPage = 4096;
    Sizes sizes{};
    const std::uint64_t wanted = std::min(options.mostBytes, mostChunkBytes());
    sizes.chunkCount = static_cast<std::uint32_t>(std::clamp(wanted, kLeastBytes, kMost) / agent::kChunkBytes);
    sizes.chunksAt = (agent::nextFreeAt() + std::uint64_t{4} * sizes.chunkCount + kPage - 1) & ~(kPage - 1);
    sizes.total = sizes.chunksAt + std::uint64_t{sizes.chunkCount} * agent::kChunkBytes;
    return sizes;
}

/// Names the limit that was exceeded, if there is one.
Error failed(const char* what, const Sizes& sizes) {
    auto sentence = fmt::format("Memory shared with the program could not be {}: {}.", what, std::strerror(errno));
    const auto limited = [&](int resource, const char* of, const char* option) {
        if (const auto limit = limitOf(resource); limit != ~std::uint64_t{0})
            sentence += fmt::format(" The recorder needs {} bytes but is limited to {} bytes for {} (ulimit {}). "
                                    "Raise that limit.",
                                    thousands(sizes.total), thousands(limit), of, option);
    };
    if (errno == EFBIG) limited(RLIMIT_FSIZE, "a file", "-f");
    if (errno == ENOMEM) limited(RLIMIT_AS, "memory", "-v");
    return {ErrorKind::Io, std::move(sentence)};
}

/// Avoids the descriptors of closed standard streams, because a started program would use the file as that stream.
int makeFile() {
    constexpr int kFirstOfOurs = 3;
    const int file = memfd_create(kAgentMemoryName, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || file >= kFirstOfOurs) return file;
    const int other = fcntl(file, F_DUPFD_CLOEXEC, kFirstOfOurs);
    close(file);
    return other;
}

} // namespace

Result<AgentChannelMemory> AgentChannelMemory::make(const AgentOptions& options, const AgentClock& clock) {
    const Sizes sizes = sizesFor(options);
    const int file = makeFile();
    if (file < 0) return failed("made", sizes);
    AgentChannelMemory memory(file, nullptr, 0);
    if (sizes.total > limitOf(RLIMIT_FSIZE)) errno = EFBIG; // exceeding it would raise a signal (SIGXFSZ)
    if (sizes.total > limitOf(RLIMIT_FSIZE) || ftruncate(file, static_cast<off_t>(sizes.total)) != 0)
        return failed("sized", sizes);
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    void* mapped = mmap(nullptr, sizes.total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED) return failed("mapped", sizes);
    memory.memory_ = mapped;
    memory.bytes_ = sizes.total;
    auto& header = *static_cast<agent::ChannelHeader*>(mapped);
    header.magic = agent::kChannelMagic;
    header.version = agent::kChannelVersion;
    header.options = optionBits(options, clock);
    header.totalBytes = sizes.total;
    header.baseTick = clock.baseTick();
    header.staleTicks = clock.ticksOf(options.staleNs);
    header.chunkCount = sizes.chunkCount;
    header.filters = memory.filters_ = ownFilters();
    header.chunksAt = sizes.chunksAt;
    header.heartbeatTick.store(clock.now());
    header.isRecording.store(1);
    memory.view_ = agent::ChannelView(mapped);
    return memory;
}

AgentChannelMemory::AgentChannelMemory(AgentChannelMemory&& other) noexcept
    : file_(std::exchange(other.file_, -1)),
      memory_(std::exchange(other.memory_, nullptr)),
      bytes_(other.bytes_),
      filters_(other.filters_),
      view_(other.view_) {}

AgentChannelMemory::~AgentChannelMemory() {
    if (memory_ != nullptr) munmap(memory_, bytes_);
    if (file_ >= 0) close(file_);
}

std::uint64_t AgentChannelMemory::inode() const {
    struct stat facts {};
    return ::fstat(file_, &facts) == 0 ? facts.st_ino : 0;
}

void AgentChannelMemory::emptyChunks() {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(chunksAt()),
              static_cast<off_t>(chunkBytes()));
}

void AgentChannelMemory::emptyChunk(std::uint32_t number) const {
    fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              static_cast<off_t>(chunksAt() + std::uint64_t{number} * agent::kChunkBytes), agent::kChunkBytes);
}

} // namespace highwater::source
