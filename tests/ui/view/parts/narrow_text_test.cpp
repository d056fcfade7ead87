#include "tests/support/test_registry.h"
#include "ui/view/parts/narrow_text.h"

#include <QFont>
#include <QStandardItemModel>
#include <QTest>
#include <QTreeView>

#include <algorithm>

using namespace highwater::ui;

class NarrowTextTest : public QObject {
    Q_OBJECT
  private slots:
    void theModuleGoesBeforeTheFunction() {
        const QFontMetrics metrics{QFont()};
        const auto frame = QStringLiteral("MemoryTestApplication.exe!StressHeapAllocations");
        const auto widthOf = [&](const QString& text) { return metrics.horizontalAdvance(text); };
        QCOMPARE(narrowedFrame(frame, metrics, widthOf(frame)), frame);
        const auto little = narrowedFrame(frame, metrics, widthOf(frame) - 10);
        QVERIFY2(little.startsWith("Memory") && little.endsWith("!StressHeapAllocations"), qPrintable(little));
        QCOMPARE(narrowedFrame(frame, metrics, widthOf("…StressHeapAllocations") + 1), "…StressHeapAllocations");
        const auto tight = narrowedFrame(frame, metrics, widthOf("…StressHeapAllo"));
        QVERIFY2(tight.startsWith("…St") && tight.endsWith("ons"), qPrintable(tight));
        for (int width = widthOf("……"); width <= widthOf(frame); ++width)
            QVERIFY2(widthOf(narrowedFrame(frame, metrics, width)) <= width, qPrintable(QString::number(width)));
        // A source line goes before the function is elided.
        const auto withLine =
            narrowedFrame(frame + " (application.cpp:22)", metrics, widthOf("…StressHeapAllocations") + 9);
        QCOMPARE(withLine, "…StressHeapAllocations");
        const QString briefFrame = "app!main"; // fits without its line
        QCOMPARE(narrowedFrame(briefFrame + " (application.cpp:22)", metrics, widthOf(briefFrame)), briefFrame);
        // An address without a name, and a text that is not a frame.
        QVERIFY(narrowedFrame("MemoryTestApplication.exe!+0x1234", metrics, 90).endsWith("+0x1234"));
        QVERIFY(narrowedFrame("(the caller could not be walked)", metrics, 90).contains("…"));
    }
    /// As in the lists of pages: a narrow column also shows the end of the function.
    void listsPaintTheFunction() {
        const auto picture = [](const QString& text, bool isOfFrames) {
            QStandardItemModel model(1, 1);
            model.setItem(0, 0, new QStandardItem(text));
            QTreeView view;
            if (isOfFrames) view.setItemDelegate(new FrameDelegate(&view));
            view.setUniformRowHeights(true);
            view.setModel(&model);
            view.setRootIsDecorated(false);
            view.resize(190, 60);
            view.setColumnWidth(0, 180);
            view.grab(); // lays it out
            return view.viewport()->grab(view.visualRect(model.index(0, 0)).adjusted(0, 0, 0, -4)).toImage();
        };
        const auto frame = QStringLiteral("memory_test_app!InnerLoopOperation");
        const QStringList fitting{"memor…!InnerLoopOperation", "memo…!InnerLoopOperation", "mem…!InnerLoopOperation",
                                  "me…!InnerLoopOperation", "…InnerLoopOperation"};
        const auto painted = picture(frame, true);
        QVERIFY(std::any_of(fitting.begin(), fitting.end(),
                            [&](const auto& text) { return picture(text, true) == painted; }));
        QVERIFY(picture(frame, false) != painted);
    }
    void timesLoseDecimalsAndAreRounded() {
        const QFontMetrics metrics{QFont()};
        const auto widthOf = [&](const char* text) { return metrics.horizontalAdvance(QString::fromLatin1(text)); };
        constexpr std::int64_t kNs = 15'999'987'654;
        QCOMPARE(narrowedTime(kNs, metrics, widthOf("15.999988 s")), "15.999988 s");
        QCOMPARE(narrowedTime(kNs, metrics, widthOf("15.99999 s")), "15.99999 s");
        QCOMPARE(narrowedTime(kNs, metrics, widthOf("16.000 s")), "16.000 s");
        QCOMPARE(narrowedTime(kNs, metrics, 1), "16 s");
    }
};
HIGHWATER_TEST(NarrowTextTest);
#include "narrow_text_test.moc"
