#include "core/decode/records/clock.h"
#include "core/event/opcodes.h"
#include "core/pipeline/crop/record_cut.h"
#include "tests/core/pipeline/crop/crops.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>
#include <map>

using namespace highwater;
using namespace highwater::crops;
using namespace highwater::fixtures;

namespace {

/// Counts records by kind, of those that are in an interval.
class RecordTally final : public etl::RecordSink {
  public:
    RecordTally(TimeRange interval, std::uint32_t processors, const TraceProperties& properties)
        : interval_(interval), processors_(processors), clock_(properties) {}
    void onBatch(etl::RecordBatch& batch) override {
        for (const auto& record : batch.records) {
            if (record.processor >= processors_ || record.kind != etl::RawRecord::Kind::Classic) continue;
            if (!interval_.contains(clock_.toTime(record.ticks))) continue;
            ++counts[{record.group, record.opcode}];
            bytes += record.payloadBytes;
        }
    }
    std::map<std::pair<int, int>, std::uint64_t> counts;
    std::uint64_t bytes = 0;

  private:
    TimeRange interval_;
    std::uint32_t processors_;
    decode::Clock clock_;
};

/// processors: those of the original; 0: the whole file.
RecordTally tally(const std::filesystem::path& trace, TimeRange interval, std::uint32_t processors) {
    TraceHealth health;
    Progress progress;
    auto source = source::EtlFileSource::open({trace}, health);
    if (!source.hasValue()) qFatal("%s", source.error().message.c_str());
    RecordTally counted(interval, processors, source.value()->properties());
    if (!source.value()->run(counted, health, {}, progress).hasValue()) qFatal("cannot be read");
    return counted;
}

std::uint32_t processorsOf(const std::filesystem::path& trace) {
    TraceHealth health;
    auto source = source::EtlFileSource::open({trace}, health);
    return source.hasValue() ? source.value()->properties().processors : 0;
}

} // namespace

/// The records of a crop.
class RecordCutTest : public QObject {
    Q_OBJECT
  private slots:
    void keepsNamesOfThreadsThatAreToldLater() {
        const pipeline::CropProcesses all;
        pipeline::RecordCut cut({100, 200}, all);
        etl::RawRecord named;
        named.group = group::kThread;
        named.opcode = thread_opcode::kSetName;
        named.ticks = 300;
        const auto kept = cut.cut(named);
        QCOMPARE(kept.size(), std::size_t{1});
        QCOMPARE(kept.front().ticks, std::int64_t{199});
    }
    void hasAllRecordsOfTheInterval_data() {
        QTest::addColumn<QString>("shape");
        for (const auto& shape : exercise2Shapes())
            QTest::addRow("%s", std::string(shape.name).c_str()) << QString::fromStdString(std::string(shape.name));
    }
    void hasAllRecordsOfTheInterval() {
        QFETCH(QString, shape);
        const QTemporaryDir folder(folderInMemory());
        const auto original =
            writeFile(folder, "whole.etl", exercise2Trace(*findExercise2Shape(shape.toStdString())).bytes().value());
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto interval = between(14, 20);
        const auto cropped = crop(original, output, interval);
        QVERIFY2(cropped.hasValue(), text(cropped));
        QCOMPARE(cropped.value().recordsLeftOut, std::uint64_t{0});
        // The last instant also contains stacks and rundowns that came later.
        const TimeRange inside{interval.start, TraceTime{interval.end.ns - 1000}};
        const auto processors = processorsOf(original);
        auto wanted = tally(original, inside, processors);
        const auto found = tally(output, inside, processors);
        QVERIFY(!wanted.counts.empty());
        for (const auto& [kind, count] : wanted.counts) {
            const auto is = found.counts.contains(kind) ? found.counts.at(kind) : 0;
            QVERIFY2(is == count,
                     fmt::format("group {} opcode {}: {} of {}", kind.first, kind.second, is, count).c_str());
        }
        QCOMPARE(found.counts.size(), wanted.counts.size());
        QCOMPARE(found.bytes, wanted.bytes);
    }
    /// At the end of a trace, Windows writes the definitions of stack keys.
    void hasFramesThatAreToldLater_data() {
        QTest::addColumn<int>("form");
        QTest::addRow("afterwards") << static_cast<int>(StackForm::Keys);
        QTest::addRow("before the first use") << static_cast<int>(StackForm::KeysDefinedBefore);
        QTest::addRow("extended") << static_cast<int>(StackForm::Extended);
    }
    void hasFramesThatAreToldLater() {
        QFETCH(int, form);
        const QTemporaryDir folder(folderInMemory());
        auto story = smallStory({.stacks = static_cast<StackForm>(form)});
        for (int i = 0; i < 9; ++i)
            story.heapAlloc({seconds(i + 0.5), 10, 11}, kHeap, {0x1000u + static_cast<Address>(i) * 0x100, 40}, kMain);
        const std::filesystem::path output = folder.filePath("crop.etl").toStdString();
        const auto cropped = crop(writeFile(folder, "whole.etl", story.bytes().value()), output, between(4, 6));
        QVERIFY2(cropped.hasValue(), text(cropped));
        const auto trace = load(output);
        QCOMPARE(trace->heap.rows, 6u);
        for (RowId row = 0; row < trace->heap.rows; ++row)
            QCOMPARE(trace->columns->stacks.node(trace->leaf(trace->heap.site(row).stack)).depth, 1u);
        QCOMPARE(trace->health[Loss::StacksMissing], std::uint64_t{0});
        QCOMPARE(trace->health[Loss::StacksUnresolved], std::uint64_t{0});
    }
};

HIGHWATER_TEST(RecordCutTest);
#include "record_cut_test.moc"
