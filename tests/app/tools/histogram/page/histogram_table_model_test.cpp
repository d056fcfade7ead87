#include "app/tools/histogram/page/histogram_table_model.h"
#include "tests/support/test_registry.h"

#include <QAbstractItemModelTester>
#include <QPointF>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using analysis::HistogramBar, analysis::HistogramOf;

namespace {

std::shared_ptr<const HistogramAnswer> someBars(HistogramOf of, std::uint32_t exact = 0) {
    HistogramAnswer answer;
    answer.query.of = of;
    answer.query.exact = exact;
    answer.found.bars = {
        {.from = 1024, .to = 2048, .count = 1500, .bytes = 2'097'152, .keptCount = 500, .keptBytes = 524'288},
        {.from = 2048, .to = 4096, .count = 3000, .bytes = 1'048'576, .keptCount = 0, .keptBytes = 0}};
    answer.found.exact = {{.from = 1536, .to = 1537, .count = 7, .bytes = 10'752, .keptCount = 7, .keptBytes = 10'752}};
    return std::make_shared<const HistogramAnswer>(std::move(answer));
}

} // namespace

class HistogramTableModelTest : public QObject {
    Q_OBJECT

    HistogramTableModel model_;
    QAbstractItemModelTester tester_{&model_, QAbstractItemModelTester::FailureReportingMode::Fatal};

    QString text(int row, int column) { return model_.index(row, column).data().toString(); }
    QPointF parts(int row) {
        return model_.index(row, HistogramTableModel::kBar).data(HistogramTableModel::kPartsRole).toPointF();
    }

  private slots:
    void init() { model_.setMeasure(HistogramTableModel::Measure::Bytes); }

    void aRowPerBarWithUnits() {
        model_.setAnswer(someBars(HistogramOf::Size));
        QCOMPARE(model_.rowCount(), 2);
        QCOMPARE(text(0, HistogramTableModel::kValues), "1 KB to <2 KB");
        QCOMPARE(text(0, HistogramTableModel::kCount), "1,500");
        QCOMPARE(text(0, HistogramTableModel::kBytes), "2.0 MB");
        QCOMPARE(text(0, HistogramTableModel::kKept), "512.0 KB");
        QCOMPARE(model_.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "Allocation Size");
        QVERIFY(model_.index(0, HistogramTableModel::kBytes).data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight);
    }
    void barsAreAsLongAsTheyAreLarge() {
        model_.setAnswer(someBars(HistogramOf::Size));
        QCOMPARE(parts(0), QPointF(0.25, 0.75));
        QCOMPARE(parts(1), QPointF(0.0, 0.5));
        model_.setMeasure(HistogramTableModel::Measure::Count);
        QCOMPARE(parts(1), QPointF(0.0, 1.0));
        QCOMPARE(parts(0).x(), 500.0 / 3000);
    }
    void showsSingleSizesWhereTheyAreAskedFor() {
        model_.setAnswer(someBars(HistogramOf::Size, 50));
        QCOMPARE(model_.rowCount(), 1);
        QCOMPARE(text(0, HistogramTableModel::kValues), "1536 B");
        QCOMPARE(parts(0), QPointF(1.0, 0.0));
    }
    void showsLifetimesAsDurations() {
        model_.setAnswer(someBars(HistogramOf::LifeTime));
        QCOMPARE(model_.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "LifeTime");
        QCOMPARE(text(0, HistogramTableModel::kValues), "1024 ns to <2048 ns");
    }
    void hasNothingWithoutAnAnswer() {
        model_.setAnswer(nullptr);
        QCOMPARE(model_.rowCount(), 0);
        QVERIFY(model_.bar(0) == nullptr);
    }
};

HIGHWATER_TEST(HistogramTableModelTest);
#include "histogram_table_model_test.moc"
