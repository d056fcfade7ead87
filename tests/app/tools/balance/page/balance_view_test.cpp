#include "app/tools/balance/page/balance_view.h"

#include "tests/app/tools/balance/page/balance_answers.h"
#include "tests/support/test_registry.h"
#include "ui/view/chart/chart.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QTest>

#include <cstdlib>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

namespace {

/// The page on screen, with the keyboard.
struct BalanceStage {
    BalanceView view;
    std::vector<std::optional<TraceTime>> wanted;

    explicit BalanceStage(const std::shared_ptr<const BalanceAnswer>& answer = twoProcesses()) {
        QObject::connect(&view, &BalanceView::instantWanted, [this](auto at) { wanted.push_back(at); });
        if (answer) view.setAnswer(answer);
        view.resize(1400, 260);
        view.show();
        view.activateWindow();
        (void)QTest::qWaitForWindowActive(&view);
        view.table().setFocus();
    }
    void press(Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&view.table(), key, with); }
    [[nodiscard]] QPushButton& tryTrim() const { return *view.findChild<QPushButton*>("tryTrim"); }
    [[nodiscard]] QLabel& trial() const { return *view.findChild<QLabel*>("balanceTrial"); }
    [[nodiscard]] Chart& chart() const { return *view.findChild<Chart*>("balanceChart"); }
    [[nodiscard]] QString summary() const { return view.findChild<QLabel*>("balanceSummary")->text(); }
    [[nodiscard]] QString current() { return view.table().currentIndex().siblingAtColumn(0).data().toString(); }
};

} // namespace

/// The Resident Memory page by mouse and keys.
class BalanceViewTest : public QObject {
    Q_OBJECT
  private slots:
    void theLargestProcessIsExpandedAtFirst() {
        BalanceStage stage;
        QCOMPARE(stage.current(), "service (7)");
        QVERIFY(stage.view.table().isExpanded(stage.view.table().currentIndex()));
        QVERIFY2(stage.summary().startsWith("service (7) at 3.00 s: "), qPrintable(stage.summary()));
        QCOMPARE(stage.chart().picture().points.count(), std::size_t{3});
        QCOMPARE(stage.chart().picture().series.size(), std::size_t{4}); // Rss; layers that it never has are left out
    }
    void theLineOfRssIsTheTopOfTheLayersAndSwapIsAbove() {
        BalanceStage stage;
        const auto sumAt = [&](std::size_t sample) {
            double sum = 0;
            for (const auto& series : stage.chart().picture().series)
                if (series.place) sum += series.values[sample];
            return sum;
        };
        const auto rss = stage.chart().picture().series.back();
        QCOMPARE(rss.name, "Rss");
        QVERIFY(rss.isLine());
        for (std::size_t sample = 0; sample < 3; ++sample)
            QCOMPARE(rss.values[sample], sumAt(sample));
        auto swapped = *twoProcesses();
        auto courses = *swapped.found.courses;
        courses[0].points[1].swapped = 2 * kMega;
        swapped.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(courses);
        stage.view.setAnswer(std::make_shared<const BalanceAnswer>(swapped));
        const auto& picture = stage.chart().picture();
        const auto& swap = picture.series[3];
        QCOMPARE(swap.name, "Swap");
        QVERIFY(swap.isStacked() && !swap.place); // its own shade
        QCOMPARE(swap.values, (std::vector<double>{0, 2.0 * kMega, 0}));
        QCOMPARE(valueRange(picture).second, 11.5 * kMega); // 9.5 MB of Rss, and the swapped memory on top
        stage.chart().setFocus();
        QTest::keyClick(&stage.chart(), Qt::Key_Home);
        QTest::keyClick(&stage.chart(), Qt::Key_Right);
        QVERIFY2(stage.chart().words().endsWith("1.0 MB; in addition, 2.0 MB in swap"),
                 qPrintable(stage.chart().words()));
    }
    void theSampleOfTheListIsMarkedInTheChart() {
        BalanceStage stage;
        QCOMPARE(stage.chart().picture().chosen, std::optional(std::size_t{2}));
        stage.view.setAnswer(twoProcesses(2));
        QCOMPARE(stage.chart().picture().chosen, std::optional(std::size_t{1}));
        auto before = *twoProcesses();
        before.found.balances[0].point.time = TraceTime{-1}; // a sample before the interval
        stage.view.setAnswer(std::make_shared<const BalanceAnswer>(before));
        QVERIFY(!stage.chart().picture().chosen);
    }
    void theLevelsBelowAProcessAreChosenByKeys() {
        BalanceStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Right);
        stage.press(Qt::Key_Down); // [heap] in Live blocks
        QTest::keyClick(&stage.view, Qt::Key_G, Qt::AltModifier);
        auto& box = *stage.view.findChild<QComboBox*>("balanceGrouping");
        QTRY_VERIFY(box.hasFocus());
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentText(), "Layer, Module");
        QCOMPARE(stage.current(), "[heap]");
        QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.currentText(), "Mapping, Layer");
        QCOMPARE(stage.current(), "Live blocks"); // the same memory
        QCOMPARE(stage.view.table().currentIndex().parent().data().toString(), "[heap]");
        QVERIFY(stage.view.table().isExpanded(stage.view.table().currentIndex().parent()));
        QCOMPARE(stage.view.model().headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(),
                 "Process / Mapping / Layer");
        stage.press(Qt::Key_Up);
        stage.press(Qt::Key_Up);
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(stage.current(), "service (7)"); // of a mapping, which is in several layers
    }
    void theChartFollowsTheSelectedProcess() {
        BalanceStage stage;
        stage.press(Qt::Key_End);
        QCOMPARE(stage.current(), "small (8)");
        QCOMPARE(stage.chart().picture().points.count(), std::size_t{1});
        QVERIFY(stage.summary().startsWith("small (8) at 2.00 s: "));
    }
    void theChartEndsWithTheProcess() {
        BalanceStage stage;
        QCOMPARE(stage.chart().picture().points.edges.back(), std::int64_t{4'000'000'000}); // end of the interval
        auto ended = *twoProcesses();
        auto courses = *ended.found.courses;
        courses[0].end = TraceTime{3'500'000'000};
        ended.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(courses);
        stage.view.setAnswer(std::make_shared<const BalanceAnswer>(ended));
        QCOMPARE(stage.chart().picture().points.edges.back(), std::int64_t{3'500'000'000});
    }
    void aClickOnASampleAsksForItsInstant() {
        BalanceStage stage;
        const QPoint second(static_cast<int>(stage.chart().xOf(1)), static_cast<int>(stage.chart().plot().center().y()));
        QTest::mouseClick(&stage.chart(), Qt::LeftButton, {}, second);
        QCOMPARE(stage.wanted.size(), std::size_t{1});
        QCOMPARE(stage.wanted[0]->ns, 2'000'000'000);
        QCOMPARE(stage.chart().words(),
                 "2.000000 s, Rss 9.5 MB: Free, returnable 6.0 MB, Live blocks 2.5 MB, Program and libraries 1.0 MB");
    }
    void aNarrowChartNamesTheLargestLayersAndCountsTheOthers() {
        BalanceStage stage;
        stage.chart().setFocus();
        QTest::keyClick(&stage.chart(), Qt::Key_End);
        stage.view.resize(1200, 260);
        QTRY_VERIFY(stage.chart().width() < 500);
        const auto shown = stage.chart().shownWords();
        QVERIFY2(shown == "3.00 s, Rss 10.5 MB: Free, returnable 6.0 MB, Live blocks 3.5 MB and 1 more" ||
                     shown == "3.00 s, Rss 10.5 MB: Free, returnable 6.0 MB and 2 more",
                 qPrintable(shown));
        QVERIFY(stage.chart().words().endsWith("Program and libraries 1.0 MB")); // of the tooltip and screen readers
        stage.view.resize(3000, 260);
        QTRY_COMPARE(stage.chart().shownWords(), stage.chart().words());
    }
    void allColumnsFitInANarrowWindow() {
        BalanceStage stage;
        stage.view.resize(1000, 260);
        const auto& table = stage.view.table();
        QTRY_VERIFY(table.header()->length() <= table.viewport()->width());
    }
    void theColorOfALayerStaysVisibleInTheSelectedRow() {
        BalanceStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.current(), "Free, returnable"); // its colour is not that of the highlight
        auto& table = stage.view.table();
        const auto image = table.viewport()->grab(table.visualRect(table.currentIndex())).toImage();
        const auto wanted = table.currentIndex().siblingAtColumn(0).data(Qt::DecorationRole).value<QColor>();
        const auto frame = table.palette().color(QPalette::HighlightedText);
        // The style paints a translucent frame of the focus above.
        const auto isLike = [](const QColor& a, const QColor& b) {
            return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 90;
        };
        int swatch = 0, around = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x + 1 < image.width(); ++x) {
                if (isLike(image.pixelColor(x, y), wanted)) ++swatch;
                if (isLike(image.pixelColor(x, y), frame) && isLike(image.pixelColor(x + 1, y), wanted)) ++around;
            }
        }
        QVERIFY2(swatch > 50 && around > 5, qPrintable(QString("%1 %2").arg(swatch).arg(around)));
    }
    void escapeReturnsToTheNewestSample() {
        BalanceStage stage(twoProcesses(2));
        QVERIFY(stage.summary().startsWith("service (7) at 2.00 s: "));
        stage.press(Qt::Key_Escape);
        QCOMPARE(stage.wanted.size(), std::size_t{1});
        QVERIFY(!stage.wanted[0]);
        stage.view.setAnswer(twoProcesses());
        stage.press(Qt::Key_Escape); // already there
        QCOMPARE(stage.wanted.size(), std::size_t{1});
    }
    void theStacksThatHoldPagesOfTheSelectedProcessAreWanted() {
        BalanceStage stage;
        std::vector<std::uint32_t> processes;
        QObject::connect(&stage.view, &BalanceView::holdersWanted,
                         [&](ProcessIndex process) { processes.push_back(process.value); });
        auto& button = *stage.view.findChild<QPushButton*>("showHolders");
        button.click();
        stage.press(Qt::Key_Down); // a layer of the same process
        stage.press(Qt::Key_Return);
        QCOMPARE(processes.size(), std::size_t{2});
        QCOMPARE(processes[0], processes[1]);
        stage.view.clear("No trace.");
        QVERIFY(!button.isEnabled());
    }
    void aTrialIsOfARecordedProcess() {
        BalanceStage stage;
        int wanted = 0;
        QObject::connect(&stage.view, &BalanceView::trialWanted, [&] { ++wanted; });
        QVERIFY(!stage.tryTrim().isEnabled() && !stage.trial().isVisible());
        stage.view.setRecording(true);
        stage.tryTrim().click();
        QCOMPARE(wanted, 1);
        stage.view.beginTrial("service (7)");
        QVERIFY(!stage.tryTrim().isEnabled());
        QCOMPARE(stage.trial().text(), "Trying malloc_trim() in a copy of service (7)…");
        stage.view.endTrial("It would return 1.0 MB.\nAnother allocator reports more than fits into one line.");
        QVERIFY(stage.tryTrim().isEnabled());
        QVERIFY(stage.trial().isVisible() && stage.trial().wordWrap());
        stage.press(Qt::Key_End); // another process
        QVERIFY(!stage.trial().isVisible());
        stage.press(Qt::Key_Home);
        const QRegularExpression dated("^At [0-9:]+: It would return 1\\.0 MB\\.\nAnother allocator reports");
        QVERIFY(stage.trial().text().contains(dated));
        stage.view.setRecording(false);
        QVERIFY(!stage.tryTrim().isEnabled());
        stage.view.clear("No trace.");
        QVERIFY(!stage.trial().isVisible());
    }
    void aFailedTrialIsApartFromAnEarlierResult() {
        BalanceStage stage;
        stage.view.setRecording(true);
        stage.view.beginTrial("service (7)");
        stage.view.endFailedTrial("The process is being debugged.");
        QVERIFY2(QRegularExpression(R"(^The trial at [0-9:]{8} failed\. The process is being debugged\.$)")
                     .match(stage.trial().text())
                     .hasMatch(),
                 qPrintable(stage.trial().text()));
        stage.view.beginTrial("service (7)");
        stage.view.endTrial("It gives back 1.0 MB.");
        QVERIFY(stage.trial().text().startsWith("At ") && stage.trial().text().endsWith(": It gives back 1.0 MB."));
        const auto result = stage.trial().text();
        stage.view.beginTrial("service (7)");
        stage.view.endFailedTrial("The process is being debugged.");
        const auto lines = stage.trial().text().split('\n');
        QCOMPARE(lines.size(), 2);
        QVERIFY2(lines[0].endsWith("failed. The process is being debugged."), qPrintable(lines[0]));
        QCOMPARE(lines[1], result);
        stage.view.beginTrial("small (8)");
        stage.view.endFailedTrial("It has ended.");
        stage.press(Qt::Key_End);
        QCOMPARE(stage.trial().text().count(QLatin1Char(10)), 0);
    }
    void rowsStayOpenFromAnswerToAnswer() {
        BalanceStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_Right);
        stage.press(Qt::Key_Down);
        QCOMPARE(stage.current(), "[heap]");
        stage.view.setAnswer(twoProcesses(2));
        QCOMPARE(stage.current(), "[heap]");
        stage.press(Qt::Key_Up);
        stage.press(Qt::Key_Up);
        stage.press(Qt::Key_Left); // closed by the user
        stage.view.setAnswer(twoProcesses());
        QCOMPARE(stage.current(), "service (7)");
        QVERIFY(!stage.view.table().isExpanded(stage.view.table().currentIndex()));
    }
    void aClickOnAHeaderSortsTheRows() {
        BalanceStage stage;
        auto& table = stage.view.table();
        const auto layers = [&] {
            QStringList names;
            const auto* rows = table.model();
            for (int i = 0; i < rows->rowCount(); ++i) {
                const auto process = rows->index(i, 0);
                names << process.data().toString();
                for (int j = 0; j < rows->rowCount(process); ++j)
                    names << rows->index(j, 0, process).data().toString();
            }
            return names;
        };
        const QStringList asAnswered{"service (7)",           "Live blocks", "Free, returnable",
                                     "Program and libraries", "small (8)",   "Unknown"};
        QCOMPARE(layers(), asAnswered);
        const auto click = [&](int column) {
            auto* header = table.header();
            const QPoint middle(header->sectionViewportPosition(column) + header->sectionSize(column) / 2, 5);
            QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, middle);
        };
        click(BalanceModel::kResident);
        const QStringList largestFirst{"service (7)",           "Free, returnable", "Live blocks",
                                       "Program and libraries", "small (8)",        "Unknown"};
        QCOMPARE(layers(), largestFirst);
        QCOMPARE(stage.current(), "service (7)");
        QVERIFY(table.isExpanded(table.currentIndex()));
        stage.view.setAnswer(twoProcesses(2)); // stays sorted
        QCOMPARE(stage.current(), "service (7)");
        QVERIFY(table.isExpanded(table.currentIndex()));
        QCOMPARE(layers(), largestFirst);
        click(BalanceModel::kResident); // smallest first
        QCOMPARE(layers(), QStringList({"small (8)", "Unknown", "service (7)", "Program and libraries", "Live blocks",
                                        "Free, returnable"}));
        click(BalanceModel::kResident); // not sorted any more
        QCOMPARE(layers(), asAnswered);
    }
    void theSummaryIsNeverCut() {
        BalanceStage stage;
        auto& summary = *stage.view.findChild<QLabel*>("balanceSummary");
        for (const int width : {1400, 700}) {
            stage.view.resize(width, 400);
            QTRY_VERIFY2(summary.height() >= summary.heightForWidth(summary.width()),
                         qPrintable(QString::number(width)));
            QVERIFY(summary.width() > width / 2);
        }
        QVERIFY(summary.height() > 1.5 * summary.fontMetrics().height());
    }
    void copyGivesTheProcessWithItsLayers() {
        BalanceStage stage;
        stage.press(Qt::Key_Down);
        stage.press(Qt::Key_C, Qt::ControlModifier);
        const auto lines = QGuiApplication::clipboard()->text().split('\n');
        QCOMPARE(lines.size(), 5);
        QVERIFY(lines[1].startsWith("service (7)\t10.5 MB\t100.0"));
        QVERIFY(lines[2].startsWith("  Live blocks\t3.5 MB\t33.3"));
    }
    void withoutSamplesItSaysWhy() {
        BalanceStage stage(nullptr);
        QCOMPARE(stage.summary(), BalanceView::emptyText());
        stage.view.clear("The trace has no samples.");
        QCOMPARE(stage.summary(), "The trace has no samples.");
        QCOMPARE(stage.view.model().rowCount(), 0);
        auto empty = *twoProcesses();
        empty.found.balances.clear();
        stage.view.setAnswer(std::make_shared<const BalanceAnswer>(empty));
        QCOMPARE(stage.summary(), "No sample of resident memory was taken in this interval.");
    }
};

HIGHWATER_TEST(BalanceViewTest);
#include "balance_view_test.moc"
