#include "app/symbols/symbol_session.h"

#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using namespace highwater::tests;
using app::SymbolSession;
using State = symbols::ModuleLoad::State;

namespace {

/// A trace with one module without symbols: the states of a session until it has found that out.
struct SymbolSessionStage {
    QTemporaryDir cache;
    SmallTrace trace;
    std::shared_ptr<const store::PublishedTrace> published;
    SymbolSession session{[folder = cache.path().toStdString()](const std::string& name) {
        return name == "_NT_SYMCACHE_PATH" ? std::optional(folder) : std::nullopt;
    }};
    QSignalSpy names{&session, &SymbolSession::namesChanged};
    QSignalSpy statuses{&session, &SymbolSession::statusChanged};
    std::shared_ptr<analysis::FrameLabels> labels;

    SymbolSessionStage() {
        trace.process(1, "a.exe").image(1, 0x400000, 0x1000, "app.dll");
        trace.commit(1, 1, 0x10000, kPage, {0x400110, 0x400010});
    }
    void open(const QStringList& files = {"a.etl"}) {
        labels = std::make_shared<analysis::FrameLabels>(session.begin(files));
        published = trace.publish(10);
        session.setTrace(published, labels);
    }
    bool waitUntilDone() {
        return QTest::qWaitFor([&] { return !session.areNamesComing(); }, 60'000);
    }
    State state() const { return session.status().modules.at(0).state; }
};

} // namespace

class SymbolSessionTest : public QObject {
    Q_OBJECT
  private slots:
    void doesNothingWithoutATrace() {
        SymbolSessionStage stage;
        stage.session.loadLazily();
        stage.session.cancel();
        stage.session.preferVisible();
        QVERIFY(!stage.session.isLoading() && !stage.session.areNamesComing() && !stage.session.isRecordedHere());
        QVERIFY(!stage.session.trace() && !stage.session.processes());
        QVERIFY(stage.session.status().modules.empty());
    }
    void takesTheCacheFolderOfTheEnvironment() {
        const SymbolSessionStage stage;
        QCOMPARE(stage.session.usualCacheFolder(), stage.cache.path());
    }
    void loadsWhenAStackIsViewed() {
        SymbolSessionStage stage;
        stage.open();
        QVERIFY(!stage.session.isLoading() && !stage.session.areNamesComing());
        stage.session.loadLazily();
        QVERIFY(stage.session.isLoading());
        QVERIFY(stage.waitUntilDone());
        QCOMPARE(stage.session.status().modules.size(), std::size_t{1});
        QCOMPARE(stage.state(), State::NotFound);
    }
    void loadsByHandAlsoWhenNoTraceIsThereYet() {
        SymbolSessionStage stage;
        (void)stage.session.begin({});
        stage.session.loadNow();
        QVERIFY(!stage.session.isLoading());
        stage.published = stage.trace.publish(10);
        stage.session.setTrace(stage.published, std::make_shared<analysis::FrameLabels>());
        QVERIFY(stage.session.isLoading());
        QVERIFY(stage.waitUntilDone());
    }
    void loadsNothingWhileItIsOff() {
        SymbolSessionStage stage;
        stage.session.setEnabled(false);
        stage.open();
        stage.session.loadLazily();
        stage.session.loadNow();
        QVERIFY(!stage.session.isLoading() && !stage.session.areNamesComing());
        stage.session.setEnabled(true); // on the first view, not before
        QVERIFY(!stage.session.isLoading());
        stage.session.loadLazily();
        QVERIFY(stage.session.isLoading());
        stage.statuses.clear();
        stage.session.setEnabled(false);
        QVERIFY(!stage.session.isLoading());
        QCOMPARE(stage.statuses.size(), 1);
    }
    void forgetsTheTraceBefore() {
        SymbolSessionStage stage;
        stage.open();
        stage.session.loadLazily();
        ui::SymbolChoices choices;
        choices.usesImagePaths = true; // allowed to this trace
        stage.session.setChoices(choices);
        stage.statuses.clear();
        const auto labels = std::make_shared<analysis::FrameLabels>(stage.session.begin({"b.etl"}));
        stage.session.setTrace(stage.trace.publish(20), labels);
        QCOMPARE(stage.statuses.size(), 1);
        QCOMPARE(stage.session.traces(), QStringList{"b.etl"});
        QCOMPARE(stage.session.labels(), labels);
        QVERIFY(!stage.session.isLoading());
        QCOMPARE(stage.session.choices().usesImagePaths, std::nullopt);
        QVERIFY(!stage.session.areNamesComing()); // no stack of this one has been viewed
    }
    void keepsTheNamesOfTheTraceUntilTheNextOneHasSomethingToShow() {
        SymbolSessionStage stage;
        stage.open();
        stage.session.loadLazily();
        QVERIFY(stage.waitUntilDone());
        stage.statuses.clear();
        (void)stage.session.begin({"unreadable.etl"});
        QVERIFY(stage.statuses.isEmpty());
        stage.session.noteEnd(); // it cannot be read
        QCOMPARE(stage.session.traces(), QStringList{"a.etl"});
        QCOMPARE(stage.session.labels(), stage.labels);
        QCOMPARE(stage.state(), State::NotFound);
        QVERIFY(stage.session.namedPublications() > stage.published->number);
        stage.session.retry(); // it still belongs to the trace on screen
        QVERIFY(stage.session.areNamesComing());
        QVERIFY(stage.session.namedPublications() <= stage.published->number);
        QVERIFY(stage.waitUntilDone());
    }
    void hasNoTraceAfterItIsClosed() {
        SymbolSessionStage stage;
        stage.open();
        (void)stage.session.begin({"b.etl"});
        stage.session.close();
        QVERIFY(!stage.session.trace() && !stage.session.labels() && stage.session.traces().isEmpty());
    }
    void staysCancelledUntilItIsAskedAgain() {
        SymbolSessionStage stage;
        stage.open();
        stage.session.loadLazily();
        stage.session.cancel();
        QVERIFY(!stage.session.areNamesComing());
        stage.published = stage.trace.publish(20);
        stage.session.setTrace(stage.published, stage.labels);
        stage.session.noteEnd();
        stage.session.loadLazily();
        QVERIFY(!stage.session.areNamesComing());
        stage.session.retry();
        QVERIFY(stage.session.areNamesComing());
        QVERIFY(stage.waitUntilDone());
        QCOMPARE(stage.state(), State::NotFound);
    }
    void looksAgainUnderOtherChoices() {
        SymbolSessionStage stage;
        stage.open();
        stage.session.loadLazily();
        QVERIFY(stage.waitUntilDone());
        ui::SymbolChoices choices;
        choices.modules = QStringList{"other.dll"};
        stage.session.setChoices(choices);
        QVERIFY(stage.session.isLoading());
        QVERIFY(stage.waitUntilDone());
        QVERIFY(stage.session.status().modules.empty()); // not asked for
    }
    void prefersVisibleModules() {
        SymbolSessionStage stage;
        int asked = 0;
        stage.session.setVisibleFrames([&] {
            ++asked;
            return std::vector<analysis::LabelId>{};
        });
        stage.open();
        QCOMPARE(asked, 0); // no names are loaded
        stage.session.loadLazily();
        QVERIFY(asked > 0);
        QVERIFY(stage.waitUntilDone());
    }
    void reportsAnotherNameStyleOnce() {
        SymbolSessionStage stage;
        stage.session.setNameStyle(symbols::NameStyle::Full);
        QVERIFY(stage.names.isEmpty()); // nothing shows names
        stage.open();
        stage.session.setNameStyle(symbols::NameStyle::Short);
        stage.session.setNameStyle(symbols::NameStyle::Short);
        QCOMPARE(stage.names.size(), 1);
    }
    void vouchesForNoOtherFiles() {
        SymbolSessionStage stage;
        stage.open({"a.etl", "b.etl"});
        QVERIFY(!stage.session.isRecordedHere());
    }
};
HIGHWATER_TEST(SymbolSessionTest);
#include "symbol_session_test.moc"
