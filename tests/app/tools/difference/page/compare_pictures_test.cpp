#include "app/tools/difference/page/difference_chart.h"
#include "app/tools/difference/page/rename_offer.h"
#include "app/tools/difference/page/renames_dialog.h"
#include "tests/app/tools/difference/page/compare_stage.h"
#include "tests/support/test_registry.h"
#include "ui/view/flames/flame_canvas.h"
#include "ui/view/flames/tree_flames_view.h"

#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>

using namespace highwater;
using namespace highwater::tests;
using ui::DifferenceModel;

namespace {

struct PictureStage : CompareStage {
    ui::DifferenceChart& chart() { return view().chart(); }
    ui::FlameCanvas& canvas() { return view().flames().canvas(); }
    /// The lines of the selection are shown and end with these values.
    bool linesEndAt(std::int64_t before, std::int64_t after) {
        const analysis::Change end{before, after};
        return QTest::qWaitFor([&] { return chart().timeline() && chart().timeline()->atEnd == end; }, 10'000);
    }
    void choose(const char* shows) {
        auto* choice = view().findChild<QComboBox*>("differenceShows");
        choice->setFocus();
        QTest::keyClicks(choice, shows);
    }
    QStringList processes() {
        QStringList texts;
        for (int row = 0; row < rows(); ++row)
            texts << tree().model()->index(row, 0).data().toString();
        return texts;
    }
    std::optional<std::uint32_t> frame(const char* text) {
        const auto& tree = canvas().answer()->tree;
        for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
            if (tree.text(node) == text) return node;
        return std::nullopt;
    }
};

} // namespace

/// Lines, flames and renames of the Compare page, by mouse and keys.
class ComparePicturesTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    QString old_, now_, one_, two_;

  private slots:
    void initTestCase() {
        old_ = folder_.filePath("old.etl");
        now_ = folder_.filePath("now.etl");
        one_ = folder_.filePath("one.etl");
        two_ = folder_.filePath("two.etl");
        QVERIFY(writeBlocks(old_, 10, {{"keeps.exe", 100}, {"grows.exe", 40}, {"goes.exe", 5}}));
        QVERIFY(writeBlocks(now_, 70, {{"keeps.exe", 100}, {"comes.exe", 3}, {"grows.exe", 48}}));
        QVERIFY(writeBlocks(one_, 10, {{"lib.dll", 100}, {"grows.dll", 40}}, "app-1.0.exe"));
        QVERIFY(writeBlocks(two_, 20, {{"lib.dll", 100}, {"grows.dll", 48}}, "app-2.0.exe"));
    }

    void linesAreOfTheSelectedRows() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        QVERIFY(stage.chart().isVisible());
        QVERIFY(stage.linesEndAt(40, 48)); // grows.exe, which is selected
        stage.tree().setFocus();
        QTest::keyClick(&stage.tree(), Qt::Key_Down);
        QVERIFY(stage.linesEndAt(0, 3));
        QTest::keyClick(&stage.tree(), Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(stage.linesEndAt(40, 51)); // both together
        auto* whole = stage.view().findChild<QToolButton*>("differenceWhole");
        QTest::mouseClick(whole, Qt::LeftButton);
        QVERIFY(stage.linesEndAt(145, 151));
        QTest::mouseClick(whole, Qt::LeftButton);
        QVERIFY(stage.linesEndAt(40, 51));
    }

    void pointerAndArrowsShowBothNumbers() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        auto& chart = stage.chart();
        QVERIFY(stage.linesEndAt(40, 48));
        QCOMPARE(chart.words(), "At the end: 40 B before, 48 B after (+8 B)");
        // Blocks are made at 2 s and 3 s: at 2.5 s only the side before has one.
        QTest::mouseMove(&chart, QPoint(static_cast<int>(chart.xOf(100)), static_cast<int>(chart.plot().center().y())));
        QTRY_VERIFY2(chart.words().endsWith("40 B before, 0 B after (−40 B)"), qPrintable(chart.words()));
        QVERIFY2(chart.words().startsWith("2.5"), qPrintable(chart.words()));
        chart.setFocus();
        QTest::keyClick(&chart, Qt::Key_End);
        QVERIFY2(chart.words().endsWith("after the start: 40 B before, 48 B after (+8 B)"), qPrintable(chart.words()));
        QTest::keyClick(&chart, Qt::Key_Home);
        QCOMPARE(chart.pointedAt(), std::optional<std::size_t>(0));
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Right);
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(chart.pointedAt(), std::optional<std::size_t>(1));
        QTest::keyClick(&chart, Qt::Key_Escape);
        QCOMPARE(chart.pointedAt(), std::optional<std::size_t>());
    }

    void flamesAreOfBothTraces() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        stage.choose("Flame");
        auto& canvas = stage.canvas();
        QTRY_VERIFY(canvas.isVisible() && canvas.answer());
        QVERIFY(!stage.tree().isVisible());
        const auto& tree = canvas.answer()->tree;
        QCOMPARE(tree.root().before, 145);
        QCOMPARE(tree.root().now, 151);
        QCOMPARE(tree.root().width, 156u);            // the larger of the two, stack by stack
        QVERIFY(canvas.root() == ui::FlameRoot::Top); // bottom-up
        // A click zooms in; the search counts; the row is found in the table.
        std::optional<std::uint32_t> grows;
        for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
            if (tree.text(node).starts_with("grows.exe!")) grows = node;
        QVERIFY(grows);
        QTest::mouseClick(canvas.viewport(), Qt::LeftButton, {}, canvas.rectOf(*grows).center());
        QCOMPARE(canvas.zoom(), *grows);
        auto* search = stage.view().findChild<QLineEdit*>("differenceFlameSearch");
        search->setFocus();
        QTest::keyClicks(search, "grows");
        QTRY_VERIFY2(stage.label("differenceFlameMatches").startsWith("1 frame, 30.8 %"),
                     qPrintable(stage.label("differenceFlameMatches")));
        canvas.setFocus();
        canvas.setCurrent(*grows);
        QTest::keyClick(&canvas, Qt::Key_Return, Qt::ControlModifier);
        QTRY_VERIFY(stage.tree().isVisible());
        QVERIFY(stage.view().selected().data().toString().startsWith("grows.exe!"));
    }

    void theZoomOfFlamesStaysWithItsFrame() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        stage.choose("Flame");
        auto& canvas = stage.canvas();
        QTRY_VERIFY(canvas.answer());
        std::optional<std::uint32_t> grows;
        for (std::uint32_t node = 1; node < canvas.answer()->tree.nodes.size(); ++node)
            if (canvas.answer()->tree.text(node).starts_with("grows.exe!")) grows = node;
        canvas.zoomTo(*grows);
        const auto before = canvas.answer();
        // With fewer rows, the nodes have other numbers.
        const auto query = analysis::QueryExpression::parse(analysis::Table::Heap, "Size:>=40").value();
        stage.panel().graph().addFilter({.clause = {}, .text = "Size:>=40", .query = query});
        QTRY_VERIFY(canvas.answer() != before && canvas.answer()->tree.root().now == 148);
        QVERIFY(canvas.answer()->tree.text(canvas.zoom()).starts_with("grows.exe!"));
    }

    void aProgramOfAnotherVersionIsOffered() {
        PictureStage stage;
        QVERIFY(stage.begin(two_));
        QVERIFY(stage.compareWith(one_));
        QCOMPARE(stage.processes(), (QStringList{"app-2.0.exe", "app-1.0.exe"}));
        QTRY_VERIFY(stage.view().offer().isVisible());
        QCOMPARE(stage.label("renameOfferWords"),
                 "app-1.0.exe was recorded before and app-2.0.exe after. Compare them as one program?");
        QTest::mouseClick(stage.view().findChild<QPushButton*>("renameOfferAccept"), Qt::LeftButton);
        QTRY_COMPARE(stage.processes(), QStringList{"app-2.0.exe"});
        QTRY_VERIFY(!stage.view().offer().isVisible());
        QCOMPARE(stage.functions(), (QStringList{"grows.dll Grown +8 B", "lib.dll Same 0 B"}));
        QCOMPARE(stage.view().findChild<QToolButton*>("differenceRenames")->text(), "Renames (1)…");
        // It is remembered for these two traces.
        QVERIFY(stage.compareWith(one_));
        QTRY_COMPARE(stage.processes(), QStringList{"app-2.0.exe"});
        QVERIFY(stage.compareWith(old_));
        QTRY_COMPARE(stage.processes().size(), 2);
    }

    void anOfferIsTurnedDown() {
        PictureStage stage;
        QVERIFY(stage.begin(two_));
        QVERIFY(stage.compareWith(one_));
        QTRY_VERIFY(stage.view().offer().isVisible());
        auto* no = stage.view().findChild<QToolButton*>("renameOfferTurnDown");
        no->setFocus();
        QTest::keyClick(no, Qt::Key_Space);
        QTRY_VERIFY(!stage.view().offer().isVisible());
        QCOMPARE(stage.processes().size(), 2);
    }

    void renamesAreTypedAndKeptInFiles() {
        PictureStage stage;
        QVERIFY(stage.begin(two_));
        QVERIFY(stage.compareWith(one_));
        QTest::mouseClick(stage.view().findChild<QToolButton*>("differenceRenames"), Qt::LeftButton);
        auto* dialog = stage.view().findChild<ui::RenamesDialog*>("renamesDialog");
        QVERIFY(dialog != nullptr && QTest::qWaitForWindowExposed(dialog));
        auto* table = dialog->findChild<QTableWidget*>("renamesTable");
        QTest::mouseClick(dialog->findChild<QPushButton*>("renamesAdd"), Qt::LeftButton);
        QTest::keyClicks(QApplication::focusWidget(), "app-1.0.exe");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTRY_COMPARE(table->item(0, 0)->text(), "app-1.0.exe");
        QVERIFY(dialog->isVisible());
        dialog->accept(); // one side is missing
        QVERIFY(dialog->isVisible());
        QVERIFY(dialog->findChild<QLabel*>("renamesProblem")->isVisible());
        table->item(0, 1)->setText("app-2.0.exe");
        QTest::mouseClick(dialog->findChild<QPushButton*>("renamesSuggest"), Qt::LeftButton);
        QCOMPARE(table->rowCount(), 1); // it was there
        const auto file = folder_.filePath("renames.txt");
        dialog->writeTo(file);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(written.readAll(), QByteArray("app-1.0.exe = app-2.0.exe\n"));
        table->selectRow(0);
        QTest::mouseClick(dialog->findChild<QPushButton*>("renamesRemove"), Qt::LeftButton);
        QCOMPARE(table->rowCount(), 0);
        dialog->readFrom(file);
        QCOMPARE(table->rowCount(), 1);
        QTest::mouseClick(dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok), Qt::LeftButton);
        QTRY_COMPARE(stage.processes(), QStringList{"app-2.0.exe"});
    }

    void theDialogOffersAllThatCanBeOpened() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        stage.window.findChild<QAction*>("compareWith")->trigger();
        auto* dialog = stage.window.findChild<QFileDialog*>("compareDialog");
        for (const auto* suffix : {"*.etl", "*.zip", "*.diagsession"})
            QVERIFY2(dialog->nameFilters().first().contains(suffix), suffix);
        dialog->reject();
    }

    void itsKeyBringsThePageFromBehindATab() {
        PictureStage stage;
        QVERIFY(stage.begin(now_));
        QVERIFY(stage.compareWith(old_));
        auto* dock = stage.window.findChild<QDockWidget*>("compareDock");
        QTRY_VERIFY(stage.view().isVisible() && !stage.view().visibleRegion().isEmpty());
        stage.window.findChild<QAction*>("toggleLeaks")->trigger();
        QTRY_VERIFY(stage.view().visibleRegion().isEmpty());
        QTest::qWait(20);
        stage.window.findChild<QAction*>("toggleCompare")->trigger();
        QTRY_VERIFY(!stage.view().visibleRegion().isEmpty());
        QVERIFY(!dock->isHidden());
        QVERIFY(stage.rows() > 0); // the other trace is still there
        QTest::qWait(20);
        stage.window.findChild<QAction*>("toggleCompare")->trigger();
        QTRY_VERIFY(dock->isHidden());
        QCOMPARE(stage.rows(), 0);
    }
};

HIGHWATER_TEST(ComparePicturesTest);
#include "compare_pictures_test.moc"
