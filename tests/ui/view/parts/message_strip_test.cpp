#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"

#include <QLabel>
#include <QTest>

using namespace highwater::ui;

namespace {

class PaintCount : public QObject {
  public:
    int count = 0;

  protected:
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++count;
        return false;
    }
};

} // namespace

class MessageStripTest : public QObject {
    Q_OBJECT

    static QLabel& label(MessageStrip& strip) { return *strip.findChild<QLabel*>("messageText"); }
    static void follow(MessageStrip& strip) { emit label(strip).linkActivated("#"); }

  private slots:
    void aLinkRunsTheActionOfItsMessageOnce() {
        MessageStrip strip;
        int first = 0;
        int second = 0;
        strip.showMessage("First.", MessageStrip::Tone::Warning, {"Do it", [&] { ++first; }});
        strip.showMessage("Second.", MessageStrip::Tone::Plain, {"Do that", [&] { ++second; }});
        follow(strip);
        follow(strip);
        QCOMPARE(first, 0);
        QCOMPARE(second, 1);
    }
    void aMessageWithoutALinkTakesTheLinkAway() {
        MessageStrip strip;
        int done = 0;
        strip.showMessage("First.", MessageStrip::Tone::Plain, {"Do it", [&] { ++done; }});
        strip.showMessage("Second.");
        QVERIFY(!label(strip).text().contains("Do it"));
        follow(strip);
        QCOMPARE(done, 0);
    }
    void aLinkMayShowAnotherMessage() {
        MessageStrip strip;
        strip.showMessage("First.", MessageStrip::Tone::Plain, {"Do it", [&] { strip.showMessage("Done."); }});
        follow(strip);
        QCOMPARE(strip.message(), "Done.");
        QVERIFY(!strip.isHidden());
    }
    /// Like the note of an empty graph in a small window.
    void aSentenceThatHasTooLittleRoomSaysAllInItsTooltip() {
        MessageStrip strip;
        strip.resize(300, 200);
        strip.show();
        const auto sentence = QStringLiteral("No heap allocations are in this trace. ").repeated(6).trimmed();
        strip.showMessage(sentence);
        QVERIFY(label(strip).toolTip().isEmpty());
        const auto roomy = label(strip).grab().toImage();
        strip.setFixedHeight(label(strip).fontMetrics().lineSpacing() * 2 + 8);
        QTRY_VERIFY2(label(strip).toolTip().contains("trace. No heap"), qPrintable(label(strip).toolTip()));
        // Two whole lines, the second with dots, are not the first two of many.
        const auto cut = label(strip).grab().toImage();
        QVERIFY(cut != roomy.copy(0, (roomy.height() - cut.height()) / 2, cut.width(), cut.height()));
        strip.setFixedHeight(200);
        QTRY_VERIFY(label(strip).toolTip().isEmpty());
    }
    void isPaintedWhenThereIsSomethingNewToPaint() {
        MessageStrip strip;
        PaintCount paints;
        label(strip).installEventFilter(&paints);
        strip.resize(300, 60);
        strip.show();
        strip.showMessage("No rows yet. Rows appear while the trace is being read.");
        QVERIFY(QTest::qWaitForWindowExposed(&strip));
        QTRY_VERIFY(paints.count > 0);
        QTest::qWait(50);
        paints.count = 0;
        QTest::qWait(200);
        QVERIFY2(paints.count <= 1, qPrintable(QString::number(paints.count)));
    }
    void nothingIsReadAsMarkup() {
        MessageStrip strip;
        strip.showMessage("<img src=\"file:///x\">", MessageStrip::Tone::Plain, {"<b>bold</b>", [] {}});
        QVERIFY(!label(strip).text().contains("<img"));
        QVERIFY(!label(strip).text().contains("<b>"));
    }
};
HIGHWATER_TEST(MessageStripTest);
#include "message_strip_test.moc"
