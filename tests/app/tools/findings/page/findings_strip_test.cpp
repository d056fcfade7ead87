#include "app/tools/findings/page/findings_strip.h"

#include "tests/support/test_registry.h"

#include <QApplication>
#include <QSet>
#include <QSignalSpy>
#include <QTest>
#include <QTextDocument>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

using namespace highwater;
using namespace highwater::ui;

namespace {

analysis::SurgeFinding surgeBy(const char* owner) {
    analysis::SurgeFinding finding;
    finding.surge.kind = analysis::SurgeKind::Steep;
    finding.surge.processText = "shop.exe (7)";
    finding.surge.part = {TraceTime{2'000'000'000}, TraceTime{3'200'000'001}};
    finding.surge.bytes = SignedByteCount{126} << 20;
    finding.owner = owner;
    finding.share = 0.87;
    return finding;
}

analysis::LeakFinding leakBy(const char* owner) {
    analysis::LeakFinding finding;
    finding.suspect.verdict = analysis::LeakVerdict::Growing;
    finding.suspect.confidence = 0.97;
    finding.suspect.process = "shop.exe (7)";
    finding.suspect.owner = owner;
    finding.outstandingBytes = 3'565'158;
    finding.bytesPerSecond = 59'392;
    finding.suspect.why = "Still growing.";
    return finding;
}

std::shared_ptr<const analysis::Findings> threeFindings() {
    analysis::Findings findings;
    findings.surge = surgeBy("shop.exe!addItem");
    findings.leaks = {leakBy("shop.exe!readOrder"), leakBy("shop.exe!writeLog")};
    return std::make_shared<const analysis::Findings>(std::move(findings));
}

std::shared_ptr<const analysis::Findings> heldPages() {
    analysis::Findings findings;
    findings.held.emplace();
    findings.held->rss = ByteCount{8} << 20;
    findings.held->holders = {{{1 << 20, ByteCount{4} << 20, 100}, "shop.exe!cache", {}}};
    return std::make_shared<const analysis::Findings>(std::move(findings));
}

/// The strip at the top of a window of this width, with the keyboard.
struct StripStage {
    QWidget window;
    FindingsStrip* strip = new FindingsStrip;
    QSignalSpy surges{strip, &FindingsStrip::surgeWanted};
    QSignalSpy leaks{strip, &FindingsStrip::leakWanted};
    QSignalSpy held{strip, &FindingsStrip::heldWanted};
    QSignalSpy closings{strip, &FindingsStrip::closeWanted};

    explicit StripStage(int width = 1200, std::shared_ptr<const analysis::Findings> findings = threeFindings()) {
        auto* layout = new QVBoxLayout(&window);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->addWidget(strip);
        layout->addStretch(1);
        strip->setFindings(std::move(findings));
        setWidth(width);
        window.show();
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
    }
    void setWidth(int width) {
        window.resize(width, 200);
        QTest::qWait(1);
    }
    FindingCard& card(const char* name) { return *strip->findChild<FindingCard*>(name); }
    QStringList texts() {
        QStringList texts;
        for (const auto* each : strip->cards()) {
            if (each->isVisible()) texts << each->shownText();
        }
        return texts;
    }
    /// Whether the cards are beside each other inside the strip, and no text is cut.
    bool isTidy() {
        QRect before;
        for (const auto* each : strip->findChildren<QAbstractButton*>()) {
            if (!each->isVisible()) continue;
            if (!strip->rect().contains(each->geometry())) return false;
        }
        for (const auto* each : strip->cards()) {
            if (!each->isVisible()) continue;
            if (!before.isEmpty() && each->x() <= before.right()) return false;
            before = each->geometry();
            const int margins = each->widthFor(FindingCard::Length::Whole) -
                                each->fontMetrics().horizontalAdvance(each->accessibleName());
            const int room = each->width() - margins + 2; // each part of the line is rounded
            if (each->fontMetrics().horizontalAdvance(each->shownText()) > room) return false;
        }
        return before.right() < strip->findChild<QToolButton*>("closeFindings")->x();
    }
};

} // namespace

class FindingsStripTest : public QObject {
    Q_OBJECT
  private slots:
    void eachFindingIsACardWithItsWords() {
        StripStage stage(1600);
        QCOMPARE(stage.texts(), QStringList({"Surge: +126.0 MB in 1.2 s, 87 % by shop.exe!addItem",
                                             "Leak: shop.exe!readOrder, 3.4 MB, growing 58.0 KB/s",
                                             "Leak: shop.exe!writeLog, 3.4 MB, growing 58.0 KB/s"}));
        QVERIFY(stage.isTidy());
        QVERIFY2(stage.strip->height() <= 56, qPrintable(QString::number(stage.strip->height())));
        QCOMPARE(stage.card("surgeCard").accessibleName(), stage.texts().first());
        QVERIFY(stage.card("surgeCard").toolTip().contains("shop.exe (7) grew by 126.0 MB between 2.00 s and"));
        QVERIFY(stage.card("leakCard1").toolTip().contains("shop.exe!readOrder in shop.exe (7). Still growing."));
    }
    void narrowCardsSayLessButStayWhole() {
        StripStage stage(1600);
        const auto least = stage.card("surgeCard").widthFor(FindingCard::Length::Brief) + 40; // with the cross
        for (int width = 1600; width >= least; width -= 20) {
            stage.setWidth(width);
            QVERIFY2(stage.isTidy(), qPrintable(QStringLiteral("%1: %2").arg(width).arg(stage.texts().join('|'))));
            const auto texts = stage.texts();
            QVERIFY(texts.first().startsWith("Surge: +126.0 MB"));
            QVERIFY2(texts.first().endsWith("addItem"), qPrintable(texts.first()));
            QCOMPARE(QSet<QString>(texts.begin(), texts.end()).size(), texts.size());
        }
        QCOMPARE(stage.texts().size(), 1);
        QCOMPARE(stage.card("surgeCard").accessibleName(), "Surge: +126.0 MB in 1.2 s, 87 % by shop.exe!addItem");
        stage.setWidth(1600);
        QCOMPARE(stage.texts().size(), 3);
    }
    void longNamesThatDifferInTheMiddleReadDifferently() {
        const QByteArray start = "library.dll!" + QByteArray(80, 'a');
        analysis::Findings findings;
        findings.surge = surgeBy("shop.exe!addItem");
        findings.leaks = {leakBy(start + "One" + QByteArray(80, 'b')), leakBy(start + "Two" + QByteArray(80, 'b'))};
        StripStage stage(900, std::make_shared<const analysis::Findings>(std::move(findings)));
        QCOMPARE(stage.texts().size(), 3);
        QVERIFY(stage.texts()[1] != stage.texts()[2]);
        QVERIFY(stage.isTidy());
    }
    void aClickOrKeyAsksForTheFinding() {
        StripStage stage;
        QTest::mouseClick(&stage.card("surgeCard"), Qt::LeftButton);
        QCOMPARE(stage.surges.size(), 1);
        QTest::mouseClick(&stage.card("leakCard2"), Qt::LeftButton);
        QCOMPARE(stage.leaks.size(), 1);
        QCOMPARE(stage.leaks[0][0].value<analysis::LeakFinding>().suspect.owner, "shop.exe!writeLog");
        stage.card("surgeCard").setFocus();
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(stage.surges.size(), 3);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &stage.card("leakCard1"));
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Enter);
        QCOMPARE(stage.leaks.size(), 2);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), "closeFindings");
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Space);
        QCOMPARE(stage.closings.size(), 1);
    }
    void heldPagesAreTheLastCard() {
        StripStage stage(1600, heldPages());
        QVERIFY(!stage.strip->isEmpty());
        QCOMPARE(stage.texts(), QStringList("Held: 4.0 MB of pages by 1.0 MB of shop.exe!cache"));
        QTest::mouseClick(&stage.card("heldCard"), Qt::LeftButton);
        QCOMPARE(stage.held.size(), 1);
        QCOMPARE(stage.held[0][0].value<analysis::ProcessHolders>().holders.front().owner, "shop.exe!cache");
        auto all = *threeFindings();
        all.held = heldPages()->held;
        stage.strip->setFindings(std::make_shared<const analysis::Findings>(std::move(all)));
        stage.setWidth(2000);
        QCOMPARE(stage.texts().size(), 4);
        QVERIFY(stage.texts().last().startsWith("Held: ") && stage.isTidy());
    }
    void onlyFindingsHaveCards() {
        StripStage stage(1200, nullptr);
        QVERIFY(stage.strip->isEmpty() && stage.texts().isEmpty());
        analysis::Findings findings;
        findings.leaks = {leakBy("shop.exe!readOrder")};
        stage.strip->setFindings(std::make_shared<const analysis::Findings>(findings));
        QCOMPARE(stage.texts().size(), 1);
        QVERIFY(stage.texts().first().startsWith("Leak: shop.exe!readOrder"));
        QVERIFY(!stage.card("surgeCard").isVisible());
        stage.strip->setFindings(nullptr);
        QVERIFY(stage.texts().isEmpty());
    }
    /// Names come from traces.
    void namesAreNotMarkup() {
        analysis::Findings findings;
        findings.surge = surgeBy("a.exe!<b>&make\n</b>");
        StripStage stage(1600, std::make_shared<const analysis::Findings>(std::move(findings)));
        QVERIFY2(stage.texts().first().endsWith("by a.exe!<b>&make[U+000A]</b>"), qPrintable(stage.texts().first()));
        const auto tip = stage.card("surgeCard").toolTip();
        QVERIFY(!Qt::mightBeRichText(tip) || tip.contains("&lt;b&gt;"));
    }
};

HIGHWATER_TEST(FindingsStripTest);
#include "findings_strip_test.moc"
