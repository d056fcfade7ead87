#include "app/recording/trace_opener.h"

#include "app/settings/application_settings.h"
#include "core/pipeline/index/trace_index_cache.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"
#include "ui/format/qt_text.h"
#include "ui/view/access/trace_guard.h"

#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace highwater;
using app::TraceOpener;

namespace {

/// A small trace for which the settings' folder has an index, as if it were large.
class OpenerStage {
  public:
    OpenerStage() {
        const auto written = fixtures::exercise2Trace().writeTo(ui::toPath(trace()));
        if (!written.hasValue()) qFatal("cannot write %s", qPrintable(trace()));
        const app::ApplicationSettings settings(settingsFile());
        pipeline::TraceLoader loader({ui::toPath(trace())},
                                     std::make_shared<pipeline::TraceIndexCache>(pipeline::TraceIndexCache::Options{
                                         .folder = ui::toPath(settings.indexFolder()), .leastTraceBytes = 0}));
        loader.wait();
    }
    [[nodiscard]] QString trace() const { return folder_.filePath("t1.etl"); }
    [[nodiscard]] QString settingsFile() const { return folder_.filePath("settings.ini"); }
    /// The trace that the window gets.
    [[nodiscard]] std::shared_ptr<const store::PublishedTrace> open() const {
        const app::ApplicationSettings settings(settingsFile());
        TraceOpener opener;
        opener.keepIndexes(settings);
        std::shared_ptr<const store::PublishedTrace> shown;
        QObject::connect(&opener, &TraceOpener::published, &opener, [&](const auto& trace) { shown = trace; });
        QSignalSpy ended(&opener, &TraceOpener::ended);
        opener.open({trace()});
        if (!ended.wait()) return nullptr;
        return shown;
    }

  private:
    QTemporaryDir folder_;
};

} // namespace

class TraceOpenerTest : public QObject {
    Q_OBJECT
  private slots:
    void opensByTheIndex() {
        const OpenerStage stage;
        const auto trace = stage.open();
        QVERIFY(trace != nullptr);
        QVERIFY(trace->columns->names->backing != nullptr);
        QCOMPARE(trace->wholeRange().end.seconds(), 34.0);
    }
    void readsTheFileWhereNoneIsToBeKept() {
        const OpenerStage stage;
        QSettings(stage.settingsFile(), QSettings::IniFormat).setValue("traces/indexMegabytes", 0);
        const auto trace = stage.open();
        QVERIFY(trace != nullptr);
        QVERIFY(trace->columns->names->backing == nullptr);
        QCOMPARE(trace->wholeRange().end.seconds(), 34.0);
    }
    /// A trace may have any name.
    void protectsTheShownTraceFromOverwriting() {
        const OpenerStage stage;
        QTemporaryDir folder;
        const auto shown = folder.filePath("recording.png"), other = folder.filePath("other.png");
        QVERIFY(QFile::copy(stage.trace(), shown));
        QFile text(other);
        QVERIFY(text.open(QIODevice::WriteOnly) && text.write("no trace at all") > 0);
        text.close();
        TraceOpener opener;
        QSignalSpy ended(&opener, &TraceOpener::ended);
        opener.open({shown});
        QVERIFY(!ui::traceOverwriteRefusal(shown).isEmpty());
        QVERIFY(ended.wait());
        opener.open({other});
        QVERIFY(!ui::traceOverwriteRefusal(other).isEmpty()); // it may be one
        QVERIFY(ended.wait());
        QVERIFY(ui::traceOverwriteRefusal(other).isEmpty());
        QVERIFY(!ui::traceOverwriteRefusal(shown).isEmpty()); // still displayed
        opener.close();
        QVERIFY(ui::traceOverwriteRefusal(shown).isEmpty());
    }
};
HIGHWATER_TEST(TraceOpenerTest);
#include "trace_opener_test.moc"
