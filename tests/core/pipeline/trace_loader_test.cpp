#include "core/pipeline/trace_loader.h"

#include "core/base/text.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/exercise2.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace highwater;
using pipeline::LoadState;
using pipeline::TraceLoader;

class TraceLoaderTest : public QObject {
    Q_OBJECT
  private slots:
    void loadsTheExampleCompletely() {
        QTemporaryDir folder;
        TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
        const auto trace = loader.latest();
        QVERIFY(trace != nullptr);
        QCOMPARE(trace->wholeRange().end.seconds(), 34.0);
        QCOMPARE(trace->health[Loss::UnmatchedFrees], std::uint64_t{2});
        QVERIFY(!trace->health.totalsAreBounds());
        QVERIFY(loader.facts().counts.total > 10'000);
        QCOMPARE(loader.progress().done.load(), loader.progress().total.load());
    }
    void keepsTheTraceAliveForThoseWhoLookAtIt() {
        QTemporaryDir folder;
        std::shared_ptr<const store::PublishedTrace> trace;
        {
            TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
            loader.wait();
            trace = loader.latest();
        }
        QCOMPARE(trace->heap.size(0), ByteCount{1000}); // of a process that makes noise, see exercise2.cpp
    }
    void saysWhyNothingCanBeRead() {
        TraceLoader loader({"/nonexistent/trace.etl"});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Failed);
        QCOMPARE(loader.error()->kind, ErrorKind::NotFound);
        QVERIFY(loader.error()->message.find("trace.etl") != std::string::npos);
        QVERIFY(loader.latest() == nullptr);
    }
    void stopsAtOnceAndKeepsWhatWasRead() {
        QTemporaryDir folder;
        TraceLoader loader({writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value())});
        loader.cancel();
        loader.wait();
        QVERIFY(loader.isDone());
        if (loader.state() == LoadState::Cancelled) QVERIFY(!loader.error().has_value());
    }
    void mayBeDestroyedWhileLoading() {
        QTemporaryDir folder;
        const auto path = writeFile(folder, "t1.etl", fixtures::exercise2Trace().bytes().value());
        for (int i = 0; i < 20; ++i) {
            TraceLoader loader({path});
        }
    }
    void saysWhereACutOffFileEnds() {
        QTemporaryDir folder;
        const auto whole = fixtures::exercise2Trace().bytes().value();
        auto bytes = whole;
        bytes.resize(bytes.size() * 2 / 3 + 100);
        TraceLoader loader({writeFile(folder, "cut.etl", bytes)});
        loader.wait();
        const auto trace = loader.latest();
        QCOMPARE(trace->health.notes.size(), std::size_t{1});
        // The trace ends a tick of 100 ns after its last event.
        const TraceTime last{trace->wholeRange().end.ns - 100};
        const auto expected = QStringLiteral("cut.etl ends at %1 s, in the middle of a buffer, after %2 of %3 bytes.")
                                  .arg(QString::fromStdString(secondsText(last)))
                                  .arg(QString::fromStdString(thousands(bytes.size())))
                                  .arg(QString::fromStdString(thousands(whole.size())));
        const auto note = QString::fromStdString(trace->health.notes[0]);
        QVERIFY2(note.endsWith(expected), qPrintable(note + " instead of " + expected));
        QCOMPARE(trace->health.zones.size(), std::size_t{1});
        QCOMPARE(trace->health.zones[0].start.ns, last.ns);
        QCOMPARE(trace->health.zones[0].end.seconds(), 34.0); // as its header says
    }
    void countsWhatACutOffFileLost() {
        QTemporaryDir folder;
        auto bytes = fixtures::exercise2Trace().bytes().value();
        bytes.resize(bytes.size() * 2 / 3 + 100);
        TraceLoader loader({writeFile(folder, "cut.etl", bytes)});
        loader.wait();
        QCOMPARE(loader.state(), LoadState::Finished);
        QVERIFY(loader.latest()->health.totalsAreBounds());
        QVERIFY(loader.latest()->heap.rows > 1000);
    }
};
HIGHWATER_TEST(TraceLoaderTest);
#include "trace_loader_test.moc"
