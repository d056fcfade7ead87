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
        QCOMPARE(samples->at(1), (PrivateBytesSample{{}, 20, 2000 * 4096}));
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
        QCOMPARE(notes.samples.front(), (PrivateBytesSample{TraceTime{2500}, 10, 1000 * 4096}));
        QVERIFY(health.report().isClean());
    }
};
HIGHWATER_TEST(NoteRecordTest);
#include "note_record_test.moc"
