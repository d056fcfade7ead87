#include "tests/support/test_registry.h"
#include "ui/model/mark_list_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <limits>

using namespace highwater;
using namespace highwater::ui;

namespace {

Mark at(std::int64_t seconds, const char* name) { return {seconds, TraceTime{seconds * 1'000'000'000}, name}; }

/// A list with its model, every change of which is checked.
struct MarksStage {
    MarkList list;
    MarkListModel model{list};
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QSignalSpy edited{&list, &MarkList::edited};
    QStringList names() {
        QStringList names;
        for (int row = 0; row < model.rowCount(); ++row) {
            names << model.index(row, MarkListModel::kName).data().toString();
        }
        return names;
    }
};

} // namespace

class MarkListModelTest : public QObject {
    Q_OBJECT
  private slots:
    void showsMarksWithTheirTime() {
        MarksStage stage;
        stage.list.setTraceMarks({at(1, "start"), at(12, "step")});
        QCOMPARE(stage.names(), (QStringList{"start", "step"}));
        QCOMPARE(stage.model.index(1, MarkListModel::kTime).data().toString(), QString("12.000000 s"));
    }
    void aNewMarkLeavesTheOthersWhereTheyAre() {
        MarksStage stage;
        stage.list.setTraceMarks({at(1, "a"), at(3, "c")});
        const QPersistentModelIndex third(stage.model.index(1, 0));
        stage.list.setTraceMarks({at(1, "a"), at(2, "b"), at(3, "c"), at(4, "d")});
        QCOMPARE(stage.names(), (QStringList{"a", "b", "c", "d"}));
        QCOMPARE(third.row(), 2);
        stage.list.setTraceMarks({at(3, "c")});
        QCOMPARE(stage.names(), QStringList{"c"});
        QCOMPARE(third.row(), 0);
    }
    void theReadersNamesStayOverThoseOfTheTrace() {
        MarksStage stage;
        stage.list.setTraceMarks({at(1, "a"), at(2, "b")});
        QVERIFY(stage.model.setData(stage.model.index(0, 0), "  first ", Qt::EditRole));
        stage.list.remove({2});
        QCOMPARE(stage.edited.size(), 2);
        QCOMPARE(stage.edited.at(0), (QVariantList{qint64{1}, "first"}));
        QCOMPARE(stage.edited.at(1), (QVariantList{qint64{2}, QString()}));
        // The recording that has not received it yet.
        stage.list.setTraceMarks({at(1, "a"), at(2, "b"), at(3, "c")});
        QCOMPARE(stage.names(), (QStringList{"first", "c"}));
        stage.list.clear();
        stage.list.setTraceMarks({at(1, "of another trace")});
        QCOMPARE(stage.names(), QStringList{"of another trace"});
    }
    void aMarkHasAlwaysAName() {
        MarksStage stage;
        stage.list.setTraceMarks({at(1, "a")});
        QVERIFY(!stage.model.setData(stage.model.index(0, 0), "   ", Qt::EditRole));
        stage.list.rename(1, "a"); // with its name
        stage.list.rename(7, "nobody");
        QCOMPARE(stage.names(), QStringList{"a"});
        QCOMPARE(stage.edited.size(), 0);
    }
    void marksThatAreMadeHereStandAmongThoseOfTheTrace() {
        MarksStage stage;
        stage.list.setTraceMarks({at(1, "a"), at(9, "b")});
        const auto made = stage.list.make(TraceTime{5'000'000'000});
        QCOMPARE(stage.names(), (QStringList{"a", "Mark 3", "b"}));
        QVERIFY(stage.list.isMadeHere(made.ticks));
        QVERIFY(!stage.list.isMadeHere(1));
        stage.list.rename(made.ticks, "full");
        // The trace grows, and does not contain it.
        stage.list.setTraceMarks({at(1, "a"), at(9, "b"), at(12, "c")});
        QCOMPARE(stage.names(), (QStringList{"a", "full", "b", "c"}));
        QCOMPARE(stage.edited.size(), 0);
        stage.list.clear();
        QCOMPARE(stage.names(), QStringList());
    }
    void everyMarkHasItsOwnNameAndTicks() {
        MarksStage stage;
        stage.list.setTraceMarks({{std::numeric_limits<qint64>::min(), TraceTime{7}, "Mark 2"}});
        const auto first = stage.list.make(TraceTime{5});
        const auto second = stage.list.make(TraceTime{5});
        QCOMPARE(stage.names(), (QStringList{"Mark 3", "Mark 4", "Mark 2"}));
        QVERIFY(first.ticks != second.ticks);
        QVERIFY(first.ticks != std::numeric_limits<qint64>::min());
    }
    void deletedMarksCanBeRestored() {
        MarksStage stage;
        QSignalSpy removed(&stage.list, &MarkList::removed);
        stage.list.setTraceMarks({at(1, "a"), at(2, "b")});
        const auto made = stage.list.make(TraceTime{1'500'000'000});
        stage.list.rename(2, "second");
        stage.list.remove({made.ticks, 2, 77});
        QCOMPARE(stage.names(), QStringList{"a"});
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed[0][0].value<std::vector<Mark>>().size(), std::size_t{2});
        stage.list.restore({made.ticks, 2});
        QCOMPARE(stage.names(), (QStringList{"a", "Mark 3", "second"}));
        stage.list.remove({77});
        QCOMPARE(removed.size(), 1);
    }
    void userChangesAreRepeated() {
        MarksStage first, second;
        for (auto* stage : {&first, &second})
            stage->list.setTraceMarks({at(1, "a"), at(2, "b"), at(3, "c")});
        first.list.rename(first.list.make(TraceTime{5'000'000'000}).ticks, "made");
        first.list.rename(1, "first");
        first.list.rename(1, "the first");
        first.list.remove({2});
        QSignalSpy renamed(&second.list, &MarkList::renamed), removed(&second.list, &MarkList::removed);
        second.list.adopt(first.list.kept());
        QCOMPARE(second.names(), (QStringList{"the first", "c", "made"}));
        QCOMPARE(renamed.size() + removed.size(), 0);
        second.list.adopt(first.list.kept()); // a second time changes nothing
        QCOMPARE(second.names(), (QStringList{"the first", "c", "made"}));
        QVERIFY(second.list.kept().made == first.list.kept().made);
        QVERIFY(MarksStage().list.kept().isEmpty());
    }
    void twoMarksMakeAnInterval() {
        QVERIFY(!MarkList::between({}).has_value());
        QVERIFY(!MarkList::between({at(1, "a")}).has_value());
        const auto range = MarkList::between({at(5, "c"), at(1, "a"), at(2, "b")});
        QCOMPARE(range->start, at(1, "").time);
        QCOMPARE(range->end, at(5, "").time);
    }
};
HIGHWATER_TEST(MarkListModelTest);
#include "mark_list_model_test.moc"
