#include "ui/session/stored_rows.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::Column;
using analysis::KeyPath;
using analysis::Table;

namespace {

/// The same trace, opened in a program of its own: labels are numbered in the order of their first use.
struct Opened {
    std::shared_ptr<const store::PublishedTrace> trace;
    analysis::FrameLabels labels;
    explicit Opened(std::initializer_list<const char*> textsBefore = {}) {
        trace =
            SmallTrace().process(7, "a.exe").process(9, "b.exe").commit(1, 9, 0x1000, kPage, {0x70, 0x60}).publish(100);
        for (const auto* text : textsBefore)
            (void)labels.textId(text);
    }
    [[nodiscard]] RowWords words() { return {*trace, labels}; }
};

} // namespace

class StoredRowsTest : public QObject {
    Q_OBJECT
  private slots:
    void meanTheSameWhenTheTraceIsOpenedAgain() {
        Opened first, second({"one", "two", "three"});
        const auto label = first.labels.textId("b.exe!main").value;
        const KeyPath path{
            {Column::Process, 1}, {Column::Stack, label}, {Column::Thread, 42}, {Column::Address, 0xffffffff12345678}};
        const auto stored = first.words().stored(Table::VirtualAlloc, path);
        QCOMPARE(stored.at(0), (StoredStep{"Process", "b.exe (9)"}));
        QCOMPARE(stored.at(1), (StoredStep{"Commit Stack", "b.exe!main"}));
        const auto found = second.words().path(Table::VirtualAlloc, stored);
        QVERIFY(found);
        QCOMPARE(found->at(0), path[0]);
        QVERIFY(found->at(1).key != label); // another number for the same function
        QCOMPARE(second.labels.text(analysis::LabelId{static_cast<std::uint32_t>(found->at(1).key)}),
                 std::string("b.exe!main"));
        QCOMPARE(found->at(3), path[3]);
    }
    void knowNoProcessThatIsNotThere() {
        Opened opened;
        QVERIFY(!opened.words().path(Table::Heap, {{"Process", "c.exe (1)"}}));
        QVERIFY(!opened.words().path(Table::Heap, {{"Process Name", "c.exe"}}));
        QVERIFY(opened.words().path(Table::Heap, {{"Process Name", "a.exe"}}));
    }
    void knowNoColumnThatTheTableHasNot() {
        Opened opened;
        QVERIFY(!opened.words().path(Table::Heap, {{"Pile", "1"}}));
        QVERIFY(!opened.words().path(Table::VirtualAlloc, {{"Handle", "1"}}));
        QVERIFY(!opened.words().path(Table::Heap, {{"Size", "1"}})); // a number of a group is not a row
        QVERIFY(!opened.words().path(Table::Heap, {{"Thread", "many"}}));
    }
    void keepLabelsAndRowsWithoutOne() {
        Opened first, second({"other"});
        const auto key = std::uint64_t{first.labels.textId("Cache").value} + 1;
        for (const auto annotation : {key, std::uint64_t{0}}) {
            const auto stored = first.words().stored(Table::Heap, {{Column::Annotation, annotation}});
            const auto found = second.words().path(Table::Heap, stored);
            QVERIFY(found);
            QCOMPARE(second.words().stored(Table::Heap, *found), stored);
        }
    }
    void sayWhetherTheyNeedNames() {
        QVERIFY(dependsOnNames(Table::Heap, {{"Process", "a"}, {"Stack", "main"}}));
        QVERIFY(!dependsOnNames(Table::Heap, {{"Process", "a"}, {"Handle", "1"}}));
    }
};

HIGHWATER_TEST(StoredRowsTest);
#include "stored_rows_test.moc"
