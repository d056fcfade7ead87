#include "core/formats/report/report_writer.h"

#include "tests/core/analysis/named_trace.h"
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
    QStringList lines; ///< in the graph
    QString title, command, source;
};

ParsedPage parsed(const std::string& page) {
    ParsedPage found;
    found.source = QString::fromStdString(page);
    QXmlStreamReader reader(found.source);
    int depth = 0;
    const auto textOf = [&] { return reader.readElementText(QXmlStreamReader::IncludeChildElements); };
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
        else if (styles.contains("row")) {
            QStringList cells;
            while (reader.readNextStartElement())
                cells << textOf();
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

ParsedPage reportOf(const NamedTrace& t, const Query& query, ReportFacts facts = {}, exports::TreeLimits limits = {}) {
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
        QVERIFY2(page.losses.at(0).startsWith("This trace is not complete: totals are bounds."),
                 qPrintable(page.losses.at(0)));
        QVERIFY(page.losses.join('\n').contains("5 events lost."));
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
