#include "core/analysis/table/nothing_found.h"
#include "tests/core/analysis/columns_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

class NothingFoundTest : public QObject {
    Q_OBJECT

    static constexpr TimeRange kWhole{TraceTime{0}, TraceTime{34'000'000'000}};

    static QString why(Table table, TimeRange interval, const std::vector<std::string>& filters = {}) {
        ColumnsBuilder builder; // one commit, never released
        builder.process("a.exe", 7, TraceTime{0});
        ModelRow row;
        row.table = store::TableKind::VirtualAlloc;
        row.size = row.address = 0x1000;
        row.begin = TraceTime{1'000'000'000};
        builder.alloc(row);
        const auto published = builder.publish(kWhole.end);
        return QString::fromStdString(whyEmpty(*published, table, interval, filters));
    }

  private slots:
    void anIntervalThatTouchesTheTraceOnlyAtAnEndLiesOutside() {
        QVERIFY(!refusalOf(kWhole, kWhole));
        QVERIFY(!refusalOf({TraceTime{-5}, TraceTime{1}}, kWhole));
        QVERIFY(!refusalOf({TraceTime{33'999'999'999}, kNever}, kWhole));
        QVERIFY(refusalOf({TraceTime{-5}, TraceTime{0}}, kWhole));
        QVERIFY(refusalOf({kWhole.end, kNever}, kWhole));
        QCOMPARE(refusalOf({kWhole.end, TraceTime{35'000'000'000}}, kWhole)->kind, ErrorKind::Usage);
        QVERIFY(!refusalOf({TraceTime{5}, TraceTime{6}}, {}));
    }
    void saysWhatToSwitchOnWhereNothingWasRecorded() {
        QVERIFY(why(Table::Heap, kWhole).contains("HeapTracingConfig"));
        QVERIFY(why(Table::Heap, kWhole, {"the filter"}).contains("HeapTracingConfig")); // the filter is not the cause
        QVERIFY(why(Table::Heap, kWhole).contains("--virtualalloc")); // a program that Highwater recorded
    }
    /// Windows tools do not help there.
    void aTraceOfLinuxIsAdvisedOtherwise() {
        ColumnsBuilder nothing;
        nothing.process("a", 7, TraceTime{0});
        auto trace = *nothing.publish(kWhole.end);
        trace.isOfAgent = true;
        auto sentences = notRecorded(trace);
        QCOMPARE(sentences.size(), std::size_t{1});
        for (const auto table : {Table::Heap, Table::VirtualAlloc, Table::Frees, Table::Snapshot})
            sentences.push_back(whyEmpty(trace, table, kWhole));
        for (const auto& sentence : sentences) {
            QVERIFY2(sentence.starts_with("This trace has no "), sentence.c_str());
            for (const auto* tool : {"wpr", "xperf", "Windows", "profile"})
                QVERIFY2(sentence.find(tool) == std::string::npos, sentence.c_str());
        }
        QVERIFY(sentences[1].find("malloc") != std::string::npos && sentences[2].find("mmap") != std::string::npos);
    }
    void aTraceOfPicturesNamesThePageThatShowsThem() {
        ColumnsBuilder nothing;
        nothing.process("a", 7, TraceTime{0});
        auto trace = *nothing.publish(kWhole.end);
        trace.isOfAgent = true;
        trace.pictures =
            std::make_shared<const std::vector<SharedMemoryPicture>>(1, std::make_shared<const MemoryPicture>());
        for (const auto table : {Table::Heap, Table::VirtualAlloc, Table::Frees})
            QVERIFY(whyEmpty(trace, table, kWhole).find("but it has a picture of memory. To see what holds") !=
                    std::string::npos);
        QVERIFY(whyEmpty(trace, Table::Managed, kWhole).find("picture") == std::string::npos);
    }
    /// No recorder option could add data to another tool's file.
    void anEmptyProfileGetsNoAdviceAboutRecorders() {
        ColumnsBuilder nothing;
        nothing.process("a", 7, TraceTime{0});
        auto trace = *nothing.publish(kWhole.end);
        trace.lacks = {.addresses = true, .threads = true, .pages = true, .objects = true};
        for (const auto table : {Table::Heap, Table::Frees, Table::Snapshot})
            QCOMPARE(QString::fromStdString(whyEmpty(trace, table, kWhole)), "This profile has no heap allocations.");
        trace.health.remarks = {"Something is missing."};
        QVERIFY(
            whyEmpty(trace, Table::Heap, kWhole).starts_with("This profile has no heap allocations in the part that"));
    }
    /// In a damaged file the program's requests are unknown.
    void whatIsMissingIsNotBlamedOnTheProgram() {
        ColumnsBuilder nothing;
        nothing.process("a", 7, TraceTime{0});
        auto trace = *nothing.publish(kWhole.end);
        trace.isOfAgent = true;
        QVERIFY(notRecorded(trace).front().find("The program requested no memory") != std::string::npos);
        trace.health.counts[static_cast<std::size_t>(Loss::BuffersLost)] = 3;
        QVERIFY(notRecorded(trace).front().find("The program requested no memory") == std::string::npos);
        QVERIFY(notRecorded(trace).front().ends_with("The missing parts may contain them."));
        QVERIFY(whyEmpty(trace, Table::Heap, kWhole).ends_with("The missing parts may contain them."));
        QVERIFY(whyEmpty(trace, Table::Managed, kWhole).ends_with("on Windows only."));
    }
    void namesEachKindThatWasNotRecorded() {
        ColumnsBuilder nothing;
        nothing.process("a.exe", 7, TraceTime{0});
        auto trace = *nothing.publish(kWhole.end);
        const auto neither = notRecorded(trace);
        QCOMPARE(neither.size(), std::size_t{1});
        QVERIFY(neither[0].starts_with("This trace has no heap or VirtualAlloc events"));
        QVERIFY(neither[0].find("wpr -HeapTracingConfig") != std::string::npos);
        trace.health.notes = {"Something is good to know."};
        QCOMPARE(notRecorded(trace), neither);
        trace.health.remarks = {"Something is missing."};
        QCOMPARE(notRecorded(trace).size(), std::size_t{1});
        QVERIFY(notRecorded(trace)[0].starts_with(
            "This trace has no heap or VirtualAlloc events in the part that was read; other parts of it are missing"));
        QVERIFY(notRecorded(trace)[0].find("wpr -HeapTracingConfig") != std::string::npos);

        ColumnsBuilder pages;
        pages.process("a.exe", 7, TraceTime{0});
        ModelRow row;
        row.table = store::TableKind::VirtualAlloc;
        row.size = row.address = 0x1000;
        pages.alloc(row);
        const auto noHeap = notRecorded(*pages.publish(kWhole.end));
        QCOMPARE(noHeap.size(), std::size_t{1});
        QVERIFY(noHeap[0].starts_with("This trace has no heap allocations."));
    }
    void ofACutTraceItSaysHowFarItWasRead() {
        ColumnsBuilder nothing;
        nothing.process("a.exe", 7, TraceTime{0});
        auto trace = *nothing.publish(TraceTime{3'500'000'000});
        trace.health.counts[static_cast<std::size_t>(Loss::BuffersBehindTheEnd)] = 4;
        trace.health.zones = {{TraceTime{3'000'000'000}, TraceTime{9'000'000'000}, kEndOfFile, 4}};
        const auto told = notRecorded(trace);
        QCOMPARE(told.size(), std::size_t{1});
        QVERIFY2(told[0].starts_with("This trace has no heap or VirtualAlloc events in the part that was read, up to "
                                     "3.500 s; the end of its file is missing. On Windows"),
                 told[0].c_str());
        QVERIFY(whyEmpty(trace, Table::Heap, kWhole)
                    .starts_with("This trace has no heap allocations in the part that was read"));
    }
    void saysThatTheFilterOrTheIntervalLeavesNothing() {
        QCOMPARE(why(Table::VirtualAlloc, kWhole, {"the filter"}),
                 "Nothing matches the filter. Remove it to see all rows of the interval.");
        QCOMPARE(why(Table::VirtualAlloc, kWhole, {"--filter 'x'", "--size '1:2'"}),
                 "Nothing matches --filter 'x' and --size '1:2' together. Remove one of them to see more rows of the "
                 "interval.");
        QCOMPARE(why(Table::VirtualAlloc, {TraceTime{0}, TraceTime{1}}), "This table has no rows in the interval.");
        QCOMPARE(why(Table::Frees, kWhole), "This trace has no rows for this table.");
    }
};
HIGHWATER_TEST(NothingFoundTest);
#include "nothing_found_test.moc"
