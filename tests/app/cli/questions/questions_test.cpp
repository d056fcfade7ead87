#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

Answer ask(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin() + 1, exercise2File("plain"));
    return runCli(arguments);
}

Json askJson(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    return ask(std::move(arguments)).json();
}

/// The same trace with two heap snapshots.
std::string snapshotsFile() {
    static const auto path = [] {
        auto trace = fixtures::exercise2Trace({});
        trace.snapshot(fixtures::seconds(10));
        trace.snapshot(fixtures::seconds(20));
        auto file = temporaryPath("histogram_of_snapshots.etl");
        if (!trace.writeTo(file).hasValue()) qFatal("cannot write");
        return file;
    }();
    return path;
}

Json barFrom(const Json& answer, std::int64_t from) {
    for (const auto& bar : answer["bars"]) {
        if (bar["from_bytes"] == from) return bar;
    }
    return {};
}

} // namespace

/// Commands that ask one question, on the Exercise 2 trace.
class QuestionsTest : public QObject {
    Q_OBJECT
  private slots:
    void histogramListsSizesAndKeptBlocks() {
        const auto answer = askJson({"histogram", "--table", "heap", "--exact", "2"});
        QCOMPARE(answer["of"], "size");
        QCOMPARE(answer["count"], 6342);
        const auto bar = barFrom(answer, 64);
        QCOMPARE(bar["count"], 5001);
        QCOMPARE(bar["kept_bytes"], 0);
        QCOMPARE(bar["to_bytes"], 128);
        QCOMPARE(answer["exact"].size(), std::size_t{2});
        QCOMPARE(answer["exact"][0]["from_bytes"], 64);
        QCOMPARE(answer["exact"][0]["count"], 5000);
    }
    void histogramSaysOfHowManySizesItShowsThose() {
        const auto sizes = [](const std::string& exact) {
            return ask({"histogram", "--table", "heap", "--exact", exact}).answers;
        };
        const auto all =
            std::to_string(askJson({"table", "--table", "heap", "--by", "Allocation Size"})["rows"].size());
        QVERIFY2(has(sizes("1"), "\nThe most frequent size of " + all + "\n"), sizes("1").c_str());
        QVERIFY2(has(sizes("2"), "\nThe 2 most frequent sizes of " + all + "\n"), sizes("2").c_str());
        QVERIFY2(has(sizes(all), "\nAll sizes, most frequent first\n"), sizes(all).c_str());
    }
    void theFilterOfABarFindsItsRows() {
        for (const auto* of : {"size", "lifetime"}) {
            const auto answer = askJson({"histogram", "--table", "virtualalloc", "--of", of, "--range", "2:20"});
            for (const auto& bar : answer["bars"]) {
                const auto filter = bar["filter"].get<std::string>();
                const auto rows =
                    askJson({"histogram", "--table", "virtualalloc", "--range", "2:20", "--filter", filter});
                QVERIFY2(rows["count"] == bar["count"] && rows["bytes"] == bar["bytes"], filter.c_str());
            }
        }
    }
    void histogramWritesTextAndCsv() {
        const auto text = ask({"histogram", "--table", "heap"}).answers;
        QVERIFY2(has(text, "Heap Allocations, 0.000000000 s to 34.000000000 s: 6,342 rows by size"), text.c_str());
        QVERIFY2(has(text, "64 B to <128 B   5,001  320,100        0  ...."), text.c_str());
        const auto csv = ask({"histogram", "--table", "heap", "--of", "lifetime", "--format", "csv"}).answers;
        QVERIFY2(csv.starts_with("kind,from_s,to_s,count,bytes,kept_count,kept_bytes,filter\n"), csv.c_str());
        QVERIFY2(has(csv, "\noutstanding,,,"), csv.c_str());
    }
    /// For every table, and for every kind of bars.
    void everyFilterThatIsOfferedWorks() {
        for (const std::string table : {"heap", "virtualalloc", "frees", "snapshot"}) {
            for (const std::string of : {"size", "lifetime"}) {
                const auto file = table == "snapshot" ? snapshotsFile() : exercise2File("plain");
                const std::vector<std::string> question{"histogram", file, "--table", table};
                const auto with = [&](std::vector<std::string> more) {
                    more.insert(more.begin(), question.begin(), question.end());
                    return runCli(more);
                };
                const auto answer = with({"--of", of, "--format", "json"});
                if (table == "snapshot" && of == "lifetime") {
                    QCOMPARE(answer.exitCode, 1);
                    QVERIFY2(has(answer.messages, "has no lifetimes"), answer.messages.c_str());
                    continue;
                }
                const auto bars = answer.json()["bars"];
                QVERIFY2(!bars.empty(), (table + " " + of + ": " + answer.messages).c_str());
                for (const auto& bar : bars) {
                    const auto filter = bar["filter"].get<std::string>();
                    const auto rows = with({"--format", "json", "--filter", filter});
                    QVERIFY2(rows.exitCode == 0, (filter + "\n" + rows.messages).c_str());
                    QVERIFY2(rows.json()["count"] == bar["count"] && rows.json()["bytes"] == bar["bytes"],
                             filter.c_str());
                }
            }
        }
    }
    void heapsListTheirCreatorsAndBlocks() {
        const auto answer = askJson({"heaps", "--no-symbols", "--range", "5:10"});
        QCOMPARE(answer["heap_count"], Json(3));
        std::uint64_t live = 0;
        for (const auto& heap : answer["heaps"])
            live += heap["bytes"].get<std::uint64_t>();
        QCOMPARE(Json(live), answer["bytes"]);
        const auto& first = answer["heaps"][0];
        QCOMPARE(first["handle"], Json("0x1d0000"));
        QCOMPARE(first["origin"], Json("recorded"));
        QVERIFY(first["slack_bytes"].is_null() && first["why_no_slack"].is_string());
        const auto none = ask({"heaps", "--no-symbols", "--filter", "Process:nobody"});
        QVERIFY(none.answers.find("0 heaps") != std::string::npos && !none.messages.empty());
        QCOMPARE(ask({"heaps", "--range", "9"}).exitCode, 1);
        const auto csv = ask({"heaps", "--no-symbols", "--format", "csv", "--top", "1"}).answers;
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{2});
    }
    void histogramRefusesSenselessOptions() {
        const auto exact = ask({"histogram", "--table", "heap", "--of", "lifetime", "--exact", "3"});
        QCOMPARE(exact.exitCode, 1);
        QVERIFY(has(exact.messages, "--exact applies only to sizes"));
        QCOMPARE(ask({"histogram", "--table", "nothing"}).exitCode, 1);
        QCOMPARE(ask({"histogram", "--table", "heap", "--range", "9"}).exitCode, 1);
        const auto nothing = ask({"histogram", "--table", "heap", "--filter", "Process:nobody"});
        QCOMPARE(nothing.exitCode, 0);
        QVERIFY2(has(nothing.messages, "filter"), nothing.messages.c_str());
    }
    void callersListBothSides() {
        const auto answer = askJson({"callers", "--function", "memorytestapp.exe!+0X1420", "--no-symbols"});
        QCOMPARE(answer["function"], "MemoryTestApp.exe!+0x1420");
        QCOMPARE(answer["count"], 957);
        QCOMPARE(answer["bytes"], 38280);
        QCOMPARE(answer["callers"][0]["level"], 1);
        QCOMPARE(answer["callers"][0]["function"], "MemoryTestApp.exe!+0x119c");
        QCOMPARE(answer["callees"][0]["function"], "MemoryTestApp.exe!+0x1620");
        QCOMPARE(answer["callees"][1]["level"], 2);
    }
    void callersWriteTextAsFarAsAsked() {
        const auto text =
            ask({"callers", "--function", "ntdll.dll!+0x1520", "--no-symbols", "--depth", "1", "--top", "1"}).answers;
        QVERIFY2(has(text, "\nCallers\n") && has(text, "\nCallees\n") &&
                     has(text, "(2 more functions are not listed; increase --top to list them)"),
                 text.c_str());
        const auto nothing = ask({"callers", "--function", "nothing!here", "--no-symbols"});
        QCOMPARE(nothing.exitCode, 1);
        QVERIFY(
            has(nothing.messages, "No stack contains the function \"nothing!here\" with this interval and filter."));
        QVERIFY2(!has(nothing.messages, "--table"), nothing.messages.c_str());
        QCOMPARE(ask({"callers", "--function", " "}).exitCode, 1);
    }
    /// Functions that allocate need not be those that free.
    void callersSayWhereElseTheFunctionIs() {
        const auto pages = ask({"callers", "--function", "ntoskrnl.exe!+0x1220", "--no-symbols"});
        QCOMPARE(pages.exitCode, 1);
        QVERIFY2(has(pages.messages, "Stacks that allocated contain it: --table virtualalloc."),
                 pages.messages.c_str());
        const auto frees = ask({"callers", "--function", "ntoskrnl.exe!+0x1320", "--no-symbols", "--table", "heap"});
        QVERIFY2(has(frees.messages, "Stacks that freed contain it: --table frees."), frees.messages.c_str());
        QCOMPARE(ask({"callers", "--function", "ntoskrnl.exe!+0x1320", "--no-symbols", "--table", "frees"}).exitCode,
                 0);
        const auto block =
            ask({"callers", "--function", "MemoryTestApp.exe!+0x1620", "--no-symbols", "--table", "frees"});
        QVERIFY2(has(block.messages, "No stack that freed contains the function") &&
                     has(block.messages, "Stacks that allocated contain it: --table heap."),
                 block.messages.c_str());
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = "a.exe", .mainTid = 11});
        trace.heapAlloc({fixtures::seconds(1), 10, 11}, 0x1D0000, {0x1E0000, 100}, "a.exe!main");
        trace.heapFree({fixtures::seconds(2), 10, 11}, 0x1D0000, 0x1E0000, "");
        trace.endsAt(fixtures::seconds(5));
        const auto path = temporaryPath("no_stacks_on_free.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto none = runCli({"callers", path, "--function", "a.exe!x", "--no-symbols", "--table", "frees"});
        QVERIFY2(has(none.messages, "Record with --stacks-on-free"), none.messages.c_str());
        QVERIFY(!has(block.messages, "--stacks-on-free"));
    }
    void anAddressOfAnotherProcessIsReported() {
        const auto other = ask({"address", "0x12000010", "--no-symbols", "--pid", "5300"});
        QCOMPARE(other.exitCode, 1);
        QVERIFY2(has(other.messages, "of process 5300 had this address") &&
                     has(other.messages,
                         "Another process used it 10 times: MemoryTestApp.exe (4242). Omit --pid to show it."),
                 other.messages.c_str());
        const auto nobody = ask({"address", "0x10", "--no-symbols", "--pid", "5300"});
        QVERIFY2(!has(nobody.messages, "used it"), nobody.messages.c_str());
    }
    void addressListsItsOwnersAndFrees() {
        const auto answer = askJson({"address", "0x12000010", "--no-symbols"});
        QCOMPARE(answer["count"], 10);
        const auto last = answer["uses"].back();
        QCOMPARE(last["table"], "virtualalloc");
        QCOMPARE(last["process"], kProcess);
        QCOMPARE(last["offset"], 16);
        QCOMPARE(last["begin_s"], 30.5);
        QCOMPARE(last["free_type"], "Decommit");
        QVERIFY(last["alloc_stack"].size() > 5 && last["free_stack"].size() > 5);
        QCOMPARE(askJson({"address", "12000010", "--no-symbols", "--top", "3"})["uses"].size(), std::size_t{3});
        QVERIFY(has(ask({"address", "12000010", "--no-symbols", "--top", "3"}).answers,
                    "10 uses; the newest 3 follow; increase --top to list more\n"));
        QVERIFY(has(ask({"address", "12000010", "--no-symbols"}).answers, ": 10 uses\n"));
        QCOMPARE(askJson({"address", "0x12000010", "--no-symbols", "--pid", "1"})["count"], 0);
    }
    void addressListsUnmatchedFrees() {
        const auto text = ask({"address", "0x2b9000", "--no-symbols"}).answers;
        QVERIFY2(has(text, "0x2b9000: 1 use\n") && has(text, "Unmatched free at "), text.c_str());
    }
    void addressReportsErrors() {
        const auto wrong = ask({"address", "nowhere"});
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY(has(wrong.messages, "The last argument must be the address"));
        const auto alone = runCli({"address", "0x10"});
        QCOMPARE(alone.exitCode, 1);
        QVERIFY(has(alone.messages, "TRACE is required"));
        const auto nothing = ask({"address", "0x10", "--no-symbols"});
        QVERIFY(has(nothing.messages, "No recorded memory had this address"));
        QCOMPARE(nothing.exitCode, 1);
    }
    void timelineShowsNewBytes() {
        const auto csv = ask({"timeline", "--table", "virtualalloc", "--measure", "new", "--points", "32", "--range",
                              ":32", "--filter", "Process:MemoryTestApp"})
                             .answers;
        QVERIFY(csv.starts_with("start_s,Freed,Kept\n"));
        QVERIFY2(has(csv, "\n3.0,10485760,0\n") && has(csv, "\n17.0,0,10485760\n"), csv.c_str());
        const auto json = askJson({"timeline", "--table", "heap", "--measure", "new", "--points", "1"});
        QCOMPARE(json["metric"], "new");
        QCOMPARE(json["unit"], "bytes");
        QCOMPARE(askJson({"timeline", "--table", "heap", "--measure", "rows", "--points", "1"})["unit"], "rows");
        QCOMPARE(ask({"timeline", "--table", "frees", "--measure", "new"}).exitCode, 1);
        QCOMPARE(ask({"timeline", "--table", "heap", "--measure", "new", "--by", "Process"}).exitCode, 1);
    }
    void temporaryAllocationsHaveAPreset() {
        const auto answer = askJson({"table", "--preset", "Temporary by Stack", "--no-symbols", "--depth", "1"});
        QCOMPARE(answer["rows"][0]["key"], "True");
        QCOMPARE(answer["rows"][0]["values"]["Count"], 4833);
    }
};
HIGHWATER_TEST(QuestionsTest);
#include "questions_test.moc"
