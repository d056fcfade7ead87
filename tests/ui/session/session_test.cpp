#include "ui/session/session.h"

#include "tests/support/test_registry.h"
#include "tests/ui/session/session_stage.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using namespace highwater::ui;

class SessionTest : public QObject {
    Q_OBJECT
  private slots:
    void isStoredBesideItsTrace() {
        QCOMPARE(sessionBeside("/x/app.etl"), QString("/x/app.etl.highwater"));
        QVERIFY(sessionBeside({}).isEmpty());
    }
    /// Reading and writing again gives the same bytes, so nothing was lost.
    void givesBackAllThatWasWritten() {
        const auto bytes = sessionToJson(fullSession("/x/app.etl"), "/x/app.etl.highwater");
        const auto read = sessionFromJson(bytes, "/x/app.etl.highwater");
        QVERIFY2(read.session, qPrintable(read.refusal));
        QVERIFY2(read.leftOut.isEmpty(), qPrintable(read.leftOut.join('\n')));
        QCOMPARE(sessionToJson(*read.session, "/x/app.etl.highwater"), bytes);
        const auto& session = *read.session;
        QCOMPARE(session.tabs.at(0).visible->end.ns, 9'000'000'000'000'000'001); // not a rounded number
        QCOMPARE(session.tabs.at(0).graphs.at(0).preset.name, QString("Ours"));
        QCOMPARE(session.tabs.at(0).graphs.at(0).preset.chart, ChartType::StackedArea);
        QCOMPARE(session.tabs.at(0).graphs.at(0).filters.size(), 2u);
        QVERIFY(session.tabs.at(0).graphs.at(0).filters[1].removes);
        QCOMPARE(session.marks.edited.at(1).ticks, 43);
        QCOMPARE(session.notes, fullSession({}).notes);
    }
    void isTheSameBytesForTheSameSession() {
        QCOMPARE(sessionToJson(fullSession("/x/a.etl"), "/x/s"), sessionToJson(fullSession("/x/a.etl"), "/x/s"));
    }
    /// A changed view does not make a session unsaved; a filter or a note does.
    void isNotChangedByLooking() {
        const auto essence = [](const Session& session) { return sessionToJson(withoutViews(session), "/x/s"); };
        const auto session = fullSession("/x/a.etl");
        auto looked = session;
        looked.currentTab = 0;
        looked.tabs[0].visible.reset();
        looked.tabs[0].instant = TraceTime{77};
        looked.tabs[1].graphs[0].opened.clear();
        looked.tabs[1].graphs[0].preset.layout.keys[0].width = 12;
        looked.tabs[1].graphs[0].filters[1].rows[0][0].key = "renamed";
        QCOMPARE(essence(looked), essence(session));
        for (int change = 0; change < 5; ++change) {
            auto changed = session;
            if (change == 0) changed.notes.clear();
            if (change == 1) changed.tabs.pop_back();
            if (change == 2) changed.tabs[0].graphs[0].filters.pop_back();
            if (change == 3) changed.marks.made.clear();
            if (change == 4) changed.tabs[0].graphs[0].preset.layout.keys.pop_back();
            QVERIFY2(essence(changed) != essence(session), qPrintable(QString::number(change)));
        }
    }
};

HIGHWATER_TEST(SessionTest);
#include "session_test.moc"
