// A target that writes anything into the memory that it shares with the recorder: between its drains, and between the
// batches of one, when the recorder has peeked at events that it has not consumed yet (not while it reads one). Never a
// crash, a hang, a read outside, or times that run backwards; and the events that were read become records.
#include "core/agent_linux/channel_layout.h"
#include "core/source/agent/agent_channel_linux.h"
#include "core/source/agent/agent_records.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace highwater;
using namespace highwater::source;

namespace {

/// The target's half: its own mapping of the channel, with its original size.
class Target {
  public:
    explicit Target(const AgentChannel& channel) {
        const int file = ::open(channel.path().c_str(), O_RDWR | O_CLOEXEC);
        if (file < 0) std::abort();
        bytes_ = static_cast<std::size_t>(lseek(file, 0, SEEK_END));
        memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        if (memory_ == MAP_FAILED) std::abort();
        view_ = agent::ChannelView(memory_);
        chunksAt_ = view_.header().chunksAt;
    }
    ~Target() { munmap(memory_, bytes_); }
    Target(const Target&) = delete;
    Target& operator=(const Target&) = delete;

    /// Writes where it can do harm: into one of the parts of the channel, selected by `where`.
    void write(std::uint8_t where, std::uint16_t offset, const std::uint8_t* data, std::size_t size) {
        const std::uint64_t number = where >> 3;
        std::uint64_t at = 0;
        switch (where & 7u) {
        case 0:
            at = offset % sizeof(agent::ChannelHeader);
            break;
        case 1:
            at = agent::processesAt() + number * sizeof(agent::ProcessSlot) + offset % sizeof(agent::ProcessSlot);
            break;
        case 2:
            at = agent::threadsAt() + number * sizeof(agent::ThreadSlot) + offset % sizeof(agent::ThreadSlot);
            break;
        case 3:
            at = agent::nextFreeAt() + offset;
            break;
        default:
            at = chunksAt_ + (number % 16) * agent::kChunkBytes + offset;
            break;
        }
        if (at >= bytes_) return;
        std::memcpy(static_cast<std::byte*>(memory_) + at, data, std::min<std::size_t>(size, bytes_ - at));
    }

    /// A valid start, which needs many correct values at once: a process and a thread of it with a chunk.
    void begin(std::uint32_t number) {
        auto& process = view_.process(number);
        process.pid = process.readerPid = kPid + number;
        process.state.store(agent::kSlotUsed);
        auto& thread = view_.thread(number);
        thread.pid = kPid + number;
        thread.tid = kPid + number;
        thread.processSlot = number;
        thread.firstChunk.store(number + 1);
        thread.state.store(agent::kSlotUsed);
        view_.chunk(number).published.store(agent::kChunkBytes);
        view_.header().processesUsed.store(number + 1);
        view_.header().threadsUsed.store(number + 1);
    }

  private:
    static constexpr std::uint32_t kPid = 0x3FFFFFF0; ///< above any that Linux assigns
    void* memory_ = nullptr;
    std::size_t bytes_ = 0;
    std::uint64_t chunksAt_ = 0;
    agent::ChannelView view_;
};

/// Interprets the fuzzer's bytes as the target's next actions.
class Script {
  public:
    Script(Target& target, const std::uint8_t* data, std::size_t size) : target_(target), data_(data), size_(size) {}

    /// Plays up to the next pause; returns whether there is more.
    bool play() {
        constexpr std::uint8_t kPause = 0xFF, kBegin = 0xFE;
        while (size_ >= 4) {
            const std::uint8_t where = data_[0];
            const auto offset = static_cast<std::uint16_t>(data_[1] | data_[2] << 8);
            const std::size_t bytes = std::min<std::size_t>(data_[3], size_ - 4);
            const auto* from = data_ + 4;
            if (where == kPause || where == kBegin) {
                skip(4);
                if (where == kPause) return true;
                target_.begin(offset % 8);
                continue;
            }
            target_.write(where, offset, from, bytes);
            skip(4 + bytes);
        }
        return false;
    }

  private:
    void skip(std::size_t bytes) {
        data_ += bytes;
        size_ -= bytes;
    }
    Target& target_;
    const std::uint8_t* data_;
    std::size_t size_;
};

/// The consumer's half.
class Reader {
  public:
    explicit Reader(Script& script) : script_(script) {}

    void take(std::span<const AgentEvent> events) {
        etl::RecordBatch batch;
        for (const auto& event : events) {
            if (event.timeNs < lastNs_) std::abort();
            lastNs_ = event.timeNs;
        }
        records_.translate(events, batch);
        for (const auto& record : batch.records)
            for (const auto b : record.payloadSpan())
                sum_ = sum_ + std::to_integer<unsigned>(b);
        (void)script_.play(); // the target does not wait until it was read
    }

  private:
    Script& script_;
    TraceHealth health_;
    AgentRecords records_{health_, [](std::uint32_t) { return AgentProgram{}; }};
    std::int64_t lastNs_ = 0;
    volatile unsigned sum_ = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    AgentOptions options;
    options.mostBytes = 1;                                          // the minimum: 1 MB
    auto channel = AgentChannel::create(options, "/proc/self/exe"); // any file: it is not loaded here
    if (!channel.hasValue()) std::abort();
    Target target(*channel.value());
    Script script(target, data, size);
    Reader reader(script);
    const auto sink = [&](std::span<const AgentEvent> events) { reader.take(events); };
    constexpr int kMostDrains = 16;
    for (int i = 0; i < kMostDrains && script.play(); ++i)
        channel.value()->drain(sink);
    channel.value()->drain(sink);
    channel.value()->stopRecording();
    channel.value()->drain(sink);
    (void)channel.value()->losses();
    return 0;
}
