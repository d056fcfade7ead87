#include "core/formats/trace_format.h"

#include "tests/core/analysis/named_trace.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::formats;
using namespace highwater::tests;

/// Formats of other tools, as both programs offer them.
class TraceFormatTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;
    NamedTrace trace_;

    TraceExport what(Table table = Table::Heap) const {
        TraceExport what{
            trace_.trace, trace_.labels, heapQuery({Column::Process, Column::Stack}), {"app.etl"}, {}, {}, {}};
        what.query.table = table;
        what.query.columns = {{Column::Count}, {Column::Size}};
        what.query.sort = {{Column::Size, true}};
        return what;
    }
    std::filesystem::path file() const { return folder_.filePath("a").toStdString(); }
    QByteArray content() const {
        QFile file(folder_.filePath("a"));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

  private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        trace_.block(10, "app+0x10;lib+0x5");
        trace_.block(30, "app+0x10;lib+0x9");
    }
    void init() { QFile::remove(folder_.filePath("a")); }

    void writesEach_data() {
        QTest::addColumn<int>("format");
        QTest::addColumn<QByteArray>("begin");
        QTest::addColumn<int>("count");
        QTest::newRow("pprof") << int(TraceFormat::Pprof) << QByteArray("\x1f\x8b") << 2;
        QTest::newRow("speedscope") << int(TraceFormat::Speedscope) << QByteArray("{\"$schema\":") << 2;
        QTest::newRow("sqlite") << int(TraceFormat::Sqlite) << QByteArray("SQLite format 3") << 2;
        QTest::newRow("report") << int(TraceFormat::Report) << QByteArray("<!DOCTYPE html>") << 4;
    }
    void writesEach() {
        QFETCH(int, format);
        QFETCH(QByteArray, begin);
        QFETCH(int, count);
        const auto written = writeTraceFormat(static_cast<TraceFormat>(format), what(), file());
        QVERIFY2(written.hasValue(), written.hasValue() ? "" : written.error().message.c_str());
        QCOMPARE(written.value(), static_cast<std::size_t>(count));
        QVERIFY2(content().startsWith(begin), content().left(40).constData());
    }
    void leavesNothingWhenItIsCancelled() {
        std::stop_source stop;
        stop.request_stop();
        for (const auto& spec : traceFormats()) {
            const auto written = writeTraceFormat(spec.format, what(), file(), stop.get_token());
            QVERIFY(!written.hasValue());
            QCOMPARE(written.error().kind, ErrorKind::Cancelled);
            QCOMPARE(QDir(folder_.path()).entryList(QDir::Files | QDir::Hidden), QStringList());
        }
    }
    void isOfferedForWhatItCanHold() {
        const auto offered = [](Table table) {
            QStringList words;
            for (const auto& spec : traceFormats())
                if (isOffered(spec.format, table))
                    words << QString::fromUtf8(spec.word.data(), qsizetype(spec.word.size()));
            return words.join(' ');
        };
        QCOMPARE(offered(Table::Heap), QString("pprof speedscope sqlite report"));
        QCOMPARE(offered(Table::VirtualAlloc), QString("pprof speedscope sqlite report"));
        QCOMPARE(offered(Table::Managed), QString("pprof speedscope sqlite report"));
        QCOMPARE(offered(Table::Frees), QString("speedscope report"));
        QCOMPARE(offered(Table::Snapshot), QString("speedscope report"));
        QCOMPARE(offered(Table::GcHeap), QString("sqlite report"));
        const auto written = writeTraceFormat(TraceFormat::Pprof, what(Table::Frees), file());
        QCOMPARE(written.error().message, std::string("Frees cannot be exported as Profile for pprof."));
    }
    void theReportSaysHowItIsWrittenAgain() {
        auto asked = what();
        asked.filters = {"Size:>20"};
        asked.filterQuery = "(Size:>20)";
        asked.query.filter.query = QueryExpression::parse(Table::Heap, "Size:>20").value();
        QVERIFY(writeTraceFormat(TraceFormat::Report, asked, file()).hasValue());
        const auto page = content();
        for (const auto* words : {"highwater-cli report app.etl --table heap --by Process,Stack --columns Count,Size",
                                  "--sort Size:desc", "--filter", "(Size:&gt;20)"})
            QVERIFY2(page.contains(words), words);
        QVERIFY(page.contains("<h1>Heap Allocations of app.etl, 0 s to 0.000001 s, Size:&gt;20</h1>"));
        asked.filterQuery.clear(); // a filter step without a query
        QVERIFY(writeTraceFormat(TraceFormat::Report, asked, file()).hasValue());
        QVERIFY(!content().contains("highwater-cli"));
    }
    void oneThatFailsLeavesWhatWasThere() {
        QVERIFY(!writeTraceFormat(TraceFormat::Report, what(), folder_.path().toStdString()).hasValue());
        QVERIFY(!writeTraceFormat(TraceFormat::Sqlite, what(), folder_.filePath("no/a").toStdString()).hasValue());
    }
};
HIGHWATER_TEST(TraceFormatTest);
#include "trace_format_test.moc"
