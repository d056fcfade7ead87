#include "app/cli/traces/loaded_trace.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QFile>
#include <QTest>

#include <functional>
#include <iterator>
#include <set>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

void writeFile(const std::string& path, const QByteArray& bytes) {
    QFile file(QString::fromStdString(path));
    if (file.open(QIODevice::WriteOnly)) file.write(bytes);
}

std::vector<std::string> heapTable(std::initializer_list<std::string> more) {
    std::vector<std::string> arguments{"table", exercise2File("plain"), "--table", "heap"};
    arguments.insert(arguments.end(), more);
    return arguments;
}

} // namespace

/// The contract of docs/numbers.md 6 for the real program: exit codes, streams, options.
class CommandLineTest : public QObject {
    Q_OBJECT
  private slots:
    void answersGoToOneStreamAndMessagesToTheOther() {
        const auto answer = runCliProgram({"info", exercise2File("plain"), "--json"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(answer.json().is_object());
        QVERIFY(has(answer.messages, "2 frees have no recorded allocation"));
        QVERIFY(has(runCliProgram({"--help"}).answers, "table"));
        QCOMPARE(runCliProgram({"--help"}).exitCode, 0);
    }

    void printsItsVersion() {
        const auto answer = runCliProgram({"--version"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.answers, "highwater-cli 0."));
    }

    void reportsLeftoversOfRecordings() {
        const auto answer = runCliProgram({"cleanup"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(!answer.answers.empty());
        QCOMPARE(runCliProgram({"cleanup", "everything"}).exitCode, 1);
    }

    void refusesInputThatIsNotATrace_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("sentence");
        const auto in = [](const char* name) { return QString::fromStdString(temporaryPath(name)); };
        writeFile(temporaryPath("empty.etl"), {});
        writeFile(temporaryPath("picture.png"), QByteArray("\x89PNG\r\n\x1a\n", 8) + QByteArray(4000, 'x'));
        writeFile(temporaryPath("text.etl"), QByteArray("Hello, this is not a trace.\n").repeated(200));
        QTest::newRow("missing") << in("missing.etl") << "missing.etl";
        QTest::newRow("folder") << QString::fromStdString(temporaryPath("")) << "folder";
        QTest::newRow("empty") << in("empty.etl") << "empty";
        QTest::newRow("picture") << in("picture.png") << "PNG";
        QTest::newRow("text")
            << in("text.etl")
            << "is a text file in a format that Highwater does not read. Highwater opens event traces (.etl";
    }
    void refusesInputThatIsNotATrace() {
        QFETCH(QString, path);
        QFETCH(QString, sentence);
        for (const auto& command : {std::vector<std::string>{"info", path.toStdString()},
                                    {"table", path.toStdString(), "--table", "heap", "--by", "Process"},
                                    {"timeline", path.toStdString(), "--table", "heap"}}) {
            const auto answer = runCliProgram(command);
            QCOMPARE(answer.exitCode, 2);
            QVERIFY(answer.answers.empty());
            QVERIFY2(has(answer.messages, sentence.toStdString()), answer.messages.c_str());
        }
    }

    void refusesWrongUsage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("nothing") << QStringList{} << "subcommand";
        QTest::newRow("unknown command") << QStringList{"frobnicate"} << "";
        QTest::newRow("unknown option") << QStringList{"info", "T", "--frobnicate"} << "frobnicate";
        QTest::newRow("misspelt option")
            << QStringList{"table", "T", "--tabel", "heap"}
            << "Unknown option --tabel. Did you mean --table?\nhighwater-cli: Run with --help";
        QTest::newRow("misspelt option with a value")
            << QStringList{"table", "T", "--table", "heap", "--by=Process", "--sotr=Size"}
            << "Unknown option --sotr. Did you mean --sort?\n";
        QTest::newRow("two that may be meant") << QStringList{"record", "--stop-aboth", "3"} << "--stop-above?";
        QTest::newRow("nothing like it") << QStringList{"info", "T", "--frobnicate"}
                                         << "Unknown option --frobnicate.\nhighwater-cli: Run with --help";
        QTest::newRow("option of the program") << QStringList{"--verison"} << "Did you mean --version?";
        QTest::newRow("option without a value")
            << QStringList{"table", "T", "--by", "Process", "--table"}
            << "highwater-cli: --table has no value.\nhighwater-cli: Run with --help";
        QTest::newRow("short option without a value")
            << QStringList{"record", "-o"} << "highwater-cli: -o has no value.\n";
        QTest::newRow("option in place of a value")
            << QStringList{"table", "T", "--by", "--table", "heap"} << "highwater-cli: --by has no value.\n";
        QTest::newRow("no trace") << QStringList{"info"} << "TRACE";
        const QStringList heap{"table", "T", "--table", "heap"};
        QTest::newRow("no keys") << heap << "--by";
        QTest::newRow("empty keys") << heap + QStringList{"--by", ""} << "columns to group by";
        QTest::newRow("table") << QStringList{"table", "T", "--table", "stack", "--by", "Process"}
                               << "virtualalloc, heap, frees";
        QTest::newRow("column") << heap + QStringList{"--by", "Proces"} << "Process, Process Name";
        QTest::newRow("aggregate as key") << heap + QStringList{"--by", "Count"} << "group by";
        QTest::newRow("value column") << heap + QStringList{"--by", "Process", "--columns", "Count,Sise"}
                                      << "Impacting Size";
        QTest::newRow("sort column") << heap + QStringList{"--by", "Process", "--sort", "Sise:asc"} << "Sise";
        QTest::newRow("sort direction") << heap + QStringList{"--by", "Process", "--sort", "Size:up"} << "asc and desc";
        QTest::newRow("range text") << heap + QStringList{"--by", "Process", "--range", "early:late"} << "START:END";
        QTest::newRow("range half") << heap + QStringList{"--by", "Process", "--range", "5"} << "START:END";
        QTest::newRow("range nan") << heap + QStringList{"--by", "Process", "--range", "nan:inf"} << "START:END";
        QTest::newRow("range huge") << heap + QStringList{"--by", "Process", "--range", "1e300:"} << "START:END";
        QTest::newRow("range backwards") << heap + QStringList{"--by", "Process", "--range", "5:4"}
                                         << "start before it ends";
        QTest::newRow("depth 0") << heap + QStringList{"--by", "Process", "--depth", "0"} << "depth";
        QTest::newRow("depth text") << heap + QStringList{"--by", "Process", "--depth", "x"} << "depth";
        QTest::newRow("top negative") << heap + QStringList{"--by", "Process", "--top", "-1"} << "top";
        QTest::newRow("format") << heap + QStringList{"--by", "Process", "--format", "xml"} << "format";
        QTest::newRow("filter") << heap + QStringList{"--by", "Process", "--filter", "[Size]:>"}
                                << "A value is missing";
        QTest::newRow("points 0") << QStringList{"timeline", "T", "--table", "heap", "--points", "0"} << "points";
        QTest::newRow("two series columns")
            << QStringList{"timeline", "T", "--table", "heap", "--by", "Process,Handle"} << "one column";
    }
    void refusesWrongUsage() {
        QFETCH(QStringList, arguments);
        QFETCH(QString, sentence);
        std::vector<std::string> list;
        for (const auto& argument : arguments) {
            list.push_back(argument == "T" ? exercise2File("plain") : argument.toStdString());
        }
        const auto answer = runCliProgram(list);
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(answer.answers.empty());
        QVERIFY2(has(answer.messages, sentence.toStdString()), answer.messages.c_str());
    }

    void rangeBeyondTheTraceIsWrongUsage() {
        const auto answer = runCli(heapTable({"--by", "Process", "--range", "40:"}));
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(has(answer.messages, "The range \"40:\" is outside the trace, which covers 0 s to 34 s (exclusive)."));
    }

    void anIntervalOutsideTheTraceIsWrongUsage() {
        for (const std::string command : {"table", "timeline"}) {
            const auto answer =
                runCli({command, exercise2File("plain"), "--table", "heap", "--by", "Process", "--range", "100:200"});
            QCOMPARE(answer.exitCode, 1);
            QVERIFY2(has(answer.messages,
                         "The interval 100 s to 200 s is outside the trace, which covers 0 s to 34 s (exclusive)."),
                     answer.messages.c_str());
        }
    }

    void timelinesEndBlocksWithTheirProcessWhenAsked() {
        const auto lastOf = [](std::vector<std::string> more) {
            std::vector<std::string> arguments{
                "timeline", exercise2File("plain"), "--table", "heap", "--by", "Process", "--points", "34", "--format",
                "json"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            const auto answer = runCli(arguments).json();
            for (const auto& series : answer["series"]) {
                if (series["name"].get<std::string>() == kProcess)
                    return series["points"].back().back().get<std::int64_t>();
            }
            return std::int64_t{-1};
        };
        QCOMPARE(lastOf({}), std::int64_t{143'360});
        QCOMPARE(lastOf({"--process-exit-frees-heap"}), std::int64_t{0});
    }
    void saysThatNothingMatches() {
        const auto table = runCli(heapTable({"--by", "Process", "--filter", "nobody"}));
        QCOMPARE(table.exitCode, 0);
        const auto* why = "Nothing matches --filter 'nobody'. Remove it to see all rows of the interval.";
        QVERIFY(has(table.messages, why));
        const auto timeline = runCli({"timeline", exercise2File("plain"), "--table", "heap", "--filter", "nobody"});
        QVERIFY(has(timeline.messages, why));
        const auto both = runCli(heapTable({"--by", "Process", "--filter", "nobody", "--size", "1:2"}));
        QVERIFY(has(both.messages, "Nothing matches --filter 'nobody' and --size '1:2' together. Remove one of them"));
        const auto some = runCli(heapTable({"--by", "Process"}));
        QVERIFY(!has(some.messages, "Nothing"));
    }

    void aConditionAboutNoColumnIsWrongUsage() {
        const auto answer = runCli(heapTable({"--by", "Process", "--filter", "Foo>100"}));
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "no column \"Foo\""), answer.messages.c_str());
        QVERIFY(has(answer.messages, "put it in quotes"));
    }

    void ndjsonHasEveryRowOfTheTree() {
        const auto by = "Process,Impacting Type,Stack";
        const auto tree = runCli(heapTable({"--by", by, "--format", "json"})).json();
        std::vector<Json> expected;
        const std::function<void(const Json&, const Json&)> walk = [&](const Json& rows, const Json& above) {
            for (const auto& row : rows) {
                auto path = above;
                path.push_back(row["key"]);
                expected.push_back({{"path", path},
                                    {"column", row["column"]},
                                    {"level", path.size()},
                                    {"leaf", row["rows"].empty()},
                                    {"values", row["values"]}});
                walk(row["rows"], path);
            }
        };
        walk(tree["rows"], Json::array());
        std::istringstream lines(runCli(heapTable({"--by", by, "--format", "ndjson"})).answers);
        std::vector<Json> written;
        for (std::string line; std::getline(lines, line);)
            written.push_back(Json::parse(line));
        QVERIFY(expected.size() > 10);
        QCOMPARE(written.front()["interval"], tree["interval"]);
        QCOMPARE(written.back()["health"], tree["health"]);
        QCOMPARE(std::vector(written.begin() + 1, written.end() - 1), expected);
    }

    void leavesAddUpToTheWhole() {
        const auto whole = runCli(heapTable({"--by", "Process", "--format", "json"})).json();
        std::int64_t all = 0, ofLeaves = 0;
        for (const auto& row : whole["rows"])
            all += row["values"]["Count"].get<std::int64_t>();
        const auto leaves = runCli(heapTable({"--by", "Process,Stack", "--leaves", "--format", "json"})).json();
        for (const auto& row : leaves["rows"])
            ofLeaves += row["values"]["Count"].get<std::int64_t>();
        QVERIFY(leaves["rows"].size() > whole["rows"].size());
        QCOMPARE(ofLeaves, all);
        std::istringstream lines(
            runCli(heapTable({"--by", "Process,Stack", "--leaves", "--format", "ndjson"})).answers);
        std::int64_t ofLines = 0;
        for (std::string line; std::getline(lines, line);) {
            const auto row = Json::parse(line);
            if (row.value("leaf", false)) ofLines += row["values"]["Count"].get<std::int64_t>();
        }
        QCOMPARE(ofLines, all);
        QCOMPARE(runCli(heapTable({"--by", "Process", "--leaves", "--depth", "1"})).exitCode, 1);
        QCOMPARE(runCli(heapTable({"--by", "Process", "--leaves", "--top", "1"})).exitCode, 1);
    }

    void everyAnswerInJsonHasItsVersionAndItsHealth() {
        const auto file = exercise2File("plain");
        for (const auto& command : std::vector<std::vector<std::string>>{
                 {"info", file, "--json"},
                 {"table", file, "--table", "heap", "--by", "Process", "--format", "json"},
                 {"timeline", file, "--table", "heap", "--points", "2", "--format", "json"}}) {
            const auto answer = runCli(command).json();
            QCOMPARE(answer["schema_version"], Json(1));
            QCOMPARE(lossOf(answer, "unmatched frees"), std::uint64_t{2});
            QCOMPARE(answer["health"][0]["severity"], Json("note"));
        }
    }

    void aTimelineOfFreesNamesItsMeasure() {
        const auto answer =
            runCli({"timeline", exercise2File("plain"), "--table", "frees", "--points", "2", "--format", "json"});
        QCOMPARE(answer.json()["metric"], Json("released"));
        QVERIFY(has(answer.messages, "released"));
    }

    void acceptsAliasesAndAnswersWithNamesOfTheTable() {
        const auto answer = runCli({"table", exercise2File("plain"), "--table", "virtualalloc", "--by",
                                    "process,thread", "--columns", "peak size", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto thread = rowAt(answer.json(), {"MemoryTestApp.exe (4242)", "4243"});
        QCOMPARE(thread["column"], Json("Committing ThreadId"));
        QCOMPARE(thread["values"]["Peak Size"], Json(31 * 1048576));
    }

    void depthCountsFramesAsLevels() {
        const auto answer =
            runCli(heapTable({"--by", "Process,Stack,Handle", "--depth", "3", "--format", "json"})).json();
        const auto process = rowAt(answer, {"MemoryTestApp.exe (4242)"});
        QVERIFY(!process["rows"].empty());
        for (const auto& frame : process["rows"]) {
            QCOMPARE(frame["column"], Json("Stack"));
            for (const auto& next : frame["rows"]) {
                QVERIFY(next["rows"].empty());
            }
        }
    }

    void topSumsUpTheRest() {
        const auto all = runCli(heapTable({"--by", "Process,Handle", "--format", "json"})).json();
        const auto answer = runCli(heapTable({"--by", "Handle,Allocation Size", "--top", "2", "--columns",
                                              "Count,Size,Peak Size,AllocTime", "--format", "json"}))
                                .json();
        QCOMPARE(all["rows"].size(), std::size_t{2});
        // Sizes of the growing heap, both processes: 100 of 1000, 242 of 390 (the largest sums), 957 of 40, one of 460.
        const auto rows = rowAt(answer, {"0x1d0000"})["rows"];
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[0]["key"], Json("1000"));
        QCOMPARE(rows[1]["key"], Json("390"));
        QCOMPARE(rows[2]["key"], Json("(2 more)"));
        QCOMPARE(rows[2]["column"], Json("Allocation Size"));
        QCOMPARE(rows[2]["values"]["Count"], Json(958));
        QCOMPARE(rows[2]["values"]["Size"], Json(38'280 + 460));
        QVERIFY(rows[2]["values"]["Peak Size"].is_null());
        QVERIFY(rows[2]["values"]["AllocTime"].is_null());
        QVERIFY(rows[2]["rows"].empty());
    }

    void sortsAsAsked() {
        const auto answer =
            runCli(heapTable({"--by", "Allocation Size", "--sort", "Count:asc,Size:desc", "--format", "json"})).json();
        std::vector<std::string> keys;
        for (const auto& row : answer["rows"]) {
            keys.push_back(row["key"]);
        }
        // Count 1: 460, 200, 100; then 40 of 256, 100 of 1000, 242 of 390, 957 of 40, 5000 of 64.
        QCOMPARE(keys, (std::vector<std::string>{"460", "200", "100", "256", "1000", "390", "40", "64"}));
    }

    void bottomUpStacksLeaveOutTheFramesOfAFile() {
        const auto path = temporaryPath("frames.txt");
        writeFile(path, "# what allocates\nntdll.dll!*\nucrtbase.dll!*\nnonsense\n");
        const auto answer = runCli(heapTable(
            {"--by", "Process,Stack (bottom-up)", "--depth", "2", "--allocator-frames", path, "--format", "json"}));
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.messages, "nonsense"));
        // operator new of both loops: 957 and 5,041 blocks.
        QCOMPARE(rowAt(answer.json(), {"MemoryTestApp.exe (4242)", "MemoryTestApp.exe!+0x1620"})["values"]["Count"],
                 Json(5998));
        QCOMPARE(runCli(heapTable({"--by", "Process", "--allocator-frames", path + ".missing"})).exitCode, 2);
    }

    void aFolderOfAllocatorFramesCannotBeRead() {
        const auto answer = runCliProgram(heapTable({"--by", "Process", "--allocator-frames", temporaryPath("")}));
        QCOMPARE(answer.exitCode, 2);
        QVERIFY(answer.answers.empty());
        QVERIFY(has(answer.messages, "Cannot read"));
    }

    void countsOutOfRangeAreRefusedInOneShortLine() {
        for (const auto* option : {"--depth", "--top"}) {
            const auto answer = runCli(heapTable({"--by", "Process", option, "0"}));
            QCOMPARE(answer.exitCode, 1);
            QVERIFY(has(answer.messages, "not in range 1 to 4294967295"));
        }
    }

    void aTimelineOfTooManyPointsIsRefused() {
        const auto answer = runCli(
            {"timeline", exercise2File("plain"), "--table", "heap", "--by", "AllocTime", "--points", "10000000"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(answer.answers.empty());
        QVERIFY(has(answer.messages, "series"));
    }

    void helpOfACommandIsItsHelp() {
        // The order in which CLI11 lists an option's exclusions is that of addresses.
        const auto words = [](const std::vector<std::string>& arguments) {
            std::istringstream answer(runCli(arguments).answers);
            return std::multiset<std::string>(std::istream_iterator<std::string>(answer), {});
        };
        QVERIFY(words({"help", "table"}).contains("--list-presets"));
        QCOMPARE(words({"help", "table"}), words({"table", "--help"}));
        QCOMPARE(words({"help"}), words({"--help"}));
        QVERIFY(has(runCli({"help", "stacks"}).messages, "Unknown command \"stacks\"."));
    }
    void anUnknownCommandIsNamed() {
        const auto answer = runCli({"stacks", "--heap", "-o", "x.etl"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(answer.answers.empty());
        QCOMPARE(
            answer.messages,
            std::string("highwater-cli: Unknown command \"stacks\". Commands: info, table, timeline, leaks, "
                        "generations, explain, diff, flames, histogram, callers, heaps, balance, holders, address, "
                        "crop, pprof, sqlite, report, fleet, check, record, picture, cleanup.\n"));
    }

    void aCommandThatIsSpelledAlikeIsProposed() {
        const auto answer = runCli({"leak", "x.etl"});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY2(has(answer.messages, "Unknown command \"leak\". Did you mean leaks? Commands: info, "),
                 answer.messages.c_str());
    }
    void whatIsRequiredIsASentence() {
        QVERIFY(has(runCli({"info"}).messages, "TRACE is required.\nhighwater-cli: Run with --help"));
    }

    void aFileNamedTwiceIsWrongUsage() {
        const auto file = exercise2File("plain");
        const auto answer = runCli({"info", file, file});
        QCOMPARE(answer.exitCode, 1);
        QVERIFY(has(answer.messages, "specified twice"));
    }

    void symbolsAreOnOrOff() {
        QCOMPARE(runCli(heapTable({"--by", "Process", "--no-symbols"})).exitCode, 0);
        QCOMPARE(runCli(heapTable({"--by", "Process", "--no-symbols", "--symbols", "a"})).exitCode, 1);
    }

    void textIsForReaders() {
        const auto total = [](std::initializer_list<std::string> more) {
            std::vector<std::string> arguments{
                "table",     exercise2File("plain"), "--table", "virtualalloc", "--by", "Process",
                "--columns", "Count,Size,Peak Size"};
            arguments.insert(arguments.end(), more.begin(), more.end());
            const auto lines = QString::fromStdString(runCli(arguments).answers).split('\n', Qt::SkipEmptyParts);
            return lines.last().simplified();
        };
        QCOMPARE(total({}), QString("Total 70 150,863,872 49,283,072"));
        QCOMPARE(total({"--top", "1"}), QString("Total 70 150,863,872 49,283,072"));
        QCOMPARE(total({"--leaves"}), QString("Total 70 150,863,872 49,283,072"));
        QCOMPARE(total({"--units", "exact"}), QString("Total 70 150863872 49283072"));
        QCOMPARE(total({"--units", "auto"}), QString("Total 70 143.9 MB 47.0 MB"));
        QCOMPARE(runCli(heapTable({"--by", "Process", "--units", "MB"})).exitCode, 1);
    }

    /// Also for CLI11's own messages about options.
    void everyMessageHasTheNameOfTheProgram() {
        const auto file = exercise2File("plain");
        for (const auto& command : {std::vector<std::string>{},
                                    {"info"},
                                    {"info", file, "--frobnicate"},
                                    {"table", file, "--format", "xml"},
                                    {"frobnicate"},
                                    {"table", file, "--table", "stack", "--by", "Process"}}) {
            const auto told = runCli(command);
            QCOMPARE(told.exitCode, 1);
            const auto lines = QString::fromStdString(told.messages).split('\n', Qt::SkipEmptyParts);
            QVERIFY(!lines.empty());
            for (const auto& line : lines)
                QVERIFY2(line.startsWith("highwater-cli: "), qPrintable(line));
        }
        QVERIFY(!has(runCli({"--help"}).answers, "highwater-cli: "));
    }

    /// A filter on sizes and processes does not need names.
    void onlyAFilterThatReadsFramesLooksForNames() {
        const auto messages = [](const char* filter) {
            return runCli({"timeline", exercise2File("plain"), "--table", "heap", "--filter", filter}).messages +
                   runCli({"table", exercise2File("plain"), "--table", "heap", "--by", "Process", "--filter", filter})
                       .messages;
        };
        const auto path = qgetenv("_NT_SYMBOL_PATH");
        qunsetenv("_NT_SYMBOL_PATH");
        const auto plain = messages("Size:>1 AND Process:~=chrome");
        const auto byFrames = messages("[Stack]:~=main");
        const auto anyText = messages("main"); // a stack may contain it
        if (!path.isEmpty()) qputenv("_NT_SYMBOL_PATH", path);
        QVERIFY2(!has(plain, "Functions have no names"), plain.c_str());
        QVERIFY2(has(byFrames, "Functions have no names"), byFrames.c_str());
        QVERIFY2(has(anyText, "Functions have no names"), anyText.c_str());
    }

    void wallClockIsTheLocalTimeOfTheRecording() {
        const auto csv =
            runCli(heapTable({"--by", "Process", "--wall-clock", "--columns", "Min(AllocTime)", "--format", "csv"}));
        QCOMPARE(csv.exitCode, 0);
        QVERIFY2(has(csv.answers, "MemoryTestApp.exe (4242),2024-01-17 21:20:02.0005000+00:00,1\n"),
                 csv.answers.c_str());
        const auto timeline =
            runCli({"timeline", exercise2File("plain"), "--table", "heap", "--points", "2", "--wall-clock"});
        QVERIFY2(has(timeline.answers, "start,Total\n2024-01-17 21:20:00.0000000+00:00,"), timeline.answers.c_str());
        for (const auto* format : {"json", "ndjson"}) {
            const auto json = runCli(heapTable({"--by", "Process", "--wall-clock", "--format", format}));
            QCOMPARE(json.exitCode, 1);
            QVERIFY(has(json.messages, "--wall-clock works only with text and CSV"));
        }
    }

    void aTraceWithoutAWallClockIsRefused() {
        const auto refused = cli::wallClock(true, "text", TraceProperties{});
        QVERIFY(!refused.hasValue());
        QCOMPARE(refused.error().kind, ErrorKind::Usage);
        QCOMPARE(
            refused.error().message,
            std::string("Wall-clock times are not available because the trace does not contain its recording time."));
        QVERIFY(cli::wallClock(false, "json", TraceProperties{}).hasValue());
    }

    void timelineHasExactlyAsManySlices() {
        for (const unsigned points : {1u, 7u, 1000u}) {
            const auto answer = runCli({"timeline", exercise2File("plain"), "--table", "heap", "--points",
                                        std::to_string(points), "--range", "1:2", "--format", "json"});
            QCOMPARE(answer.json()["series"][0]["points"].size(), std::size_t{points});
            QCOMPARE(answer.json()["interval"], Json({{"start", 1.0}, {"end", 2.0}}));
        }
        const auto csv = runCli({"timeline", exercise2File("plain"), "--table", "virtualalloc", "--points", "4"});
        QCOMPARE(std::count(csv.answers.begin(), csv.answers.end(), '\n'), std::ptrdiff_t{5});
        QVERIFY(has(csv.answers, "start_s,"));
    }

    void exampleProgramRefusesUnknownVariants() {
        QCOMPARE(runProgram(HIGHWATER_EXAMPLE, {temporaryPath("x.etl"), "--variant", "nonsense"}).exitCode, 1);
        QCOMPARE(runProgram(HIGHWATER_EXAMPLE, {temporaryPath("no/such/folder.etl")}).exitCode, 2);
        QCOMPARE(runProgram(HIGHWATER_EXAMPLE, {temporaryPath("x.etl"), "--variant", "keys"}).exitCode, 0);
    }
    void exampleProgramsSayWhatIsWrong() {
        const auto messages = [](const char* program, const std::vector<std::string>& arguments) {
            const auto answer = runProgram(program, arguments);
            return answer.exitCode == 1 ? answer.messages : std::string("another exit code");
        };
        const auto file = temporaryPath("x.etl");
        const auto start = [](const std::string& text) { return text.substr(0, text.find('\n')); };
        QCOMPARE(start(messages(HIGHWATER_EXAMPLE, {file, "--variant"})),
                 std::string("highwater-example: --variant has no value."));
        QCOMPARE(start(messages(HIGHWATER_EXAMPLE, {file, "--variety", "keys"})),
                 std::string("highwater-example: Unknown option --variety."));
        QCOMPARE(start(messages(HIGHWATER_EXAMPLE, {})),
                 std::string("highwater-example: No output file is specified."));
        QCOMPARE(start(messages(HIGHWATER_MEMORY_TEST_APP, {"--seconds"})),
                 std::string("memory_test_app: --seconds expects a number greater than 0."));
        QCOMPARE(start(messages(HIGHWATER_MEMORY_TEST_APP, {"--minutes", "2"})),
                 std::string("memory_test_app: Unknown option --minutes."));
    }
};
HIGHWATER_TEST(CommandLineTest);
#include "command_line_test.moc"
