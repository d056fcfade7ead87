#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"
#include "ui/state/trace_on_screen.h"

#include <QStringList>
#include <QTest>

using namespace highwater;
using namespace highwater::ui;
using namespace highwater::tests;

/// The notifications that followers of the trace receive, their order, and the state they find.
class TraceOnScreenTest : public QObject {
    Q_OBJECT

    struct Stage {
        TraceOnScreen shown;
        SmallTrace trace;
        QStringList heard;

        Stage() {
            QObject::connect(&shown, &TraceOnScreen::changed, &shown,
                             [this](auto changes) { heard << QString::number(changes.toInt()); });
            QObject::connect(&shown, &TraceOnScreen::rangeChanged, &shown,
                             [this](bool isNew) { heard << (isNew ? "new range" : "more"); });
        }
        QStringList take() { return std::exchange(heard, {}); }
    };
    static QString word(TraceOnScreen::Change change) { return QString::number(change); }

  private slots:
    void theSameLabelsMeanMoreOfTheSameTrace() {
        Stage stage;
        const auto labels = std::make_shared<analysis::FrameLabels>();
        stage.shown.show(stage.trace.publish(1000), labels);
        QCOMPARE(stage.take(), (QStringList{word(TraceOnScreen::NewTrace), "new range"}));
        stage.shown.show(stage.trace.publish(2000), labels);
        QCOMPARE(stage.take(), (QStringList{word(TraceOnScreen::MoreOfIt), "more"}));
        QCOMPARE(stage.shown.trace()->wholeRange().end, ms(2000));
        stage.shown.show(stage.trace.publish(3000), std::make_shared<analysis::FrameLabels>());
        QCOMPARE(stage.take(), (QStringList{word(TraceOnScreen::NewTrace), "new range"}));
    }
    void afterItWasClearedTheSameTraceIsNew() {
        Stage stage;
        const auto labels = std::make_shared<analysis::FrameLabels>();
        stage.shown.show(stage.trace.publish(1000), labels);
        stage.shown.clear();
        QVERIFY(stage.shown.trace() == nullptr && stage.shown.labels() == nullptr);
        stage.take();
        stage.shown.show(stage.trace.publish(1000), labels);
        QCOMPARE(stage.take(), (QStringList{word(TraceOnScreen::NewTrace), "new range"}));
    }
    void itsFactsCanBeQueriedLater() {
        Stage stage;
        stage.shown.setLoading(true);
        stage.shown.setTimeBase({132'000'000'000'000'000, 60});
        stage.shown.noteNames();
        QCOMPARE(stage.take(), (QStringList{word(TraceOnScreen::Loading), word(TraceOnScreen::WallClock),
                                            word(TraceOnScreen::Names)}));
        QVERIFY(stage.shown.isLoading());
        QCOMPARE(stage.shown.timeBase().biasMinutes, 60);
    }
    void reportsOnceThatNamesAreLoading() {
        Stage stage;
        stage.shown.setNamesComing(true);
        stage.shown.setNamesComing(true);
        QCOMPARE(stage.take(), QStringList{word(TraceOnScreen::Naming)});
        QVERIFY(stage.shown.areNamesComing());
        stage.shown.setNamesComing(false);
        QCOMPARE(stage.take(), QStringList{word(TraceOnScreen::Naming)});
    }
};
HIGHWATER_TEST(TraceOnScreenTest);
#include "trace_on_screen_test.moc"
