#include "core/pipeline/spool/carry_over.h"

#include "core/decode/records/clock.h"
#include "core/decode/records/retained_range_record.h"
#include "core/event/opcodes.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <optional>
#include <utility>

using namespace highwater;
using namespace highwater::pipeline;

namespace {

constexpr std::uint16_t kOwnProcessor = 77;
constexpr std::int64_t kNsPerTick = 100;

/// The example as a recording that starts half-way.
struct HalfWay {
    HalfWay() {
        const QTemporaryDir folder(folderInMemory());
        whole = load(writeFile(folder, "whole.etl", fixtures::exercise2Trace().bytes().value()));
        auto at = std::make_shared<store::PagesAt>();
        const auto half = whole->wholeRange().end.ns / 2;
        at->time = TraceTime{half - half % kNsPerTick};
        pages = at;
    }
    [[nodiscard]] CarryOver state() const { return {pages->time.ns / kNsPerTick, whole, pages}; }

    std::shared_ptr<const store::PublishedTrace> whole;
    std::shared_ptr<store::PagesAt> pages;
};

} // namespace

/// A recording without its beginning, and the state it still carries from there.
class CarryOverTest : public QObject {
    Q_OBJECT
  private slots:
    void beginsWithWhereTheTraceBeginsAndWhatHadEnded() {
        const HalfWay half;
        std::uint64_t ended = 0;
        for (RowId row = 0; row < half.whole->heap.rows; ++row)
            ended += half.whole->heap.end(row) < half.pages->time ? 1 : 0;
        QVERIFY(ended > 0);
        std::optional<RetainedRange> window;
        bool isFirst = true;
        const auto written =
            writeCarryOver(half.state(), properties_, kOwnProcessor, [&](auto records) -> Result<void> {
                if (std::exchange(isFirst, false))
                    window = decode::decodeRetainedRange(records.front(), decode::Clock(properties_));
                return {};
            });
        QVERIFY(written.hasValue());
        QVERIFY(window.has_value());
        QCOMPARE(window->start.ns, half.pages->time.ns);
        QCOMPARE(window->heap.rows, ended);
    }
    void writesEachBlockThatIsOutstandingOnceAtItsTime() {
        const HalfWay half;
        std::vector<std::int64_t> wanted;
        for (RowId row = 0; row < half.whole->heap.rows; ++row) {
            const auto begin = half.whole->heap.begin(row);
            if (begin < half.pages->time && half.whole->heap.end(row) >= half.pages->time)
                wanted.push_back((begin.ns + kNsPerTick - 1) / kNsPerTick);
        }
        QVERIFY(!wanted.empty());
        std::vector<std::int64_t> blocks;
        bool isOnOneProcessor = true;
        const auto written =
            writeCarryOver(half.state(), properties_, kOwnProcessor, [&](auto records) -> Result<void> {
                for (const auto& record : records) {
                    isOnOneProcessor = isOnOneProcessor && record.processor == kOwnProcessor;
                    if (record.group == group::kHeap && record.opcode == heap_opcode::kAlloc)
                        blocks.push_back(record.ticks);
                }
                return {};
            });
        QVERIFY(written.hasValue());
        QCOMPARE(blocks, wanted);
        QVERIFY(isOnOneProcessor);
    }
    void saysSoWhenTheyCannotBeWritten() {
        const HalfWay half;
        const auto written = writeCarryOver(half.state(), properties_, kOwnProcessor, [](auto) -> Result<void> {
            return Error{ErrorKind::Io, "the disk is full"};
        });
        QVERIFY(!written.hasValue());
    }

  private:
    const TraceProperties properties_;
};
HIGHWATER_TEST(CarryOverTest);
#include "carry_over_test.moc"
