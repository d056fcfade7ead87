#include "tests/benchmarks/heap_trace.h"

#include "core/base/units.h"
#include "core/etl/etl_writer.h"
#include "core/event/opcodes.h"
#include "core/event/record_counts.h"
#include "core/pipeline/spool/spool.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace highwater::benchmarks {
namespace {

using etl::HeaderType;
using etl::RawRecord;

constexpr std::uint32_t kPid = 4242;
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

/// Stacks that share their outer frames, like those of a real program.
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

/// Writes the records into a file.
class Writer {
  public:
    Writer() = default;
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;
    virtual ~Writer() = default;
    virtual void write(const RawRecord& record) = 0;
    virtual void finish(std::int64_t endFileTime) = 0;
};

class WindowsWriter final : public Writer {
  public:
    explicit WindowsWriter(std::unique_ptr<etl::EtlWriter> writer) : writer_(std::move(writer)) {}
    void write(const RawRecord& record) override { require(writer_->write(record)); }
    void finish(std::int64_t endFileTime) override { require(writer_->finish(endFileTime)); }

  private:
    std::unique_ptr<etl::EtlWriter> writer_;
};

class HighwaterWriter final : public Writer {
  public:
    explicit HighwaterWriter(std::unique_ptr<pipeline::Spool> spool) : spool_(std::move(spool)) {}
    void write(const RawRecord& record) override { require(spool_->write({&record, 1})); }
    void finish(std::int64_t) override { require(spool_->finish({})); }

  private:
    std::unique_ptr<pipeline::Spool> spool_;
};

class Generator {
  public:
    Generator(const HeapTraceShape& shape, Writer& writer)
        : shape_(shape),
          isOfAgent_(shape.form == HeapTraceShape::Form::Highwater),
          writer_(writer),
          stacks_(makeStacks(shape.distinctStacks, random_)) {}

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
            if (freeAddresses.size() > 1000) { // heaps reuse addresses
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
        put<std::uint32_t>(payload_, isOfAgent_ ? 0 : 2);
        event(heap_opcode::kAlloc);
    }
    void free(Address address) {
        payload_.clear();
        put<std::uint64_t>(payload_, 0x1d0000);
        put<std::uint64_t>(payload_, address);
        put<std::uint32_t>(payload_, isOfAgent_ ? 0 : 2);
        event(heap_opcode::kFree);
    }
    void event(std::uint8_t opcode) {
        ticks_ += 1 + static_cast<std::int64_t>(random_() % 5); // 3 of 100 ns: kHeapTraceEventsPerSecond
        const auto thread = static_cast<std::uint16_t>(random_() % shape_.threads);
        RawRecord record;
        record.header = isOfAgent_ ? HeaderType::Compact64 : HeaderType::System64;
        record.group = group::kHeap;
        record.opcode = opcode;
        record.version = 2;
        record.ticks = ticks_;
        record.pid = kPid;
        record.tid = 100u + thread;
        record.processor = thread;
        write(record);
        if (opcode == heap_opcode::kAlloc || shape_.stacksOnFree) stackOf(record);
    }
    void stackOf(const RawRecord& described) {
        if (stacksWritten_++ % shape_.sameStackInARow == 0)
            stack_ = std::min(random_() % stacks_.size(), random_() % stacks_.size());
        payload_.clear();
        put<std::int64_t>(payload_, described.ticks);
        put<std::uint32_t>(payload_, described.pid);
        put<std::uint32_t>(payload_, described.tid);
        for (const auto frame : stacks_[stack_]) {
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
        writer_.write(record);
    }

    HeapTraceShape shape_;
    bool isOfAgent_;
    Writer& writer_;
    std::mt19937_64 random_{11};
    std::vector<std::vector<Address>> stacks_;
    std::vector<std::byte> payload_;
    std::uint64_t stack_ = 0;
    std::uint64_t stacksWritten_ = 0;
    std::int64_t ticks_ = kFirstTicks;
};

TraceProperties propertiesOf(const HeapTraceShape& shape) {
    TraceProperties properties;
    properties.osBuild = 22631;
    properties.pointerBytes = 8;
    properties.processors = shape.threads;
    properties.firstTicks = kFirstTicks;
    properties.startFileTime = 133'000'000'000'000'000;
    properties.sessionName = "benchmark";
    return properties;
}

template <typename T>
std::unique_ptr<T> required(Result<std::unique_ptr<T>> made) {
    if (!made.hasValue()) require(made.error());
    return std::move(made).value();
}

std::unique_ptr<Writer> writerOf(const HeapTraceShape& shape, etl::ByteOutput& output) {
    const auto compression = shape.compressed ? etl::Compression::Xpress : etl::Compression::None;
    const auto properties = propertiesOf(shape);
    if (shape.form == HeapTraceShape::Form::Highwater)
        return std::make_unique<HighwaterWriter>(required(pipeline::Spool::create(output, properties, compression)));
    etl::WriterOptions options;
    options.compression = compression;
    return std::make_unique<WindowsWriter>(required(etl::EtlWriter::create(output, properties, options)));
}

std::string nameOf(const HeapTraceShape& shape) {
    return fmt::format("highwater_heap_{}_{}_{}_{}_{}{}{}{}.etl", shape.allocations, shape.outstanding,
                       shape.distinctStacks, shape.threads, shape.sameStackInARow, shape.compressed ? "_xpress" : "",
                       shape.form == HeapTraceShape::Form::Highwater ? "_recorded" : "",
                       shape.stacksOnFree ? "" : "_allocs");
}

} // namespace

std::filesystem::path heapTrace(const HeapTraceShape& shape) {
    const auto path = std::filesystem::temp_directory_path() / nameOf(shape);
    if (std::filesystem::exists(path)) return path;
    auto partial = path;
    partial += ".partial";
    auto output = required(etl::createFileOutput(partial));
    auto writer = writerOf(shape, *output);
    Generator generator(shape, *writer);
    generator.run();
    writer->finish(propertiesOf(shape).startFileTime + generator.ticks());
    writer.reset();
    output.reset();
    std::filesystem::rename(partial, path);
    return path;
}

} // namespace highwater::benchmarks
