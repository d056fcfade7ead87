#include "tests/benchmarks/heap_trace.h"

#include "core/base/units.h"
#include "core/etl/etl_writer.h"
#include "core/event/opcodes.h"
#include "core/event/record_counts.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <random>
#include <vector>

namespace highwater::benchmarks {
namespace {

using etl::HeaderType;
using etl::RawRecord;

constexpr std::uint32_t kPid = 4242;
constexpr std::uint16_t kProcessors = 4;
constexpr std::int64_t kFirstTicks = 1'000'000;

void require(const Result<void>& result) {
    if (result.hasValue()) return;
    std::fprintf(stderr, "heap_trace: %s\n", result.error().message.c_str());
    std::exit(2);
}

template <typename T>
void put(std::vector<std::byte>& out, T value) {
    const auto at = out.size();
    out.resize(at + sizeof(T));
    std::memcpy(out.data() + at, &value, sizeof(T));
}

/// Stacks that share their outer frames, as those of a program do.
std::vector<std::vector<Address>> makeStacks(std::uint32_t count, std::mt19937_64& random) {
    std::vector<std::vector<Address>> stacks;
    for (std::uint32_t i = 0; i < count; ++i) {
        std::vector<Address> frames;
        if (!stacks.empty()) {
            const auto& other = stacks[random() % stacks.size()];
            const auto shared = random() % (other.size() + 1);
            frames.assign(other.end() - static_cast<std::ptrdiff_t>(shared), other.end());
        }
        const auto depth = 8 + random() % 25;
        while (frames.size() > depth) {
            frames.erase(frames.begin());
        }
        while (frames.size() < depth) {
            frames.insert(frames.begin(), 0x7ff6'0000'0000 + (random() % 0x100'0000) * 4 + 1);
        }
        stacks.push_back(std::move(frames));
    }
    return stacks;
}

class Generator {
  public:
    Generator(const HeapTraceShape& shape, etl::EtlWriter& writer)
        : shape_(shape), writer_(writer), stacks_(makeStacks(shape.distinctStacks, random_)) {}

    void run() {
        std::vector<Address> outstanding;
        std::uint64_t nextFresh = 0;
        std::vector<Address> freeAddresses;
        for (std::uint64_t i = 0; i < shape_.allocations; ++i) {
            if (outstanding.size() >= shape_.outstanding) {
                const auto victim = random_() % outstanding.size();
                free(outstanding[victim]);
                freeAddresses.push_back(outstanding[victim]);
                outstanding[victim] = outstanding.back();
                outstanding.pop_back();
            }
            Address address = 0x200'0000'0000 + (nextFresh++) * 64;
            if (freeAddresses.size() > 1000) { // heaps use addresses again
                const auto index = random_() % freeAddresses.size();
                address = freeAddresses[index];
                freeAddresses[index] = freeAddresses.back();
                freeAddresses.pop_back();
            }
            allocate(address);
            outstanding.push_back(address);
        }
        for (const auto address : outstanding) {
            free(address);
        }
    }

    [[nodiscard]] std::int64_t ticks() const { return ticks_; }

  private:
    void allocate(Address address) {
        payload_.clear();
        put<std::uint64_t>(payload_, 0x1d0000);
        put<std::uint64_t>(payload_, 16 + (random_() & 0x7ff));
        put<std::uint64_t>(payload_, address);
        put<std::uint32_t>(payload_, 2);
        event(33);
    }
    void free(Address address) {
        payload_.clear();
        put<std::uint64_t>(payload_, 0x1d0000);
        put<std::uint64_t>(payload_, address);
        put<std::uint32_t>(payload_, 2);
        event(36);
    }
    void event(std::uint8_t opcode) {
        ticks_ += 1 + static_cast<std::int64_t>(random_() % 5);
        const auto thread = static_cast<std::uint16_t>(random_() % kProcessors);
        RawRecord record;
        record.header = HeaderType::System64;
        record.group = group::kHeap;
        record.opcode = opcode;
        record.version = 2;
        record.ticks = ticks_;
        record.pid = kPid;
        record.tid = 100u + thread;
        record.processor = thread;
        write(record);
        stackOf(record);
    }
    void stackOf(const RawRecord& described) {
        const auto a = random_() % stacks_.size();
        const auto b = random_() % stacks_.size();
        payload_.clear();
        put<std::int64_t>(payload_, described.ticks);
        put<std::uint32_t>(payload_, described.pid);
        put<std::uint32_t>(payload_, described.tid);
        for (const auto frame : stacks_[std::min(a, b)]) {
            put<std::uint64_t>(payload_, frame);
        }
        RawRecord record;
        record.header = HeaderType::PerfInfo64;
        record.group = group::kStackWalk;
        record.opcode = 32;
        record.version = 2;
        record.ticks = described.ticks;
        record.processor = described.processor;
        write(record);
    }
    void write(RawRecord& record) {
        record.payload = payload_.data();
        record.payloadBytes = static_cast<std::uint32_t>(payload_.size());
        require(writer_.write(record));
    }

    HeapTraceShape shape_;
    etl::EtlWriter& writer_;
    std::mt19937_64 random_{11};
    std::vector<std::vector<Address>> stacks_;
    std::vector<std::byte> payload_;
    std::int64_t ticks_ = kFirstTicks;
};

} // namespace

std::filesystem::path heapTrace(const HeapTraceShape& shape) {
    const auto path = std::filesystem::temp_directory_path() /
                      fmt::format("highwater_heap_{}_{}_{}{}.etl", shape.allocations, shape.outstanding,
                                  shape.distinctStacks, shape.compressed ? "_xpress" : "");
    if (std::filesystem::exists(path)) return path;
    auto partial = path;
    partial += ".partial";
    auto output = etl::createFileOutput(partial);
    if (!output.hasValue()) require(output.error());
    TraceProperties properties;
    properties.osBuild = 22631;
    properties.pointerBytes = 8;
    properties.processors = kProcessors;
    properties.firstTicks = kFirstTicks;
    properties.startFileTime = 133'000'000'000'000'000;
    properties.sessionName = "benchmark";
    etl::WriterOptions options;
    options.compression = shape.compressed ? etl::Compression::Xpress : etl::Compression::None;
    auto writer = etl::EtlWriter::create(*output.value(), properties, options);
    if (!writer.hasValue()) require(writer.error());
    Generator generator(shape, *writer.value());
    generator.run();
    require(writer.value()->finish(properties.startFileTime + generator.ticks()));
    writer.value().reset();
    output.value().reset();
    std::filesystem::rename(partial, path);
    return path;
}

} // namespace highwater::benchmarks
