#include "app/tools/balance/page/balance_model.h"
#include "tests/app/tools/balance/page/balance_answers.h"
#include "tests/support/test_registry.h"
#include "ui/theme/theme_colors.h"
#include "ui/view/chart/chart_picture.h"

#include <QAbstractItemModelTester>
#include <QColor>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;
using analysis::MemoryLayer;

namespace {

QStringList namesIn(const BalanceModel& model, const QModelIndex& parent = {}) {
    QStringList names;
    for (int row = 0; row < model.rowCount(parent); ++row)
        names << model.index(row, BalanceModel::kName, parent).data().toString();
    return names;
}

QStringList cellsOf(const QModelIndex& row) {
    QStringList cells;
    for (int column = BalanceModel::kResident; column < BalanceModel::kColumns; ++column)
        cells << row.siblingAtColumn(column).data().toString();
    return cells;
}

} // namespace

class BalanceModelTest : public QObject {
    Q_OBJECT

  private slots:
    void layersAreBelowTheirProcessAndMappingsBelowTheirLayer() {
        BalanceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(model.rowCount(), 0);
        model.setAnswer(twoProcesses());
        QCOMPARE(namesIn(model), QStringList({"service (7)", "small (8)"}));
        const auto service = model.index(0, 0);
        QCOMPARE(namesIn(model, service), QStringList({"Live blocks", "Free, returnable", "Program and libraries"}));
        const auto live = model.index(0, 0, service);
        QCOMPARE(namesIn(model, live), QStringList({"[heap]", "(anonymous)"}));
        QCOMPARE(model.rowCount(model.index(0, 0, live)), 0);
        model.setAnswer(nullptr);
        QCOMPARE(model.rowCount(), 0);
    }
    void sizesAddUpFromBelow() {
        BalanceModel model;
        model.setAnswer(twoProcesses());
        const auto service = model.index(0, 0), live = model.index(0, 0, service), heap = model.index(0, 0, live);
        QCOMPARE(cellsOf(heap), QStringList({"3.0 MB", "28.6", "3.0 MB", "3.0 MB", "3.0 MB", "0 B", "6.0 MB"}));
        QCOMPARE(cellsOf(live), QStringList({"3.5 MB", "33.3", "3.5 MB", "3.5 MB", "3.5 MB", "0 B", "7.0 MB"}));
        QCOMPARE(cellsOf(service),
                 QStringList({"10.5 MB", "100.0", "10.5 MB", "10.5 MB", "10.5 MB", "0 B", "21.0 MB"}));
    }
    void peaksAreThoseOfTheSamplesOfTheInterval() {
        BalanceModel model;
        model.setAnswer(twoProcesses(1));
        const auto peakOf = [](const QModelIndex& row) {
            return row.siblingAtColumn(BalanceModel::kPeak).data().toString();
        };
        const auto service = model.index(0, 0), live = model.index(0, 0, service), heap = model.index(0, 0, live);
        QCOMPARE(service.siblingAtColumn(BalanceModel::kResident).data().toString(), "8.5 MB");
        QCOMPARE(peakOf(service), "10.5 MB");
        QCOMPARE(peakOf(live), "3.5 MB");
        QCOMPARE(peakOf(heap), "3.0 MB");
        model.setGrouping({BalanceGrouping::Order::LayersBelow, analysis::PartsBy::Mapping});
        const auto all = model.index(0, 0, model.index(0, 0));
        QCOMPARE(all.data().toString(), "[heap]");
        QCOMPARE(peakOf(all), "9.0 MB");
        auto outside = *twoProcesses();
        outside.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>();
        model.setAnswer(std::make_shared<const BalanceAnswer>(outside));
        QCOMPARE(peakOf(model.index(0, 0)), ""); // without a sample in the interval
    }
    /// The chart draws their bands at other samples.
    void whatHasOnlyAPeakHasARow() {
        BalanceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnswer(withEarlierMapping());
        const auto service = model.index(0, 0);
        QCOMPARE(namesIn(model, service),
                 QStringList({"Live blocks", "Free, returnable", "Mapped by the program", "Program and libraries"}));
        const auto mapped = model.index(2, 0, service);
        QCOMPARE(cellsOf(mapped), QStringList({"0 B", "0.0", "64.0 MB", "0 B", "0 B", "0 B", "0 B"}));
        QVERIFY(mapped.data(Qt::DecorationRole).isValid());
        QCOMPARE(namesIn(model, mapped), QStringList("[anon:big]"));
        QCOMPARE(cellsOf(model.index(0, 0, mapped))[2], "64.0 MB");
        QCOMPARE(model.indexOf(model.nameOf(mapped)), mapped);
        model.setGrouping({BalanceGrouping::Order::LayersBelow, analysis::PartsBy::Module});
        const auto above = model.index(0, 0);
        QCOMPARE(namesIn(model, above), QStringList({"[heap]", "/usr/lib/module.so", "(anonymous)", "[anon:big]"}));
        QCOMPARE(namesIn(model, model.index(3, 0, above)), QStringList("Mapped by the program"));
    }
    void onlyTheLargestMappingsThatHaveEndedHaveRows() {
        BalanceModel model;
        model.setAnswer(withEarlierMapping(1000));
        const auto mapped = model.index(2, 0, model.index(0, 0));
        QCOMPARE(model.rowCount(mapped), 20);
        QCOMPARE(namesIn(model, mapped).front(), "[anon:big]");
        QCOMPARE(cellsOf(mapped)[2], "64.5 MB"); // of all of them
    }
    void mappingsOrModulesMayBeAboveTheirLayers() {
        BalanceModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setAnswer(twoProcesses());
        model.setGrouping({BalanceGrouping::Order::LayersBelow, analysis::PartsBy::Module});
        const auto service = model.index(0, 0);
        QCOMPARE(namesIn(model, service), QStringList({"[heap]", "/usr/lib/module.so", "(anonymous)"}));
        const auto heap = model.index(0, 0, service);
        QCOMPARE(namesIn(model, heap), QStringList({"Live blocks", "Free, returnable"})); // from the ground up
        QCOMPARE(cellsOf(heap)[0], "9.0 MB");
        QVERIFY(!heap.data(Qt::DecorationRole).isValid());
        QVERIFY(model.index(0, 0, heap).data(Qt::DecorationRole).isValid());
        QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), "Process / Module / Layer");
        for (const auto& row : {service, heap, model.index(1, 0, heap)})
            QCOMPARE(model.indexOf(model.nameOf(row)), row);
        QVERIFY(!model.indexOf({"service (7)", MemoryLayer::Live, {}}).isValid()); // a layer of several modules
    }
    void aLayerHasTheColorOfItsBandAndAnExplanation() {
        BalanceModel model;
        for (const auto ground : kGrounds) {
            model.setPalette(paletteOf(ground));
            model.setAnswer(twoProcesses());
            const auto service = model.index(0, 0), returnable = model.index(1, 0, service);
            QCOMPARE(returnable.data(Qt::DecorationRole).value<QColor>(),
                     seriesColor(paletteOf(ground), colorPlaceOf(MemoryLayer::Returnable)));
            QVERIFY(!service.data(Qt::DecorationRole).isValid());
            QVERIFY(!service.siblingAtColumn(BalanceModel::kSwapped).data(Qt::DecorationRole).isValid()); // 0 B
            QVERIFY(returnable.data(Qt::ToolTipRole).toString().contains("without a live block"));
        }
    }
    void swappedMemoryHasTheShadeOfItsBand() {
        BalanceModel model;
        model.setPalette(paletteOf(Ground::Light));
        auto swapped = *twoProcesses();
        swapped.found.balances[0].parts[0].swapped = kMega;
        model.setAnswer(std::make_shared<const BalanceAnswer>(swapped));
        const auto cell = model.index(0, BalanceModel::kSwapped);
        QCOMPARE(cell.data().toString(), "1.0 MB");
        QCOMPARE(cell.data(Qt::DecorationRole).value<QColor>(), colorOf(ChartColor::Quiet, paletteOf(Ground::Light)));
    }
    void amountsAreSortedAsNumbersAndLayersFromTheGroundUp() {
        BalanceModel model;
        model.setAnswer(twoProcesses());
        const auto service = model.index(0, 0), live = model.index(0, 0, service), images = model.index(2, 0, service);
        const auto sortValue = [](const QModelIndex& row, int column) {
            return row.siblingAtColumn(column).data(BalanceModel::kSortRole);
        };
        QCOMPARE(sortValue(service, BalanceModel::kResident).toULongLong(), 21 * kMega / 2);
        QCOMPARE(sortValue(service, BalanceModel::kShare).toULongLong(), 21 * kMega / 2);
        QCOMPARE(sortValue(live, BalanceModel::kReserved).toULongLong(), 7 * kMega);
        QVERIFY(sortValue(live, BalanceModel::kName).toInt() < sortValue(images, BalanceModel::kName).toInt());
        QCOMPARE(sortValue(service, BalanceModel::kName).toString(), "service (7)");
    }
    void rowsAreFoundAgainByName() {
        BalanceModel model;
        model.setAnswer(twoProcesses());
        const auto service = model.index(0, 0), live = model.index(0, 0, service), heap = model.index(0, 0, live);
        for (const auto& row : {service, live, heap})
            QCOMPARE(model.indexOf(model.nameOf(row)), row);
        QVERIFY(!model.indexOf({"gone (9)", {}, {}}).isValid());
        QVERIFY(!model.indexOf({"service (7)", MemoryLayer::Stacks, {}}).isValid());
        QVERIFY(model.nameOf({}) == BalanceModel::RowName());
    }
};

HIGHWATER_TEST(BalanceModelTest);
#include "balance_model_test.moc"
