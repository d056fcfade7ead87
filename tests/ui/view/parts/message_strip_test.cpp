#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"

#include <QLabel>
#include <QTest>

using namespace highwater::ui;

class MessageStripTest : public QObject {
    Q_OBJECT

    static QLabel& label(MessageStrip& strip) { return *strip.findChild<QLabel*>("messageText"); }
    static void follow(MessageStrip& strip) { emit label(strip).linkActivated("#"); }

  private slots:
    void aLinkDoesOnceWhatItsOwnMessageOffers() {
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
    void nothingIsReadAsMarkup() {
        MessageStrip strip;
        strip.showMessage("<img src=\"file:///x\">", MessageStrip::Tone::Plain, {"<b>bold</b>", [] {}});
        QVERIFY(!label(strip).text().contains("<img"));
        QVERIFY(!label(strip).text().contains("<b>"));
    }
};
HIGHWATER_TEST(MessageStripTest);
#include "message_strip_test.moc"
