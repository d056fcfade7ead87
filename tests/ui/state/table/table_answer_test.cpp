#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/query_runner.h"
#include "ui/state/table/table_layout.h"

#include <QSignalSpy>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;
using analysis::Column;
using analysis::Table;

namespace {

/// a.exe: two stacks that diverge below 0x400100 at their third frame; b.exe: one without a stack.
SmallTrace makeTrace() {
    SmallTrace trace;
    trace.process(1, "a.exe").process(2, "b.exe");
    trace.commit(100, 1, 0x10000, 4 * kPage, {0x400300, 0x400200, 0x400100});
    trace.commit(200, 1, 0x90000, 8 * kPage, {0x400400, 0x400200, 0x400100});
    trace.commit(300, 2, 0x10000, kPage);
    return trace;
}

TableRequest askFor(SmallTrace& trace, std::vector<analysis::KeyPath> expanded = {}) {
    const auto layout = defaultLayout(Table::VirtualAlloc);
    TableRequest request{trace.publish(1000), std::make_shared<analysis::FrameLabels>(), {}, {}};
    request.kept.expanded = std::move(expanded);
    request.query.interval = {ms(0), ms(1000)};
    request.query.keys = layout.keyColumns();
    request.query.columns = {Column::Count, Column::ImpactingSize, Column::PeakSize};
    request.query.sort = layout.sort;
    return request;
}

} // namespace

class TableAnswerTest : public QObject {
    Q_OBJECT
  private slots:
    void opensTheTopLevel() {
        auto trace = makeTrace();
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto& total = answer.value()->total();
        QCOMPARE(total.rows.size(), std::size_t{2});
        QCOMPARE(total.rows[0].text, "a.exe (1)");
        QCOMPARE(std::get<std::int64_t>(total.rows[0].values[1]), std::int64_t{12 * kPage});
        QCOMPARE(std::get<std::int64_t>(total.rows[0].values[2]), std::int64_t{12 * kPage});
        QVERIFY(total.rows[0].hasChildren && !total.rows[0].isOpen);
    }
    void expandsTheRowsThatTheUserHasOpen() {
        auto trace = makeTrace();
        auto request = askFor(trace);
        const auto first = answerTable(request, {});
        QVERIFY(first.hasValue());
        request.kept.expanded = {{first.value()->total().rows[0].step}};
        const auto second = answerTable(request, {});
        QVERIFY(second.hasValue());
        const auto& process = second.value()->total().rows[0];
        QVERIFY(process.isOpen);
        QCOMPARE(process.rows.size(), std::size_t{1});
        QCOMPARE(process.rows[0].text, "Impacting");
        QVERIFY(!process.rows[0].isOpen);
    }
    void opensAChainToTheNextFork() {
        auto trace = makeTrace();
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto opened = openRows(*answer.value(), answer.value()->total().rows[0].node, OpenMode::ToNextFork, {});
        QVERIFY(opened.hasValue());
        // Impacting > first frame > second frame > fork
        const auto& type = opened.value().rows.at(0);
        const auto& outer = type.rows.at(0);
        const auto& inner = outer.rows.at(0);
        QCOMPARE(inner.rows.size(), std::size_t{2});
        QVERIFY(!inner.rows[0].isOpen);
    }
    void followsTheLargestValueOfTheSortedColumnToTheLeaf_data() {
        QTest::addColumn<int>("column");
        QTest::addColumn<QString>("leaf");
        QTest::newRow("size") << static_cast<int>(Column::Size) << "0x400400";
        QTest::newRow("count") << static_cast<int>(Column::Count) << "0x400300";
        QTest::newRow("all equal: size") << static_cast<int>(Column::Freed) << "0x400400";
        QTest::newRow("a key: impacting size") << static_cast<int>(Column::Process) << "0x400400";
    }
    void followsTheLargestValueOfTheSortedColumnToTheLeaf() {
        QFETCH(int, column);
        QFETCH(QString, leaf);
        auto trace = makeTrace();
        trace.commit(400, 1, 0x200000, kPage, {0x400300, 0x400200, 0x400100}); // 2 of 5 pages, 1 of 8
        auto request = askFor(trace);
        request.query.sort = {{static_cast<Column>(column), false}};
        const auto answer = answerTable(request, {});
        QVERIFY(answer.hasValue());
        const auto opened = openRows(*answer.value(), analysis::GroupedTable::kRoot, OpenMode::HotPath, {});
        QVERIFY(opened.hasValue());
        QStringList names;
        for (const auto* at = &opened.value(); at;) {
            const auto next = std::find_if(at->rows.begin(), at->rows.end(), [](const auto& row) { return row.isHot; });
            at = next == at->rows.end() ? nullptr : &*next;
            if (at) names << at->text;
        }
        QCOMPARE(names, (QStringList{"a.exe (1)", "Impacting", "0x400100", "0x400200", leaf}));
    }
    void theHotPathStopsWhereMostStays() {
        auto trace = makeTrace();
        for (std::uint32_t i = 0; i < 20; ++i) // 20 pages of 0x400900 itself, one of a function that it calls
            trace.commit(400 + i, 1, 0x900000 + i * kPage, kPage, {0x400900, 0x400100});
        trace.commit(450, 1, 0xA00000, kPage, {0x400901, 0x400900, 0x400100});
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto opened = openRows(*answer.value(), analysis::GroupedTable::kRoot, OpenMode::HotPath, {});
        QVERIFY(opened.hasValue());
        const auto* last = &opened.value();
        for (const auto* at = last; at;) {
            const auto next = std::find_if(at->rows.begin(), at->rows.end(), [](const auto& row) { return row.isHot; });
            at = next == at->rows.end() ? nullptr : &*next;
            if (at) last = at;
        }
        QCOMPARE(last->text, QStringLiteral("0x400900"));
        QVERIFY(last->isOpen); // its callees are visible
    }
    /// 0x400200 is a library of the system, below the program.
    void theHotPathEndsAtTheOwner() {
        SmallTrace trace;
        trace.process(1, "a.exe").image(1, 0x7f0000, 0x1000, "/usr/lib/libc.so.6");
        trace.commit(100, 1, 0x10000, 4 * kPage, {0x7f0200, 0x7f0100, 0x400200, 0x400100});
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto endOf = [&](analysis::GroupedTable::NodeId from) {
            const auto opened = openRows(*answer.value(), from, OpenMode::HotPath, {});
            auto at = opened.value();
            for (;;) {
                const auto next = std::find_if(at.rows.begin(), at.rows.end(), [](auto& row) { return row.isHot; });
                if (next == at.rows.end()) return at;
                at = TableRow(*next);
            }
        };
        const auto owner = endOf(analysis::GroupedTable::kRoot);
        QCOMPARE(owner.text, QStringLiteral("0x400200"));
        QVERIFY(owner.hasChildren && !owner.isOpen);
        QCOMPARE(endOf(owner.node).text, QStringLiteral("libc.so.6!+0x200")); // the second time, to the leaf
    }
    void opensAlongAPath() {
        auto trace = makeTrace();
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto hot = openRows(*answer.value(), analysis::GroupedTable::kRoot, OpenMode::HotPath, {});
        QVERIFY(hot.hasValue());
        const auto& process = hot.value().rows[0];
        const auto& type = process.rows[0];
        const analysis::KeyPath path{process.step, type.step, type.rows[0].step};
        const auto opened = openRows(*answer.value(), {.mode = OpenMode::AlongPath, .path = path}, {});
        QVERIFY(opened.hasValue());
        QVERIFY(opened.value().rows[0].rows[0].rows[0].isOpen);
        QVERIFY(!opened.value().rows[0].rows[0].rows[0].rows[0].isOpen);
        QVERIFY(!opened.value().rows[1].isOpen);
    }
    void opensDownToALevelAndCountsBefore() {
        auto trace = makeTrace();
        const auto answer = answerTable(askFor(trace), {});
        QVERIFY(answer.hasValue());
        const auto countOf = [&](const ExpandRequest& expansion, std::size_t limit) {
            const auto count = countRows(*answer.value(), expansion, limit, {});
            return count.hasValue() ? count.value() : 0;
        };
        const auto size = [](const auto& self, const TableRow& row) -> std::size_t {
            std::size_t rows = row.rows.size();
            for (const auto& child : row.rows) {
                rows += self(self, child);
            }
            return rows;
        };
        // 2 processes, 2 types, 3 frames and a fork of 2, "(no stack)"
        const std::vector<std::size_t> rows{2, 4, 6};
        for (std::size_t level = 1; level <= rows.size(); ++level) {
            const ExpandRequest expansion{.mode = OpenMode::Levels, .levels = level};
            QCOMPARE(countOf(expansion, 1000), rows[level - 1]);
            const auto opened = openRows(*answer.value(), expansion, {});
            QVERIFY(opened.hasValue());
            QCOMPARE(size(size, opened.value()), rows[level - 1]);
        }
        const ExpandRequest all{.mode = OpenMode::Levels};
        QCOMPARE(countOf(all, 1000), std::size_t{9});
        QVERIFY(countOf(all, 5) > 5);
        const auto opened = openRows(*answer.value(), all, {});
        QVERIFY(opened.hasValue());
        QCOMPARE(size(size, opened.value()), std::size_t{9});
    }
    void leavesAStoppedQuestionUnanswered() {
        auto trace = makeTrace();
        std::stop_source stop;
        stop.request_stop();
        const auto answer = answerTable(askFor(trace), stop.get_token());
        QVERIFY(!answer.hasValue());
        QCOMPARE(answer.error().kind, ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(TableAnswerTest);
#include "table_answer_test.moc"
