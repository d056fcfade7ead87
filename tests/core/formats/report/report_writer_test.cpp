#include "core/formats/report/report_writer.h"

#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QRegularExpression>
#include <QTest>
#include <QXmlStreamReader>

#include <sstream>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::formats;
using namespace highwater::tests;

namespace {

/// A page as a strict parser reads it.
struct ParsedPage {
    QString problem;
    QStringList rows;  ///< "key|cell|cell", indented by two blanks per part that contains them
    QStringList calls; ///< in all lists
    QStringList losses;
    QStringList lines;   ///< in the graph
    QStringList amounts; ///< rows of the tables of resident memory
    QString title, command, source;
};

ParsedPage parsed(const std::string& page) {
    ParsedPage found;
    found.source = QString::fromStdString(page);
    QXmlStreamReader reader(found.source);
    int depth = 0;
    const auto textOf = [&] { return reader.readElementText(QXmlStreamReader::IncludeChildElements); };
    const auto cellsOf = [&] {
        QStringList cells;
        while (reader.readNextStartElement())
            cells << textOf();
        return cells;
    };
    while (!reader.atEnd()) {
        reader.readNext();
        const auto name = reader.name();
        if (reader.isEndElement() && name == QLatin1String("details")) --depth;
        if (!reader.isStartElement()) continue;
        const auto styles = reader.attributes().value("class").toString().split(' ');
        if (name == QLatin1String("details")) ++depth;
        if (name == QLatin1String("title") && found.title.isEmpty())
            found.title = textOf();
        else if (name == QLatin1String("title"))
            found.lines << textOf();
        else if (name == QLatin1String("tr"))
            found.amounts << cellsOf().join('|');
        else if (styles.contains("row")) {
            const auto cells = cellsOf();
            const auto level = name == QLatin1String("summary") ? depth - 1 : depth;
            found.rows << QString(2 * level, ' ') + cells.join('|');
        } else if (styles.contains("calls")) {
            QString text;
            while (reader.readNext() != QXmlStreamReader::EndElement || reader.name() != QLatin1String("div"))
                text += reader.isCharacters() ? reader.text().toString() : reader.isStartElement() ? "\n" : "";
            found.calls << text.split('\n');
        } else if (name == QLatin1String("ul") && styles.contains("losses")) {
            while (reader.readNextStartElement())
                found.losses << textOf();
        } else if (name == QLatin1String("pre")) {
            found.command = textOf();
        }
    }
    if (reader.hasError()) found.problem = reader.errorString();
    return found;
}

/// Processes that have a block, then two, and most memory at 5. All have the same memory.
struct SampledTrace {
    explicit SampledTrace(const std::string& name, std::uint32_t processes = 1) {
        EventScript script;
        const auto each = [&](const auto& send) {
            for (std::uint32_t i = 0; i < processes; ++i)
                send(script.inProcess(EventScript::kPid + i));
            script.now += 1;
        };
        const auto at = [&](std::int64_t time) { return [&script, time] { script.now = time - 1; }; };
        each([&](auto& of) { at(1)(), of.process(Occasion::Start, name); });
        each([&](auto& of) { at(2)(), of.alloc(0x10010, 10); });
        each([&](auto& of) { sample(of, 3, 1); });
        each([&](auto& of) { at(4)(), of.alloc(0x10100, 3000); });
        each([&](auto& of) { sample(of, 5, 9); });
        each([&](auto& of) { sample(of, 6, 2); });
        trace = script.publish();
    }
    static void sample(EventScript& of, std::int64_t time, ByteCount pages) {
        of.now = time;
        SampleBuilder sample(time, of.pid);
        sample.map(0x10000, pages * kPage, kDivided, "[heap]").map(0x40000, kPage, kFileData, "/a.db");
        sample.last().swapped = 2 * kPage;
        of.store.onResidentSample(sample.done());
    }
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<FrameLabels> labels = std::make_shared<FrameLabels>();
};

template <typename Trace>
ParsedPage reportOf(const Trace& t, const Query& query, ReportFacts facts = {}, exports::TreeLimits limits = {}) {
    facts.subject.table = query.table;
    facts.subject.interval = query.interval;
    std::ostringstream out;
    const auto written = writeReport(t.trace, t.labels, query, limits, facts, out);
    auto page = parsed(out.str());
    if (!written.hasValue()) page.problem = QString::fromStdString(written.error().message);
    return page;
}

Query countedStacks(std::vector<Column> keys = {Column::Process, Column::Stack}) {
    auto query = heapQuery(std::move(keys));
    query.columns = {{Column::Count}, {Column::Size}};
    return query;
}

} // namespace

/// A table as an HTML page.
class ReportWriterTest : public QObject {
    Q_OBJECT
  private slots:
    void rowsOpenWhereStacksFork() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5;lib+0x7");
        t.block(30, "app+0x10;app+0x110;lib+0x9");
        const auto page = reportOf(t, countedStacks());
        QCOMPARE(page.problem, QString());
        QCOMPARE(page.rows, (QStringList{"Process / Stack|Count|Size", "a.exe (7)|2|40", "  app!+0x10|2|40",
                                         "    lib!+0x9|1|30", "    lib!+0x5|1|10", "Total|2|40"}));
        QCOMPARE(page.calls, (QStringList{"app!+0x110", "lib!+0x7"}));
    }
    void aCallThatHoldsLessHasARow() {
        NamedTrace t;
        t.block(10, "app+0x10;lib+0x5");
        t.block(30, "app+0x10"); // ends in the caller
        const auto page = reportOf(t, countedStacks({Column::Stack}));
        QCOMPARE(page.rows, (QStringList{"Stack|Count|Size", "app!+0x10|2|40", "  lib!+0x5|1|10", "Total|2|40"}));
        QVERIFY(page.calls.isEmpty());
    }
    void rowsThatAreLeftOutAreSummedUpAndSaid() {
        NamedTrace t;
        for (int i = 1; i <= 5; ++i)
            t.block(10, "app+0x" + std::to_string(i) + "0");
        const auto page = reportOf(t, countedStacks({Column::Stack}), {}, {0, 2});
        QCOMPARE(page.rows.size(), 5);
        QCOMPARE(page.rows[3], QString("(3 more)|3|30"));
        QVERIFY(page.source.contains("At most 2 rows per level are shown"));
        const auto one = reportOf(t, countedStacks({Column::Stack}), {}, {1, 1}).source;
        QVERIFY(one.contains("At most 1 row per level is shown") && one.contains("1 level is shown"));
    }
    void namesAreTextWhateverTheyAre() {
        const std::string evil = "<script>alert(\"&'\")</script>\n</style><b>";
        NamedTrace t;
        t.block(10, "app+0x10");
        t.name("app", {{0, "<i>&\"'\n</i>"}});
        ReportFacts facts;
        facts.subject.traces = {evil};
        facts.subject.filters = {evil};
        facts.program = evil;
        facts.recordedAt = evil;
        facts.command = {"highwater-cli", "report", "<script>alert(\"&'\")</script></style><b>"};
        facts.health.remarks = {evil};
        const auto page = reportOf(t, countedStacks({Column::Stack}), facts);
        QCOMPARE(page.problem, QString());
        QVERIFY(!page.source.contains("<script"));
        QVERIFY(!page.source.contains("<b>"));
        QCOMPARE(page.source.count("</style>"), 1);
        QVERIFY(!page.source.contains("<i>"));
        QVERIFY2(page.rows[1].startsWith("app!<i>&\"'"), qPrintable(page.rows[1]));
        QVERIFY(page.title.contains("<b>"));
        QVERIFY(page.command.contains("alert("));
    }
    void needsNothingElse() {
        NamedTrace t;
        t.block(10, "app+0x10");
        const auto page = reportOf(t, countedStacks());
        static const QRegularExpression kElsewhere(
            "\\b(src|href|srcset|action|xlink)\\s*=|url\\(|@import|<(script|link|"
            "iframe|object|embed|img|base)\\b|https?:|javascript:");
        QVERIFY2(!page.source.contains(kElsewhere), qPrintable(kElsewhere.match(page.source).captured()));
        QVERIFY(page.source.contains("default-src 'none'"));
        QVERIFY(page.source.contains("prefers-color-scheme: dark"));
        QVERIFY(page.source.contains("@media print"));
    }
    void theGraphHasALineForEachGroupOfTheFirstKey() {
        NamedTrace t;
        for (int i = 0; i < 12; ++i)
            t.block(100 - static_cast<ByteCount>(i), "m" + std::to_string(i) + "+0x10");
        const auto page = reportOf(t, countedStacks({Column::Stack}));
        QCOMPARE(page.problem, QString());
        QCOMPARE(page.lines.size(), 8);
        QCOMPARE(page.lines.last(), QString("(5 more)"));
        QVERIFY(page.source.contains("at most 100 B"));
        // A graph of single rows would have as many lines as rows.
        QCOMPARE(reportOf(t, countedStacks({Column::BeginTime})).lines, QStringList("Total"));
    }
    void saysWhatIsMissing() {
        NamedTrace t;
        t.block(10, "app+0x10");
        QVERIFY(reportOf(t, countedStacks()).source.contains("Nothing that affects totals is missing."));
        ReportFacts facts;
        facts.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 5;
        const auto page = reportOf(t, countedStacks(), facts);
        QVERIFY2(page.losses.at(0).startsWith("This trace is incomplete, so its totals are bounds."),
                 qPrintable(page.losses.at(0)));
        QVERIFY(page.losses.join('\n').contains("5 events were lost."));
    }
    void residentMemoryIsDividedWhereItIsHighest() {
        const SampledTrace t("<b>");
        const auto page = reportOf(t, countedStacks());
        QCOMPARE(page.problem, QString());
        QVERIFY(page.source.contains("<h3>&lt;b&gt; (100) at 0.000000005 s</h3>"));
        QVERIFY(!page.source.contains("<b>"));
        QCOMPARE(page.amounts.join('\n'),
                 QString("Layer|Resident|Share of Rss\nLive blocks|2.9 KB|7.3 %\nRounding|30 B|0.1 %\n"
                         "Free, held|1.0 KB|2.6 %\nFree, returnable|32.0 KB|80.0 %\nMapped files|4.0 KB|10.0 %\n"
                         "Rss|40.0 KB|100.0 %\nSwap|8.0 KB|\nOwner of heap blocks|Held Pages|Resident|Blocks\n"
                         "(no stack)|4.0 KB|2.9 KB|2\nAll owners together|4.0 KB|2.9 KB|2"));
        auto part = countedStacks();
        part.interval = {TraceTime{0}, TraceTime{4}};
        QVERIFY(reportOf(t, part).amounts.contains("Rss|8.0 KB|100.0 %"));
        part.interval = {TraceTime{500}, TraceTime{1000}};
        QVERIFY(!reportOf(t, part).source.contains("Resident memory"));
    }
    void processesPastTheLimitAreCounted() {
        const SampledTrace t("app", 5);
        const auto page = reportOf(t, countedStacks());
        QCOMPARE(page.source.count("<h3>"), 3);
        QVERIFY(page.source.contains("2 more processes are not shown; highwater-cli balance lists all."));
    }
    void nothingIsAPageThatSaysSo() {
        NamedTrace t;
        t.block(10, "app+0x10");
        auto query = countedStacks();
        query.filter.query = QueryExpression::parse(Table::Heap, "Size:>1GB").value();
        const auto page = reportOf(t, query);
        QCOMPARE(page.problem, QString());
        QVERIFY(page.source.contains("No matching rows."));
    }
};
HIGHWATER_TEST(ReportWriterTest);
#include "report_writer_test.moc"
