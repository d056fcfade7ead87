#include "core/decode/records/resident_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/recording_notes.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

constexpr std::uint16_t kNotesProcessor = 4;
constexpr std::uint32_t kMeasuredPid = 10;

TraceProperties startingAt(std::int64_t ticks) {
    TraceProperties properties;
    properties.firstTicks = ticks;
    return properties;
}

etl::RecordBatch batchOf(std::initializer_list<std::int64_t> times) {
    etl::RecordBatch batch;
    for (const auto ticks : times) {
        batch.records.emplace_back().ticks = ticks;
    }
    return batch;
}

ResidentSample sampleOfSeveralParts() {
    ResidentSample sample;
    sample.pid = kMeasuredPid;
    sample.names = {"[heap]"};
    for (std::uint64_t i = 0; i < 15'000; ++i) {
        auto& mapping = sample.mappings.emplace_back();
        mapping.begin = i * 3 * kResidentPageBytes;
        mapping.end = mapping.begin + kResidentPageBytes;
        mapping.resident = mapping.privateDirty = kResidentPageBytes;
    }
    return sample;
}

/// The batch has this sample several times at that time.
void compareResident(const etl::RecordBatch& batch, ResidentSample sample, std::size_t times, std::int64_t ticks) {
    sample.time = TraceTime{ticks};
    decode::ResidentParts parts;
    std::size_t found = 0;
    for (const auto& record : batch.records) {
        if (record.providerGuid() != kHighwaterProvider) continue;
        QCOMPARE(record.opcode, highwater_opcode::kResident);
        QCOMPARE(record.ticks, ticks);
        QCOMPARE(record.processor, kNotesProcessor);
        const auto [read, dropped] = parts.take(record, TraceTime{record.ticks});
        QCOMPARE(dropped, 0u);
        if (!read) continue;
        QVERIFY(*read == sample);
        ++found;
    }
    QCOMPARE(parts.finish(), 0u);
    QCOMPARE(found, times);
}

/// "100 sample, 150, 200, 200 mark"
QString print(const etl::RecordBatch& batch) {
    QStringList words;
    for (const auto& record : batch.records) {
        const bool isNote = record.processor == kNotesProcessor;
        const auto kind = !isNote                                           ? QString()
                          : record.kind == etl::RawRecord::Kind::Provider   ? QStringLiteral(" edit")
                          : record.opcode == perf_info_opcode::kMark        ? QStringLiteral(" mark")
                          : record.opcode == process_memory_opcode::kSample ? QStringLiteral(" sample")
                                                                            : QStringLiteral(" unknown");
        words += QString::number(record.ticks) + kind;
    }
    return words.join(QStringLiteral(", "));
}

} // namespace

class RecordingNotesTest : public QObject {
    Q_OBJECT
  private slots:
    void marksHaveTheTimeThatTheStreamHasReached() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        notes.mark("now");
        auto batch = batchOf({150, 200});
        notes.addTo(batch);
        QCOMPARE(print(batch), "150, 200, 200 mark");
    }

    void eachMarkHasATimeOfItsOwn() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        notes.mark("one");
        notes.mark("two");
        notes.editMark(100, "first");
        auto batch = batchOf({});
        notes.addTo(batch);
        QCOMPARE(print(batch), "101 mark, 102 mark, 102 edit");
    }

    /// Events that arrived meanwhile may include all the frees at the end of the program.
    void whatWasMeasuredStandsBeforeWhatCameMeanwhile() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        auto first = batchOf({150, 200});
        notes.addTo(first);
        QCOMPARE(print(first), "150, 200");
        notes.privateBytes(kMeasuredPid, {20 << 20, 20 << 20}, std::nullopt);
        notes.mark("now");
        auto second = batchOf({300, 400});
        notes.addTo(second);
        QCOMPARE(print(second), "200 sample, 300, 400, 400 mark");
    }

    /// A recorder that lags behind: at 200 it has not yet read the events that precede the measurement.
    void whatWasMeasuredWaitsForItsOwnTime() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        notes.privateBytes(kMeasuredPid, {20 << 20, 20 << 20}, 350);
        notes.privateBytes(kMeasuredPid, {10 << 20, 10 << 20}, 150);
        auto first = batchOf({150, 200});
        notes.addTo(first);
        QCOMPARE(print(first), "150, 150 sample, 200");
        notes.mark("now");
        auto second = batchOf({300, 350, 400});
        notes.addTo(second);
        QCOMPARE(print(second), "300, 350, 350 sample, 400, 400 mark");
        notes.privateBytes(kMeasuredPid, {4096, 4096}, 390); // reported late: time does not go back
        notes.privateBytes(kMeasuredPid, {4096, 4096}, 450);
        auto third = batchOf({});
        third.reachedTicks = 450;
        notes.addTo(third);
        QCOMPARE(print(third), "400 sample, 450 sample");
    }

    /// It covers the blocks outstanding when it was requested, not when the stream got that far.
    void aSnapshotWaitsForItsTime() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        QCOMPARE(notes.snapshot(SnapshotOrigin::Asked, 350), 1u);
        auto first = batchOf({150, 200});
        notes.addTo(first);
        QCOMPARE(print(first), "150, 200");
        auto second = batchOf({300, 360});
        notes.addTo(second);
        QCOMPARE(print(second), "300, 360, 360 edit");
        QCOMPARE(second.records.back().opcode, highwater_opcode::kSnapshot);
    }

    void aSnapshotThatTheStreamDoesNotReachIsOfItsEnd() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        QCOMPARE(notes.snapshot(SnapshotOrigin::Asked, 350), 1u);
        QCOMPARE(notes.snapshot(SnapshotOrigin::Asked), 2u); // without a time: at once
        auto batch = batchOf({150});
        notes.addTo(batch);
        QCOMPARE(print(batch), "150, 150 edit");
        auto last = batchOf({});
        notes.addTo(last);
        QCOMPARE(print(last), "150 edit");
    }

    /// Also if others have the same time.
    void thePartsOfASampleStayTogetherInOrder() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        const auto sample = sampleOfSeveralParts();
        const auto bytes = notes.resident(sample, 350);
        QVERIFY(bytes > 2 * decode::kMostPartBytes);
        QVERIFY(notes.resident(sample, 350) == bytes);
        notes.privateBytes(kMeasuredPid, {4096, 4096}, 350);
        auto first = batchOf({150, 200});
        notes.addTo(first);
        QCOMPARE(print(first), "150, 200");
        auto second = batchOf({300, 350, 400});
        notes.addTo(second);
        QCOMPARE(second.records.front().ticks, std::int64_t{300});
        QCOMPARE(second.records.back().ticks, std::int64_t{400});
        compareResident(second, sample, 2, 350);
    }
    void aSampleWithoutATimeStandsBeforeWhatCameMeanwhile() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        const auto sample = sampleOfSeveralParts();
        (void)notes.resident(sample, std::nullopt);
        auto batch = batchOf({150, 200});
        notes.addTo(batch);
        QCOMPARE(batch.records.back().ticks, std::int64_t{200});
        compareResident(batch, sample, 1, 100);
    }
    /// The recorder measures, then ends the recording.
    void whatWasMeasuredLastIsAtTheEnd() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        const auto sample = sampleOfSeveralParts();
        (void)notes.resident(sample, 500);
        auto batch = batchOf({150, 200});
        notes.addTo(batch);
        QCOMPARE(print(batch), "150, 200");
        auto last = batchOf({});
        notes.addTo(last);
        compareResident(last, sample, 1, 500);
    }
    /// Pictures of memory are computed when everything else is written.
    void whatFollowsTheLastSampleIsNotEarlier() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        notes.privateBytes(kMeasuredPid, {4096, 4096}, 500);
        auto last = batchOf({});
        notes.addTo(last);
        QCOMPARE(print(last), "500 sample");
        notes.remark("No picture of memory was taken.");
        auto more = batchOf({});
        notes.addTo(more);
        QCOMPARE(more.records.size(), std::size_t{1});
        QCOMPARE(more.records.front().ticks, std::int64_t{500});
    }
    void aSampleThatDoesNotFitIsNotWritten() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        ResidentSample invalid;
        invalid.mappings.emplace_back();
        QCOMPARE(notes.resident(invalid, std::nullopt), std::uint64_t{0});
        auto batch = batchOf({150});
        notes.addTo(batch);
        QCOMPARE(print(batch), "150");
    }

    void nothingIsAddedTwice() {
        RecordingNotes notes;
        notes.begin(startingAt(100), kNotesProcessor);
        notes.privateBytes(kMeasuredPid, {4096, 4096}, std::nullopt);
        auto batch = batchOf({150});
        notes.addTo(batch);
        QCOMPARE(print(batch), "100 sample, 150");
        auto next = batchOf({160});
        notes.addTo(next);
        QCOMPARE(print(next), "160");
    }
};

HIGHWATER_TEST(RecordingNotesTest);
#include "recording_notes_test.moc"
