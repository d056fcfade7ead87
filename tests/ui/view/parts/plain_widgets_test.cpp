#include "tests/support/test_registry.h"
#include "ui/view/parts/message_strip.h"
#include "ui/view/parts/plain_widgets.h"

#include <QTest>

using namespace highwater;
using namespace highwater::ui;

class PlainWidgetsTest : public QObject {
    Q_OBJECT
  private slots:
    void aLabelShowsTagsAsTheyStand() {
        PlainLabel label("<b>x</b>");
        QCOMPARE(label.textFormat(), Qt::PlainText);
        QCOMPARE(label.text(), "<b>x</b>");
        QVERIFY(label.sizeHint().width() >= label.fontMetrics().horizontalAdvance("<b>x</b>"));
    }
    void aSentenceFitsAWindow() {
        PlainLabel label;
        label.setWordWrap(true);
        label.setSentence("\n" + QString(10'000, 'W') + " cannot be read.");
        QVERIFY(!label.text().contains('\n'));
        QVERIFY2(label.minimumSizeHint().width() < 1'000, qPrintable(QString::number(label.minimumSizeHint().width())));
    }
    void aQuestionShowsTagsAsTheyStand() {
        QWidget window;
        auto* question = makeQuestion("Discard <img src=\"x.png\">?", QMessageBox::Discard, &window);
        QCOMPARE(question->textFormat(), Qt::PlainText);
        QCOMPARE(question->text(), "Discard <img src=\"x.png\">?");
    }
    void aMessageKeepsItsLinkAndNoOther() {
        MessageStrip strip;
        strip.showMessage("<a href=\"http://host\">x</a> & \u202Ey", MessageStrip::Tone::Plain, {"Do <b>it</b>", [] {}});
        const auto text = strip.findChild<QLabel*>("messageText")->text();
        QCOMPARE(text.count("<a "), 1);
        QVERIFY(text.endsWith("<a href=\"#\">Do &lt;b&gt;it&lt;/b&gt;</a>"));
        QVERIFY(text.startsWith("&lt;a href=&quot;http://host&quot;&gt;x&lt;/a&gt; &amp; [U+202E]y"));
    }
};
HIGHWATER_TEST(PlainWidgetsTest);
#include "plain_widgets_test.moc"
