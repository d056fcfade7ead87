#include "core/base/text.h"
#include "core/decode/records/note_record.h"
#include "tests/core/decode/record_stream.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::decode;
using namespace highwater::tests;

namespace {

struct KeptNotes final : NoteObserver {
    void onMark(const Mark& mark) override { marks.push_back(mark); }
    void onMarkEdit(const MarkEdit& edit) override { applyEdit(edit, marks); }
    void onPrivateBytes(const PrivateBytesSample& sample) override { samples.push_back(sample); }
    std::vector<Mark> marks;
    std::vector<PrivateBytesSample> samples;
};

std::string nameIn(const PayloadBuilder& payload) { return decodeMarkName(TestRecord(payload).raw); }

/// Working set, commit, virtual size, private working set: as many fields as that system has.
PayloadBuilder memoryOfProcesses(unsigned pointerBytes, std::size_t fields) {
    PayloadBuilder payload(pointerBytes);
    payload.u32(2);
    for (const std::uint32_t pid : {10u, 20u}) {
        payload.u32(pid).pointer(900).pointer(pid * 100).zeros((fields - 2) * pointerBytes);
    }
    return payload;
}

/// As Windows 10 writes it since version 1607: values of 64 bits in records of any pointer size, and more of them in
/// the future.
PayloadBuilder newMemoryOf(unsigned pointerBytes, const std::vector<std::uint32_t>& pids, std::size_t moreValues = 0) {
    PayloadBuilder payload(pointerBytes);
    payload.u32(static_cast<std::uint32_t>(pids.size()));
    for (const auto pid : pids)
        payload.u32(pid).u64(900).u64(pid * 100).u64(5000).u64(800).zeros((4 + moreValues) * 8);
    return payload;
}

std::optional<std::vector<PrivateBytesSample>> memoryIn(const PayloadBuilder& payload) {
    return decodeProcessMemory(TestRecord(payload).raw);
}
std::optional<std::vector<PrivateBytesSample>> memoryIn(const PayloadBuilder& payload, std::size_t bytes) {
    return decodeProcessMemory(TestRecord(payload, bytes).raw);
}

void fromProvider(etl::RawRecord& record, const Guid& provider, std::uint16_t eventId) {
    record.kind = etl::RawRecord::Kind::Provider;
    record.provider = reinterpret_cast<const std::byte*>(&provider);
    record.eventId = eventId;
}

} // namespace

class NoteRecordTest : public QObject {
    Q_OBJECT
  private slots:
    void readsTheNameOfAMarkInEitherForm() {
        QCOMPARE(nameIn(PayloadBuilder(8).utf16("step 2")), std::string("step 2"));
        QCOMPARE(nameIn(PayloadBuilder(8).narrow("step")), std::string("step"));
        QCOMPARE(nameIn(PayloadBuilder(8).narrow("a step")), std::string("a step"));
        QCOMPARE(nameIn(PayloadBuilder(8)), std::string());
        std::vector<std::byte> bytes;
        appendUtf16(bytes, "gr\xC3\xB6\xC3\x9F"
                           "er");
        PayloadBuilder payload(8);
        for (const auto byte : bytes)
            payload.u8(static_cast<unsigned>(byte));
        QCOMPARE(nameIn(payload), std::string("gr\xC3\xB6\xC3\x9F"
                                              "er"));
    }
    void readsTheMemoryOfProcesses_data() {
        QTest::addColumn<unsigned>("pointerBytes");
        QTest::addColumn<std::size_t>("fields");
        for (const unsigned pointerBytes : {4u, 8u}) {
            for (const std::size_t fields : {4u, 8u}) {
                QTest::addRow("%u-byte pointers, %zu fields", pointerBytes, fields) << pointerBytes << fields;
            }
        }
    }
    void readsTheMemoryOfProcesses() {
        QFETCH(unsigned, pointerBytes);
        QFETCH(std::size_t, fields);
        const auto payload = memoryOfProcesses(pointerBytes, fields);
        const auto samples = decodeProcessMemory(TestRecord(payload).raw);
        QVERIFY(samples.has_value());
        QCOMPARE(samples->size(), std::size_t{2});
        QCOMPARE(samples->at(1), (PrivateBytesSample{{}, 20, 2000 * 4096, 900 * 4096}));
    }
    void readsValuesOf64BitsInRecordsOfAnyPointerSize() {
        for (const unsigned pointerBytes : {4u, 8u}) {
            for (const std::size_t moreValues : {0u, 1u, 3u}) {
                const auto samples = memoryIn(newMemoryOf(pointerBytes, {10, 20, 0xFFFFFFFF}, moreValues));
                QVERIFY(samples.has_value());
                QCOMPARE(samples->size(), std::size_t{3});
                QCOMPARE(samples->at(0), (PrivateBytesSample{{}, 10, 1000 * 4096, 900 * 4096}));
                QCOMPARE(samples->at(1), (PrivateBytesSample{{}, 20, 2000 * 4096, 900 * 4096}));
                QCOMPARE(samples->at(2).pid, 0xFFFFFFFFu);
            }
        }
    }
    /// A pointer-sized value after the pid may be aligned.
    void readsAlignedEntries() {
        PayloadBuilder payload(8);
        payload.u32(2);
        for (const std::uint32_t pid : {10u, 20u})
            payload.u32(pid).u32(0xCCCCCCCC).u64(900).u64(pid * 100).u64(5000).u64(800);
        const auto samples = memoryIn(payload);
        QVERIFY(samples.has_value());
        QCOMPARE(samples->at(1), (PrivateBytesSample{{}, 20, 2000 * 4096, 900 * 4096}));
    }
    void ignoresPaddingAtTheEnd() {
        const auto samples = memoryIn(newMemoryOf(8, {10, 20}).u32(0));
        QVERIFY(samples.has_value());
        QCOMPARE(samples->at(1).bytes, ByteCount{2000 * 4096});
    }
    /// Only a size of a known layout is read. A truncated record may have the size of an older one, whose values are
    /// elsewhere: impossible numbers of pages show it.
    void refusesSizesOfNoLayout() {
        const auto payload = newMemoryOf(8, {10, 20, 30});
        const auto whole = payload.bytes().size();
        for (std::size_t bytes = 0; bytes < whole; ++bytes)
            QVERIFY2(!memoryIn(payload, bytes).has_value(), qPrintable(QString::number(bytes)));
        QVERIFY(memoryIn(payload, whole).has_value());
        for (const std::uint32_t count : {4u, 100u, 0x7FFFFFFFu, 0xFFFFFFFFu}) {
            PayloadBuilder other(8);
            other.u32(count);
            for (const auto byte : ByteSpan(payload.bytes()).subspan(4))
                other.u8(static_cast<unsigned>(byte));
            QVERIFY2(!memoryIn(other).has_value(), qPrintable(QString::number(count)));
        }
    }
    void refusesImpossibleNumbersOfPages() {
        for (const auto pages : {std::uint64_t{1} << 34, ~std::uint64_t{0}}) {
            QVERIFY(!memoryIn(PayloadBuilder(8).u32(1).u32(10).u64(pages).u64(1).zeros(48)).has_value());
            QVERIFY(!memoryIn(PayloadBuilder(8).u32(1).u32(10).u64(1).u64(pages).zeros(48)).has_value());
        }
    }
    void theDecoderReadsTheProviderOfWindowsAsWell() {
        RecordStream stream;
        stream.tick(500);
        const auto payload = newMemoryOf(8, {10, 20});
        fromProvider(stream.add(1000, 0, 0, payload), kKernelMemoryProvider, kernel_memory_event::kProcessMemory);
        fromProvider(stream.add(1500, 0, process_memory_opcode::kSample, payload), kKernelMemoryProvider, 0);
        fromProvider(stream.add(1600, 0, 0, payload), kKernelMemoryProvider, 1); // memory of the system
        fromProvider(stream.add(2000, 0, 0, stream.payload().u32(9)), kKernelMemoryProvider,
                     kernel_memory_event::kProcessMemory);
        KeptNotes notes;
        RecordingSink sink;
        TraceHealth health;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {.noteObserver = &notes});
        decoder.decode(stream.records());
        decoder.finish();
        QCOMPARE(notes.samples.size(), std::size_t{4});
        QCOMPARE(notes.samples[1], (PrivateBytesSample{TraceTime{1000}, 20, 2000 * 4096, 900 * 4096}));
        QCOMPARE(notes.samples[2], (PrivateBytesSample{TraceTime{1500}, 10, 1000 * 4096, 900 * 4096}));
        QCOMPARE(health.report()[Loss::RecordsTruncated], std::uint64_t{1});
    }
    void refusesWhatIsTooShort() {
        QVERIFY(!decodeProcessMemory(TestRecord(PayloadBuilder(8)).raw).has_value());
        QVERIFY(!decodeProcessMemory(TestRecord(PayloadBuilder(8).u32(0xFFFFFFFF).zeros(64)).raw).has_value());
        QVERIFY(decodeProcessMemory(TestRecord(PayloadBuilder(8).u32(0)).raw)->empty());
        QVERIFY(!decodeMarkEdit(TestRecord(PayloadBuilder(8).u32(0)).raw).has_value());
    }
    void theDecoderTellsNotesWithTheirTime() {
        RecordStream stream;
        stream.tick(500);
        stream.add(1000, group::kPerfInfo, perf_info_opcode::kMark, stream.payload().utf16("start"));
        stream.add(2000, group::kPerfInfo, perf_info_opcode::kMark, stream.payload().utf16("end"));
        stream.add(2500, group::kMemory, process_memory_opcode::kSample, memoryOfProcesses(8, 8));
        const auto edit = [&](std::int64_t ticks, const char* name) {
            auto& record = stream.add(3000, 0, highwater_opcode::kMarkEdit,
                                      stream.payload().u64(static_cast<std::uint64_t>(ticks)).narrow(name));
            record.kind = etl::RawRecord::Kind::Provider;
            record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
        };
        edit(1000, "begin");
        edit(2000, "");
        edit(7777, "nobody");
        auto& late = stream.add(3100, 0, highwater_opcode::kLateMark, stream.payload().u64(700).narrow("between"));
        late.kind = etl::RawRecord::Kind::Provider;
        late.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
        edit(700, "late");
        KeptNotes notes;
        RecordingSink sink;
        TraceHealth health;
        RecordDecoder decoder(RecordStream::properties(), sink, health, {.noteObserver = &notes});
        decoder.decode(stream.records());
        decoder.finish();
        QCOMPARE(notes.marks.size(), std::size_t{2});
        QCOMPARE(notes.marks.front(), (Mark{1000, TraceTime{1000}, "begin"}));
        QCOMPARE(notes.marks.back(), (Mark{700, TraceTime{700}, "late"}));
        QCOMPARE(notes.samples.size(), std::size_t{2});
        QCOMPARE(notes.samples.front(), (PrivateBytesSample{TraceTime{2500}, 10, 1000 * 4096, 900 * 4096}));
        QVERIFY(health.report().isClean());
    }
};
HIGHWATER_TEST(NoteRecordTest);
#include "note_record_test.moc"
