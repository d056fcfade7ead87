#include "core/formats/sqlite/sqlite_writer.h"

#include "core/analysis/balance/page_ranges.h"
#include "tests/core/analysis/balance/sample_builder.h"
#include "tests/core/analysis/named_trace.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/core/formats/sqlite/read_database.h"
#include "tests/core/store/event_script.h"
#include "tests/support/test_registry.h"

#include <QTemporaryDir>
#include <QTest>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <map>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::formats;
using namespace highwater::tests;

namespace {

using Lines = std::vector<std::string>;

/// Stacks and types of processes, and the sums of their rows, row by row.
Lines recounted(const Recount& recount, std::optional<ByteCount> moreThan) {
    std::map<std::string, std::vector<RecountRow>> groups;
    for (const auto& row : recount.members()) {
        if (moreThan && row.size <= *moreThan) continue;
        std::string stack;
        for (const auto& [column, text] : recount.path(row, {Column::Stack}))
            stack += (stack.empty() ? "" : ";") + text;
        const auto free = recount.keyText(row, Column::FreeType);
        groups[fmt::format("{}|{}|{}|{}", recount.keyText(row, Column::Process), recount.keyText(row, Column::Type),
                           free == "(outstanding)" ? "NULL" : free, stack)]
            .push_back(row);
    }
    Lines lines;
    for (const auto& [key, rows] : groups) {
        const auto sums = recount.sums(rows);
        lines.push_back(
            fmt::format("{}|{}|{}|{}|{}|{}", key, sums.count, sums.size, sums.allocated, sums.freed, sums.impacting));
    }
    return lines;
}

} // namespace

/// Databases of rows, queried with SQLite itself.
class SqliteWriterTest : public QObject {
    Q_OBJECT

    QTemporaryDir folder_;

    std::string file() const { return folder_.filePath("a.sqlite").toStdString(); }
    Lines ask(const std::string& sql) const { return rowsOfSql(file(), sql); }
    Result<std::size_t> write(const store::PublishedTrace& trace, FrameLabels& labels, const SqliteQuery& query,
                              const SqliteFacts& facts = {}) const {
        std::ofstream(file(), std::ios::trunc).flush();
        return writeSqlite(trace, labels, query, facts, file());
    }

  private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void sumsBySqlAreThoseOfTheTables() {
        for (unsigned seed = 0; seed < 60; ++seed) {
            RandomTrace random(seed);
            const auto& publication =
                random.publications()[random.pick(static_cast<unsigned>(random.publications().size()))];
            for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
                SqliteQuery query{table, random.intervalOf(publication)};
                query.processExitFreesHeap = random.pick(2) == 0;
                const auto moreThan = random.pick(2) == 0 ? std::nullopt : std::optional<ByteCount>(20);
                if (moreThan) query.filter.query = QueryExpression::parse(table, "Size:>20").value();
                FrameLabels labels;
                QVERIFY(write(*publication.trace, labels, query).hasValue());
                const Recount recount(publication.model, table, query.interval, publication.trace->horizon,
                                      query.processExitFreesHeap, "D");
                auto lines = ask(fmt::format(
                    "SELECT label, type, coalesce(free_type,'NULL'), text, count(*), sum(size), sum(allocated), "
                    "sum(freed), sum(impacting) FROM {} JOIN processes ON processes.id = process "
                    "JOIN stacks ON stacks.id = stack GROUP BY 1, 2, 3, 4",
                    table == Table::Heap ? "heap_allocations" : "virtualalloc_commits"));
                auto wanted = recounted(recount, moreThan);
                std::sort(lines.begin(), lines.end());
                std::sort(wanted.begin(), wanted.end());
                QVERIFY2(lines == wanted, fmt::format("seed {}:\n{}\ninstead of\n{}", seed, fmt::join(lines, "\n"),
                                                      fmt::join(wanted, "\n"))
                                              .c_str());
            }
        }
    }
    void amountsAtAnyInstantComeFromRowsAndPartialReleases() {
        for (unsigned seed = 100; seed < 130; ++seed) {
            RandomTrace random(seed);
            const auto& last = random.publications().back();
            FrameLabels labels;
            QVERIFY(write(*last.trace, labels, {std::nullopt, last.trace->wholeRange()}).hasValue());
            const auto horizon = last.trace->horizon;
            const TraceTime at{static_cast<std::int64_t>(random.pick(static_cast<unsigned>(horizon.ns)))};
            for (const auto table : {Table::Heap, Table::VirtualAlloc}) {
                const Recount recount(last.model, table, last.trace->wholeRange(), horizon, false, "D");
                std::int64_t wanted = 0;
                for (const auto& row : recount.members())
                    wanted += recount.outstanding(row, at);
                const auto* name = table == Table::Heap ? "heap_allocations" : "virtualalloc_commits";
                const auto sum = ask(
                    fmt::format("SELECT coalesce(sum(size - coalesce((SELECT sum(p.size) FROM partial_releases p WHERE "
                                "p.row_table = '{0}' AND p.row = r.id AND p.time_ns < {1}), 0)), 0) FROM {0} r "
                                "WHERE coalesce(begin_ns, -1) < {1} AND (end_ns IS NULL OR end_ns >= {1})",
                                name, at.ns));
                QCOMPARE(sum, Lines{fmt::format("{}", wanted)});
            }
        }
    }
    void framesHaveModulesAndLines() {
        NamedTrace t;
        t.block(10, "app+0x10;app+0x110;lib+0x5");
        t.nameCode("app",
                   {{0, {{"main", "main.cpp", 7}}}, {0x100, {{"work", "work.cpp", 40}, {"push", "vector", 900}}}});
        QVERIFY(write(*t.trace, *t.labels, {Table::Heap, {TraceTime{0}, TraceTime{1000}}}).hasValue());
        QCOMPARE(ask("SELECT position, function, is_inlined, modules.name, file, line, linkage_name FROM stack_frames "
                     "JOIN frames ON frames.id = frame JOIN modules ON modules.id = module ORDER BY position"),
                 (Lines{"0|lib!+0x5|0|lib|NULL|NULL|NULL", "1|app!push|1|app|vector|900|push",
                        "2|app!work|0|app|work.cpp|40|work", "3|app!main|0|app|main.cpp|7|main"}));
        QCOMPARE(ask("SELECT text, depth FROM stacks"), Lines{"app!main;app!work;app!push;lib!+0x5|4"});
        QCOMPARE(ask("SELECT printf('%x', offset) FROM frames WHERE function = 'app!work'"), Lines{"10f"});
    }
    void saysWhatItIsOf() {
        NamedTrace t;
        t.block(10, "app+0x10");
        SqliteFacts facts;
        facts.meta = {{"traces", "a'b.etl"}};
        facts.marks = {{1, TraceTime{5}, "be\"gin"}};
        facts.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 5;
        QVERIFY(write(*t.trace, *t.labels, {Table::Heap, {TraceTime{0}, TraceTime{1000}}}, facts).hasValue());
        QCOMPARE(ask("SELECT name, value FROM meta ORDER BY name"), (Lines{"schema_version|1", "traces|a'b.etl"}));
        QCOMPARE(ask("PRAGMA user_version"), Lines{"1"});
        QCOMPARE(ask("SELECT * FROM marks"), Lines{"5|be\"gin"});
        QCOMPARE(ask("SELECT id, count, severity FROM losses"), Lines{"events_lost|5|bound"});
        QCOMPARE(ask("SELECT label, pid FROM processes"), Lines{"a.exe (7)|7"});
        QCOMPARE(ask("PRAGMA integrity_check"), Lines{"ok"});
        QCOMPARE(ask("SELECT count(*) FROM heap_allocations a JOIN heaps h ON h.id = a.heap WHERE h.handle = 65536"),
                 Lines{"1"});
    }
    void samplesOfResidentMemoryHaveLayers() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 100);
        for (const ByteCount pages : {1, 3, 2}) {
            SampleBuilder sample(++script.now);
            sample.map(0x10000, pages * kPage, kDivided, "[heap]").map(0x40000, kPage, kFileData, "/a'b.db");
            sample.last().swapped = kPage;
            script.store.onResidentSample(sample.done());
        }
        const auto trace = script.publish();
        FrameLabels labels;
        QVERIFY(write(*trace, labels, {std::nullopt, trace->wholeRange()}).hasValue());
        QCOMPARE(ask("SELECT label, time_ns, rss, swap FROM resident_samples s JOIN processes p ON p.id = s.process"),
                 (Lines{"a (100)|3|8192|4096", "a (100)|4|16384|4096", "a (100)|5|12288|4096"}));
        QCOMPARE(ask("SELECT layer, bytes FROM resident_layers WHERE sample = 2"),
                 (Lines{"live|100", "rounding|12", "held_free|3984", "returnable|8192", "files|4096"}));
        QCOMPARE(ask("SELECT s.rss - sum(bytes) FROM resident_layers l JOIN resident_samples s ON s.id = l.sample "
                     "GROUP BY s.id"),
                 (Lines{"0", "0", "0"}));
        QCOMPARE(ask("SELECT sample, layer, mapping, mappings, rss, pss, private_dirty, swap, reserved FROM "
                     "resident_mappings WHERE layer IN ('returnable', 'files')"),
                 (Lines{"2|returnable|[heap]|1|8192|8192|0|0|8192", "2|files|/a'b.db|1|4096|4096|0|4096|4096"}));
        QCOMPARE(ask("SELECT s.rss - sum(m.rss) FROM resident_mappings m JOIN resident_samples s ON s.id = m.sample"),
                 Lines{"0"});
        QVERIFY(write(*trace, labels, {std::nullopt, {TraceTime{5}, TraceTime{9}}}).hasValue());
        QCOMPARE(ask("SELECT time_ns FROM resident_samples"), Lines{"5"});
    }
    void damagedSizesAreIntegers() {
        EventScript script;
        script.process(Occasion::Start, "a").alloc(0x10010, 8);
        const ByteCount most = kLastMappingEnd - kPage;
        script.store.onResidentSample(SampleBuilder(++script.now).map(kPage, most, kFileData, "/f").done());
        FrameLabels labels;
        const auto trace = script.publish();
        QVERIFY(write(*trace, labels, {std::nullopt, trace->wholeRange()}).hasValue());
        QCOMPARE(ask("SELECT rss FROM resident_samples"), Lines{"9223372036854775807"});
    }
    void tracesWithoutSamplesHaveEmptyTables() {
        NamedTrace t;
        t.block(10, "app+0x10");
        QVERIFY(write(*t.trace, *t.labels, {Table::Heap, {TraceTime{0}, TraceTime{1000}}}).hasValue());
        for (const auto* table : {"resident_samples", "resident_layers", "resident_mappings"})
            QCOMPARE(ask(fmt::format("SELECT count(*) FROM {}", table)), Lines{"0"});
    }
    void canBeCancelled() {
        NamedTrace t;
        t.block(10, "app+0x10");
        std::stop_source stop;
        stop.request_stop();
        std::ofstream(file(), std::ios::trunc).flush();
        const auto written = writeSqlite(*t.trace, *t.labels, {Table::Heap, {TraceTime{0}, TraceTime{1000}}}, {},
                                         file(), stop.get_token());
        QVERIFY(!written.hasValue());
        QCOMPARE(written.error().kind, ErrorKind::Cancelled);
    }
    void saysWhyItCannotWrite() {
        NamedTrace t;
        t.block(10, "app+0x10");
        const auto place = folder_.filePath("no/such/folder.sqlite").toStdString();
        const auto written =
            writeSqlite(*t.trace, *t.labels, {Table::Heap, {TraceTime{0}, TraceTime{1000}}}, {}, place);
        QVERIFY(!written.hasValue());
        QCOMPARE(written.error().message, fmt::format("Cannot write {}: unable to open database file.", place));
    }
};
HIGHWATER_TEST(SqliteWriterTest);
#include "sqlite_writer_test.moc"
