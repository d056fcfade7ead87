#include "core/base/text.h"
#include "core/pipeline/spool/spool.h"
#include "core/source/etl_files/etl_file_source.h"
#include "tests/core/decode/record_stream.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/core/pipeline/trace_rows.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

#include <random>

using namespace highwater;
using namespace highwater::pipeline;
using fixtures::exercise2Trace;

namespace {

std::vector<std::byte> bytesOf(const fixtures::TraceShape& shape = {}) { return exercise2Trace(shape).bytes().value(); }

/// Accepts this many bytes, like a disk that fills up.
class SmallDisk final : public etl::ByteOutput {
  public:
    explicit SmallDisk(std::uint64_t room) : room_(room) {}
    Result<void> append(ByteSpan bytes) override {
        if (bytes.size() > room_ - memory.size()) return Error{ErrorKind::Io, "No space left on device."};
        return memory.append(bytes);
    }
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes) override { return memory.overwrite(offset, bytes); }
    [[nodiscard]] std::uint64_t size() const override { return memory.size(); }
    etl::MemoryOutput memory;

  private:
    std::uint64_t room_;
};

bool hasLosses(const HealthReport& health) {
    for (std::size_t i = 0; i < kLossCount; ++i) {
        if (health.counts[i] > 0 && describe(static_cast<Loss>(i)).severity() == Severity::Bound) return true;
    }
    return false;
}

/// Spools a trace with a flush after every `flushEvery` batches; returns the sizes of the file after each flush.
class SpoolingSink final : public etl::RecordSink {
  public:
    SpoolingSink(Spool& spool, int flushEvery) : spool_(spool), flushEvery_(flushEvery) {}
    void onBatch(etl::RecordBatch& batch) override {
        (void)spool_.write(batch.records);
        if (++batches_ % flushEvery_ != 0) return;
        if (spool_.flush().hasValue()) flushedAt.push_back(spool_.bytesWritten());
    }
    std::vector<std::uint64_t> flushedAt;

  private:
    Spool& spool_;
    int flushEvery_;
    int batches_ = 0;
};

struct Spooled {
    std::vector<std::uint64_t> flushedAt;
    std::optional<Error> error;
    std::vector<std::byte> header; ///< as it is in the file until it is finished
};
Spooled spool(const std::vector<std::byte>& trace, etl::ByteOutput& output, int flushEvery,
              etl::Compression compression) {
    TraceHealth health;
    Progress progress;
    auto source = source::EtlFileSource::fromMemory(trace, "example.etl", health);
    auto written = Spool::create(output, source.value()->properties(), compression);
    std::vector<std::byte> header;
    if (const auto* memory = dynamic_cast<etl::MemoryOutput*>(&output)) header = memory->bytes();
    SpoolingSink sink(*written.value(), flushEvery);
    (void)source.value()->run(sink, health, {}, progress);
    (void)written.value()->finish({});
    return {sink.flushedAt, written.value()->error(), header};
}

/// The file as a killed program leaves it.
std::vector<std::byte> cutOff(const Spooled& spooled, const etl::MemoryOutput& output, std::uint64_t size) {
    auto bytes = output.bytes();
    bytes.resize(size);
    std::copy(spooled.header.begin(), spooled.header.end(), bytes.begin());
    return bytes;
}

/// The events that the Linux agent delivers for two threads that allocate, free and read their stacks in turns.
class AgentStream {
  public:
    void stack(std::uint64_t key, const std::vector<Address>& frames) { stream_.keyFrames(now_, 34, key, frames); }
    void allocate(std::uint32_t tid, Address address, std::uint64_t key) {
        auto& record =
            stream_.add(++now_, group::kHeap, 33, stream_.payload().pointer(1).pointer(48).pointer(address).u32(0));
        compact(record, tid);
        stream_.userKey(now_, now_, kPid, tid, key);
    }
    void release(std::uint32_t tid, Address address) {
        compact(stream_.add(++now_, group::kHeap, 36, stream_.payload().pointer(1).pointer(address).u32(0)), tid);
    }
    [[nodiscard]] std::vector<etl::RawRecord> records() const { return stream_.records(); }

  private:
    static constexpr std::uint32_t kPid = 77;
    static void compact(etl::RawRecord& record, std::uint32_t tid) {
        record.header = etl::HeaderType::Compact64;
        record.pid = kPid;
        record.tid = tid;
    }
    tests::RecordStream stream_;
    std::int64_t now_ = 0;
};

/// Headers and lengths of all records of a file, without their payloads.
std::vector<etl::RawRecord> recordsIn(const std::vector<std::byte>& file) {
    struct Sink final : etl::RecordSink {
        void onBatch(etl::RecordBatch& batch) override {
            records.insert(records.end(), batch.records.begin(), batch.records.end());
        }
        std::vector<etl::RawRecord> records;
    } sink;
    TraceHealth health;
    Progress progress;
    auto source = source::EtlFileSource::fromMemory(file, "spooled.etl", health);
    (void)source.value()->run(sink, health, {}, progress);
    return sink.records;
}

TraceProperties agentClock() {
    auto properties = tests::RecordStream::properties();
    properties.processors = 1;
    return properties;
}

} // namespace

/// The contents of a recording's file at each moment at which the program may end.
class SpoolTest : public QObject {
    Q_OBJECT
  private slots:
    /// Only the agent's records are shortened, because no other tool reads them.
    void recordsOfWindowsStayAsTheyAre() {
        tests::RecordStream stream;
        for (std::int64_t i = 1; i <= 3; ++i) { // without a Source, like the agent's
            auto& heap = stream.add(i, group::kHeap, 33, stream.payload().pointer(1).pointer(48).pointer(64).u32(0));
            heap.header = etl::HeaderType::System64;
            heap.pid = 77;
            heap.tid = 5;
        }
        stream.virtualAlloc(4, 77, 0);
        etl::MemoryOutput output;
        auto spool = Spool::create(output, agentClock(), etl::Compression::None).value();
        QVERIFY(spool->write(stream.records()).hasValue());
        QVERIFY(spool->finish({}).hasValue());
        const auto records = recordsIn(output.bytes());
        QCOMPARE(records.size(), std::size_t{5}); // the header first; no context switch
        for (std::size_t i = 1; i < 4; ++i) {
            QCOMPARE(records[i].header, etl::HeaderType::System64);
            QCOMPARE(records[i].payloadBytes, 28u);
            QCOMPARE(records[i].pid, 77u);
            QCOMPARE(records[i].tid, 5u);
        }
        QCOMPARE(records[4].header, etl::HeaderType::PerfInfo64);
        QCOMPARE(records[4].payloadBytes, 24u);
    }
    void everyFlushCanBeReadWithItsStacks() {
        const auto original = bytesOf({.processors = 2});
        for (const auto compression : {etl::Compression::None, etl::Compression::Xpress}) {
            etl::MemoryOutput output;
            const auto spooled = spool(original, output, 2, compression);
            QVERIFY(spooled.flushedAt.size() > 3);
            const QTemporaryDir folder(folderInMemory());
            for (const auto size : spooled.flushedAt) {
                const auto cut = load(writeFile(folder, "cut.etl", cutOff(spooled, output, size)));
                QVERIFY(cut != nullptr);
                // No flushed data is lost; the loss of later data is reported.
                QCOMPARE(cut->health.remarks.size(), std::size_t{1});
                QVERIFY2(cut->health.remarks[0].find("was not ended properly") != std::string::npos,
                         cut->health.remarks[0].c_str());
                QVERIFY(!hasLosses(cut->health));
                QVERIFY2(cut->health[Loss::StacksMissing] <= 1, "that of the last event may come after the flush");
                QCOMPARE(cut->health[Loss::StacksUnresolved], std::uint64_t{0});
            }
        }
    }
    void everyBufferResolvesWithoutItsFlush() {
        for (const auto processors : {1, 3}) {
            const auto original = bytesOf({.processors = static_cast<std::uint16_t>(processors)});
            etl::MemoryOutput output;
            const auto spooled = spool(original, output, 5, etl::Compression::None);
            const QTemporaryDir folder(folderInMemory());
            constexpr std::size_t kBuffer = 65536;
            QVERIFY(output.size() > 8 * kBuffer);
            for (std::size_t size = kBuffer; size <= output.size(); size += kBuffer) {
                const auto cut = load(writeFile(folder, "cut.etl", cutOff(spooled, output, size)));
                QVERIFY(cut != nullptr);
                QCOMPARE(cut->health[Loss::StacksUnresolved], std::uint64_t{0});
            }
        }
    }
    void allocationsOfAnAgentTakeLittleAndLoseNothing() {
        AgentStream agent;
        constexpr int kAllocations = 40'000;
        agent.stack(0xABC, {0x401000, 0x402000, 0x403000});
        agent.stack(0xDEF, {0x401000, 0x405000});
        for (int i = 0; i < kAllocations; ++i) {
            const std::uint32_t tid = i % 1000 < 900 ? 5 : 6;
            agent.allocate(tid, 0x7F0000000000 + static_cast<Address>(i % 64) * 64, i % 3 == 0 ? 0xABC : 0xDEF);
            agent.release(i % 50 == 0 ? 7 : tid, 0x7F0000000000 + static_cast<Address>(i % 64) * 64); // some by another
        }
        etl::MemoryOutput output;
        auto spool = Spool::create(output, agentClock(), etl::Compression::None).value();
        const auto records = agent.records();
        constexpr std::size_t kPart = 3000;
        for (std::size_t at = 0; at < records.size(); at += kPart) {
            QVERIFY(spool->write(std::span(records).subspan(at, std::min(kPart, records.size() - at))).hasValue());
            if (at % (10 * kPart) == 0) QVERIFY(spool->flush().hasValue());
        }
        QVERIFY(spool->finish({}).hasValue());
        const QTemporaryDir folder(folderInMemory());
        const auto trace = load(writeFile(folder, "agent.etl", output.bytes()));
        QVERIFY2(output.size() < std::size_t{118} * kAllocations + 16 * 65536,
                 qPrintable(QString::number(output.size() / kAllocations)));
        QCOMPARE(trace->heap.rows, static_cast<std::uint32_t>(kAllocations));
        auto health = trace->health;
        health.counts[static_cast<std::size_t>(Loss::ProcessesUnknown)] = 0;
        QVERIFY(health.isClean());
        const auto rows = TraceRows(*trace).rows(store::TableKind::Heap);
        for (int i = 0; i < kAllocations; ++i) {
            const auto begin = std::size_t{2} * static_cast<std::size_t>(i) + 1;
            const auto tid = i % 1000 < 900 ? 5 : 6;
            const auto frames = i % 3 == 0 ? std::string("403000") : std::string("405000");
            const auto& row = rows[static_cast<std::size_t>(i)];
            QVERIFY2(row.starts_with(fmt::format("{} 48 ", begin)), row.c_str());
            QVERIFY2(row.find(fmt::format(" until {} ", begin + 1)) != std::string::npos, row.c_str());
            QVERIFY2(row.find(fmt::format(" t{} ", tid)) != std::string::npos, row.c_str());
            if (i % 50 == 0) QVERIFY2(row.find(" t7 ") != std::string::npos, row.c_str());
            QVERIFY2(row.find(frames) != std::string::npos, row.c_str());
        }
    }
    /// Far more keys than are remembered at a time, reused over and over; some get other frames.
    void eachUseOfAKeyHasTheFramesThatItStoodForThen() {
        AgentStream agent;
        constexpr unsigned kKeys = 30'000, kAllocations = 120'000;
        std::mt19937_64 random(1);
        std::vector<std::uint64_t> keys(kKeys);
        std::vector<Address> frameOf(kKeys);
        std::vector<Address> expected;
        for (auto& key : keys)
            key = random();
        Address next = 0x401000;
        for (unsigned i = 0; i < kAllocations; ++i) {
            const auto number = static_cast<std::size_t>(random() % (i % 2 == 0 ? kKeys : 50));
            if (frameOf[number] == 0 || i % 40 == 0) agent.stack(keys[number], {0x400123, frameOf[number] = next++});
            agent.allocate(5, 0x7F0000000000 + Address{i} * 64, keys[number]);
            expected.push_back(frameOf[number]);
        }
        etl::MemoryOutput output;
        auto spool = Spool::create(output, agentClock(), etl::Compression::None).value();
        QVERIFY(spool->write(agent.records()).hasValue());
        QVERIFY(spool->finish({}).hasValue());
        const QTemporaryDir folder(folderInMemory());
        const auto trace = load(writeFile(folder, "agent.etl", output.bytes()));
        QCOMPARE(trace->heap.rows, kAllocations);
        const auto rows = TraceRows(*trace).rows(store::TableKind::Heap);
        for (unsigned i = 0; i < kAllocations; ++i)
            QVERIFY2(rows[i].find(fmt::format(" {:x}", expected[i])) != std::string::npos,
                     qPrintable(QString("%1: %2").arg(i).arg(rows[i].c_str())));
    }
    void aCutInTheMiddleOfABufferLosesNoMoreThanThat() {
        etl::MemoryOutput output;
        const auto spooled = spool(bytesOf(), output, 2, etl::Compression::Xpress);
        const QTemporaryDir folder(folderInMemory());
        const auto size = spooled.flushedAt[spooled.flushedAt.size() / 2];
        const auto flushed = load(writeFile(folder, "flushed.etl", cutOff(spooled, output, size)));
        const auto torn = load(writeFile(folder, "torn.etl", cutOff(spooled, output, size + 100)));
        QCOMPARE(torn->heap.rows, flushed->heap.rows);
        QVERIFY(torn->health[Loss::BuffersTruncated] + torn->health[Loss::BuffersUnreadable] > 0);
    }
    void aFullDiskKeepsWhatWasFlushed() {
        SmallDisk disk(300'000);
        const auto spooled = spool(bytesOf(), disk, 1, etl::Compression::None);
        QVERIFY(spooled.error.has_value());
        QCOMPARE(spooled.error->message, std::string("No space left on device."));
        QVERIFY(disk.memory.size() <= 300'000);
        const QTemporaryDir folder(folderInMemory());
        const auto kept = load(writeFile(folder, "kept.etl", disk.memory.bytes()));
        QVERIFY(kept != nullptr);
        QVERIFY(kept->virtualAlloc.rows + kept->heap.rows > 0);
        // The file itself reports it.
        QVERIFY(kept->health.totalsAreBounds());
        QCOMPARE(kept->health.remarks.size(), std::size_t{1});
        const auto& said = kept->health.remarks[0];
        QVERIFY2(said.starts_with("The file was cut off at ") && said.ends_with(" No space left on device."),
                 said.c_str());
        const auto missing = kept->health[Loss::EventsLost];
        QVERIFY2(missing > 0 && said.find(" " + thousands(missing) + " events") != std::string::npos, said.c_str());
        QCOMPARE(kept->health[Loss::BuffersMissing], std::uint64_t{0});
        QCOMPARE(kept->health[Loss::BuffersTruncated], std::uint64_t{0});
    }
};
HIGHWATER_TEST(SpoolTest);
#include "spool_test.moc"
