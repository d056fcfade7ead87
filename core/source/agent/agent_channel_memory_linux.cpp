#include "core/source/agent/agent_channel_memory_linux.h"

#include "core/agent_linux/programs/process_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <sys/mman.h>
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

Sizes sizesFor(const AgentOptions& options) {
    constexpr std::uint64_t kLeast = 1u << 20;
    constexpr std::uint64_t kMost = 64ull << 30;
    constexpr std::uint64_t kPage = 4096;
    Sizes sizes{};
    sizes.chunkCount = static_cast<std::uint32_t>(std::clamp(options.mostBytes, kLeast, kMost) / agent::kChunkBytes);
    sizes.chunksAt = (agent::nextFreeAt() + std::uint64_t{4} * sizes.chunkCount + kPage - 1) & ~(kPage - 1);
    sizes.total = sizes.chunksAt + std::uint64_t{sizes.chunkCount} * agent::kChunkBytes;
    return sizes;
}

Error failed(const char* what) {
    return {ErrorKind::Io,
            fmt::format("Memory to be shared with the program could not be {}: {}.", what, std::strerror(errno))};
}

/// Not in the place of a standard file, if one of ours is closed: what is started would find it there instead.
int makeFile() {
    constexpr int kFirstOfOurs = 3;
    const int file = memfd_create("highwater", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0 || file >= kFirstOfOurs) return file;
    const int other = fcntl(file, F_DUPFD_CLOEXEC, kFirstOfOurs);
    close(file);
    return other;
}

} // namespace

Result<AgentChannelMemory> AgentChannelMemory::make(const AgentOptions& options, const AgentClock& clock) {
    const Sizes sizes = sizesFor(options);
    const int file = makeFile();
    if (file < 0) return failed("made");
    AgentChannelMemory memory(file, nullptr, 0);
    if (ftruncate(file, static_cast<off_t>(sizes.total)) != 0) return failed("sized");
    fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    void* mapped = mmap(nullptr, sizes.total, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
    if (mapped == MAP_FAILED) return failed("mapped");
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
