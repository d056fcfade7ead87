#include "core/analysis/difference/renames.h"
#include "core/export/shell_words.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Blocks of one function, in a module of its own: it makes one block of each of these sizes, one each tenth of a
/// second.
struct Blocks {
    std::string module;
    std::vector<ByteCount> sizes;
};

/// A recording of a.exe as a file; nothing is freed.
std::string blocksFile(const std::string& name, const std::vector<Blocks>& blocks, std::uint32_t pid = 10,
                       double seconds = 5) {
    fixtures::TraceBuilder trace;
    std::vector<std::string> modules{"ntdll.dll"};
    for (const auto& [module, sizes] : blocks)
        modules.push_back(module + ".exe");
    trace.processStarts(fixtures::seconds(0.1), {.pid = pid, .name = "a.exe", .mainTid = pid + 1, .modules = modules});
    Address address = 0x1E0000 + pid * 0x1000;
    for (const auto& [module, sizes] : blocks) {
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            trace.heapAlloc({fixtures::seconds(0.2 + 0.1 * static_cast<double>(i)), pid, pid + 1},
                            0x1D0000 + pid * 0x100, {address, sizes[i]},
                            "a.exe!main;" + module + ".exe!run;ntdll.dll!RtlAllocateHeap");
            address += 0x1000;
        }
    }
    trace.endsAt(fixtures::seconds(seconds));
    const auto path = temporaryPath(name);
    const auto written = trace.writeTo(path);
    if (!written.hasValue()) qFatal("%s", written.error().message.c_str());
    return path;
}

/// A program of this name that makes a block.
std::string programFile(const std::string& name, const std::string& program) {
    fixtures::TraceBuilder trace;
    trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = program, .mainTid = 11, .modules = {"ntdll.dll"}});
    trace.heapAlloc({fixtures::seconds(1), 10, 11}, 0x1D0000, {0x1E0000, 100},
                    program + "!main;ntdll.dll!RtlAllocateHeap");
    trace.endsAt(fixtures::seconds(5));
    const auto path = temporaryPath(name);
    if (!trace.writeTo(path).hasValue()) qFatal("cannot write");
    return path;
}

std::string textFile(const std::string& name, const std::string& text) {
    const auto path = temporaryPath(name);
    std::ofstream(path) << text;
    return path;
}

Answer diff(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "diff");
    arguments.emplace_back("--no-symbols");
    return runCli(arguments);
}

Json diffJson(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto answer = diff(arguments);
    if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
    return answer.json();
}

/// Every row of the tree.
void visitRows(const Json& rows, const std::function<void(const Json&)>& visit) {
    for (const auto& row : rows) {
        visit(row);
        visitRows(row["rows"], visit);
    }
}

std::vector<std::string> rowLines(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

} // namespace

class DiffCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;

  private slots:
    void initTestCase() { exercise_ = exercise2File("plain"); }

    /// The numbers of each side are those of `table` with the same range.
    void bothSidesEqualTheTable() {
        const std::vector<std::string> ranges{"0:12", "12:30"};
        const auto answer = diffJson({exercise_, "--range", ranges[0], "--with-range", ranges[1], "--table", "heap",
                                      "--by", "Process Name,Stack"});
        std::size_t compared = 0;
        const std::vector<std::string> sides{"before", "after"};
        for (std::size_t side = 0; side < 2; ++side) {
            const auto table = runCli({"table", exercise_, "--table", "heap", "--by", "Process Name,Stack", "--range",
                                       ranges[side], "--columns", "Count,Size,Impacting Size,Peak Size,Allocated",
                                       "--no-symbols", "--format", "json"})
                                   .json();
            const std::function<void(const Json&, const Json&)> compare = [&](const Json& ours, const Json& theirs) {
                for (const auto& row : theirs) {
                    const auto mine = rowWithKey(ours, row["key"].get<std::string>());
                    QVERIFY2(!mine.is_null(), row["key"].dump().c_str());
                    for (const auto* name : {"Count", "Size", "Impacting Size", "Peak Size", "Allocated"})
                        QCOMPARE(mine["values"][name][sides[side]], row["values"][name]);
                    ++compared;
                    compare(mine["rows"], row["rows"]);
                }
            };
            compare(answer["rows"], table["rows"]);
        }
        QVERIFY2(compared > 40, QByteArray::number(compared).constData());
        visitRows(answer["rows"], [](const Json& row) {
            for (const auto& [name, change] : row["values"].items())
                QCOMPARE(change["delta"].get<std::int64_t>(),
                         change["after"].get<std::int64_t>() - change["before"].get<std::int64_t>());
        });
        QCOMPARE(answer["before"]["traces"][0]["interval"]["end"], Json(12.0));
        QCOMPARE(answer["after"]["seconds"], Json(18.0));
    }

    void anotherRunIsTheSameWhateverItsPid() {
        const std::vector<Blocks> blocks{{"keeps", {10, 20, 30}}, {"grows", {40}}};
        const auto before = blocksFile("pid10.etl", blocks, 10);
        const auto after = blocksFile("pid77.etl", blocks, 77);
        const auto answer = diffJson({before, "--with", after});
        QCOMPARE(answer["rows"].size(), std::size_t{1});
        QCOMPARE(answer["rows"][0]["key"], Json("a.exe"));
        visitRows(answer["rows"], [](const Json& row) { QCOMPARE(row["state"], Json("same")); });
        QCOMPARE(answer["total"]["values"]["Outstanding"]["after"], Json(100));
        QVERIFY(answer["owners"].empty());
        QCOMPARE(answer["health"][0]["id"], Json("noise_unknown"));
    }

    void grownRowsComeFirst() {
        const auto before = blocksFile("b.etl", {{"keeps", {10, 20}}, {"grows", {40}}, {"goes", {5}}});
        const auto after = blocksFile("a.etl", {{"keeps", {10, 20}}, {"grows", {40, 4}}, {"comes", {3}}}, 20);
        const auto answer = diffJson({before, "--with", after, "--bottom-up"});
        const auto& rows = answer["rows"][0]["rows"];
        std::vector<std::string> states;
        for (const auto& row : rows)
            states.push_back(row["state"].get<std::string>() + row["values"]["Outstanding"]["delta"].dump());
        QCOMPARE(states, (std::vector<std::string>{"grown4", "new3", "gone-5", "same0"}));
        QCOMPARE(answer["owners"].size(), std::size_t{3});
        QCOMPARE(answer["owners"][0]["delta"], Json(4));
        const auto rising = diffJson({before, "--with", after, "--bottom-up", "--sort", "Outstanding:asc"});
        QCOMPARE(rising["rows"][0]["rows"][0]["state"], Json("gone"));
        const auto top = diffJson({before, "--with", after, "--bottom-up", "--top", "1", "--depth", "2"});
        QCOMPARE(top["rows"][0]["rows"][1]["key"], Json("(3 more)"));
        QCOMPARE(top["rows"][0]["rows"][1]["state"], Json());
        QCOMPARE(top["rows"][0]["rows"][1]["values"]["Outstanding"]["delta"], Json(-2));
        QCOMPARE(top["rows"][0]["rows"][1]["values"]["Peak Size"], Json());
        QVERIFY(top["rows"][0]["rows"][0]["rows"].empty());
        const auto large = diffJson({before, "--with", after, "--smallest", "5"});
        QCOMPARE(large["rows"][0]["state"], Json("same"));
        const auto filtered = diffJson({before, "--with", after, "--filter", "Size:>10"});
        QCOMPARE(filtered["total"]["values"]["Outstanding"]["before"], Json(60));
    }

    void severalRecordingsMeasureNoise() {
        std::vector<std::string> arguments;
        for (int i = 0; i < 3; ++i)
            arguments.push_back(
                blocksFile("noise" + std::to_string(i) + ".etl",
                           {{"noisy", {ByteCount(100 + 30 * i)}}, {"leaks", std::vector<ByteCount>(10, 8)}}, 10 + i));
        arguments.emplace_back("--with");
        for (int i = 0; i < 3; ++i)
            arguments.push_back(
                blocksFile("noise" + std::to_string(3 + i) + ".etl",
                           {{"noisy", {ByteCount(110 + 35 * i)}}, {"leaks", std::vector<ByteCount>(11, 8)}}, 20 + i));
        arguments.emplace_back("--bottom-up");
        const auto answer = diffJson(arguments);
        const auto& rows = answer["rows"][0]["rows"];
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0]["state"], Json("grown"));
        QCOMPARE(rows[0]["values"]["Outstanding"]["delta"], Json(8));
        QCOMPARE(rows[1]["state"], Json("within_noise"));
        QCOMPARE(rows[1]["values"]["Outstanding"]["before"], Json(130));
        QCOMPARE(rows[1]["values"]["Outstanding"]["after"], Json(145));
        QCOMPARE(answer["before"]["traces"].size(), std::size_t{3});
        QCOMPARE(answer["owners"].size(), std::size_t{1});
        arguments.insert(arguments.end(), {"--fail-above", "5"});
        const auto failed = diff(arguments);
        QCOMPARE(failed.exitCode, 4);
        QVERIFY2(!has(failed.messages, "The total grew"), failed.messages.c_str()); // that is noise
    }

    void growthAboveALimitIsAnExitCode() {
        const auto before = blocksFile("limit_b.etl", {{"keeps", {10, 20}}, {"grows", {4000}}});
        const auto after = blocksFile("limit_a.etl", {{"keeps", {10}}, {"grows", {4000, 2000}}});
        auto answer = diff({before, "--with", after, "--fail-above", "1KB"});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY2(has(answer.messages,
                     "The total grew by 1,980 bytes, more than 1,024: Outstanding was 4,030 before and is "
                     "6,010 after."),
                 answer.messages.c_str());
        QVERIFY2(has(answer.messages, "of a.exe grew by 2,000 bytes, more than 1,024: Outstanding was 4,000"),
                 answer.messages.c_str());
        answer = diff({before, "--with", after, "--fail-above", "1990"});
        QCOMPARE(answer.exitCode, 4);
        QVERIFY(!has(answer.messages, "The total grew"));
        QCOMPARE(diff({before, "--with", after, "--fail-above", "2000"}).exitCode, 0);
        QCOMPARE(diff({before, "--with", after, "--fail-above", "1", "--sort", "Count"}).exitCode, 1);
        QCOMPARE(diff({after, "--with", before, "--fail-above", "0"}).exitCode, 4); // kept
        const auto lossy = exercise2File("lossy");
        QCOMPARE(diff({lossy, "--range", ":17", "--with-range", "17:", "--strict", "--fail-above", "1"}).exitCode, 3);
        QCOMPARE(diff({lossy, "--range", ":17", "--with-range", "17:", "--fail-above", "1"}).exitCode, 4);
    }

    void textIsATree() {
        const auto before = blocksFile("text_b.etl", {{"keeps", {10, 20}}, {"grows", {4000}}});
        const auto after = blocksFile("text_a.etl", {{"keeps", {10, 20}}, {"grows", {4000, 2000}}}, 10, 10);
        const auto answer = diff({before, "--with", after});
        const auto lines = rowLines(answer.answers);
        QCOMPARE(lines[0], std::string("Heap Allocations"));
        QVERIFY2(lines[1].starts_with("before: ") && has(lines[1], "text_b.etl, 0.000000000 s to 5.000000000 s"),
                 lines[1].c_str());
        QVERIFY2(has(lines[4], "Outstanding before  after   delta  before/s  after/s  Count before  after  delta"),
                 lines[4].c_str());
        QVERIFY2(
            has(lines[5], "Grown               4,030  6,030  +2,000       806      603             3      4     +1"),
            lines[5].c_str());
        QVERIFY2(has(answer.answers, "|- grows.exe!"), answer.answers.c_str());
        QVERIFY(lines.back().starts_with("Total"));
        QVERIFY(has(answer.messages, "The intervals differ in length: 5.000 s before and 10.000 s after."));
        QVERIFY(has(answer.messages, "With one trace per side"));
        QVERIFY(!has(diff({before, "--with", before}).messages, "differ in length"));
    }

    void csvAndNdjsonHaveARowALine() {
        const auto before = blocksFile("rows_b.etl", {{"keeps", {10, 20}}, {"grows", {4000}}});
        const auto after = blocksFile("rows_a.etl", {{"keeps", {10, 20}}, {"grows", {4000, 2000}}});
        std::size_t rows = 0;
        visitRows(diffJson({before, "--with", after})["rows"], [&](const Json&) { ++rows; });
        const auto csv = rowLines(diff({before, "--with", after, "--format", "csv"}).answers);
        QCOMPARE(csv.size(), rows + 1);
        QVERIFY(csv[0].starts_with("Process,Stack,State,Outstanding before,Outstanding after,Outstanding delta,"));
        const auto fields = std::count(csv[0].begin(), csv[0].end(), ',');
        for (const auto& line : csv)
            QCOMPARE(std::count(line.begin(), line.end(), ','), fields);
        QVERIFY2(csv[1].starts_with("a.exe,,grown,4030,6030,2000,806.000,1206.000,"), csv[1].c_str());
        const auto ndjson = rowLines(diff({before, "--with", after, "--format", "ndjson"}).answers);
        QCOMPARE(ndjson.size(), rows + 2);
        const auto first = Json::parse(ndjson[1]);
        QCOMPARE(first["path"], Json(std::vector<std::string>{"a.exe"}));
        QCOMPARE(first["leaf"], Json(false));
        QCOMPARE(Json::parse(ndjson[rows])["leaf"], Json(true));
        QVERIFY(Json::parse(ndjson.back()).contains("health"));
    }

    void renamedFunctionsAreMatched() {
        const auto before = blocksFile("old.etl", {{"keeps", {10, 20}}});
        const auto after = blocksFile("new.etl", {{"grows", {10, 20}}});
        const auto names = [&](const std::string& file) {
            return diffJson({file, "--with", file, "--bottom-up"})["rows"][0]["rows"][0]["key"].get<std::string>();
        };
        const auto renames =
            textFile("renames.txt", "# of the second release\n" + names(before) + " = " + names(after) + "\n");
        const auto answer = diffJson({before, "--with", after, "--bottom-up", "--renames", renames});
        QCOMPARE(answer["rows"][0]["rows"].size(), std::size_t{1});
        QCOMPARE(answer["rows"][0]["rows"][0]["state"], Json("same"));
        const auto wrong = diff({before, "--with", after, "--renames", textFile("wrong.txt", "a!b = a!c\nnonsense\n")});
        QCOMPARE(wrong.exitCode, 1);
        QVERIFY2(has(wrong.messages, "wrong.txt: Line 2 of the renames: expected old = new: nonsense"),
                 wrong.messages.c_str());
        QCOMPARE(diff({before, "--with", after, "--renames", temporaryPath("missing.txt")}).exitCode, 2);
    }

    void theTableIsTheOneThatHasRows() {
        const auto answer =
            diffJson({exercise_, "--range", "0:17", "--with-range", "17:34", "--table", "virtualalloc"});
        QCOMPARE(answer["table"], Json("virtualalloc"));
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = "a.exe", .mainTid = 11});
        trace.virtualAlloc({fixtures::seconds(1), 10, 11}, {0x10000, 0x2000}, virtual_flag::kCommit, "a.exe!main");
        trace.endsAt(fixtures::seconds(2));
        const auto path = temporaryPath("pages.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto pages = diffJson({path, "--with", path});
        QCOMPARE(pages["table"], Json("virtualalloc"));
        QCOMPARE(pages["total"]["values"]["Outstanding"]["before"], Json(0x2000));
        QCOMPARE(pages["rows"][0]["rows"][0]["column"], Json("Commit Stack"));
    }

    /// Each side of the timeline equals the output of `timeline` for that range.
    void linesAreThoseOfTimelines() {
        const auto answer = diffJson({exercise_, "--range", "2:12", "--with-range", "12:22", "--timeline", "8"});
        const auto lineOf = [&](const char* range) {
            return runCli({"timeline", exercise_, "--table", "heap", "--range", range, "--points", "8", "--format",
                           "json", "--no-symbols"})
                .json()["series"][0];
        };
        const auto before = lineOf("2:12"), after = lineOf("12:22");
        QCOMPARE(answer["slices"].size(), std::size_t{8});
        for (std::size_t i = 0; i < 8; ++i) {
            const auto& slice = answer["slices"][i];
            QCOMPARE(slice["before"], before["points"][i][1]);
            QCOMPARE(slice["after"], after["points"][i][1]);
            QCOMPARE(slice["delta"].get<std::int64_t>(),
                     slice["after"].get<std::int64_t>() - slice["before"].get<std::int64_t>());
            QCOMPARE(slice["start"].get<double>(), 1.25 * static_cast<double>(i));
        }
        const auto tree = diffJson({exercise_, "--range", "2:12", "--with-range", "12:22"});
        for (const auto* side : {"before", "after", "delta"})
            QCOMPARE(answer["at_end"][side], tree["total"]["values"]["Outstanding"][side]);
        // A side that ends earlier has no values there.
        const auto csv =
            rowLines(diff({exercise_, "--range", "2:12", "--with-range", "12:17", "--timeline", "4", "--format", "csv"})
                         .answers);
        QCOMPARE(csv.size(), std::size_t{5});
        QCOMPARE(csv[0], std::string("Time (s),Outstanding before,Outstanding after,Outstanding delta"));
        QVERIFY2(csv[2].starts_with("2.500000000,") && !csv[2].ends_with(","), csv[2].c_str());
        QVERIFY2(csv[3].starts_with("5.000000000,") && csv[3].ends_with(",,"), csv[3].c_str());
        const auto text = diff({exercise_, "--range", "2:12", "--with-range", "12:22", "--timeline", "4"}).answers;
        QVERIFY2(has(text, "At the end") && has(text, "from 2.500000000 s"), text.c_str());
    }

    void suggestedRenamesAreReportedAndWork() {
        const auto one = programFile("one.etl", "app-1.0.exe");
        const auto two = programFile("two.etl", "app-2.0.exe");
        const auto apart = diff({one, "--with", two});
        QVERIFY2(has(apart.messages, "app-1.0.exe was recorded before and app-2.0.exe after. Compare them as one "
                                     "program? To treat them as one, use --rename 'app-1.0.exe = app-2.0.exe'"),
                 apart.messages.c_str());
        QVERIFY(has(apart.answers, "New") && has(apart.answers, "Gone"));
        const auto together = diff({one, "--with", two, "--rename", "app-1.0.exe=app-2.0.exe"});
        QVERIFY2(!has(together.answers, "New") && has(together.answers, "Same"), together.answers.c_str());
        QVERIFY2(!has(together.messages, "--rename"), together.messages.c_str());
        // In addition to the renames of a file, none of which may be repeated.
        const auto file = textFile("renames.txt", "other.exe = else.exe\n");
        QVERIFY(
            !has(diff({one, "--with", two, "--renames", file, "--rename", "app-1.0.exe=app-2.0.exe"}).answers, "Gone"));
        const auto unused = diff({one, "--with", two, "--renames", file, "--rename", "app-1.0.exe!f == g=a!\"h\""});
        QCOMPARE(unused.exitCode, 1); // which sign divides?
        const auto both = diff({one, "--with", two, "--renames", file, "--rename", "\"x!a = b\" = x!c"});
        QCOMPARE(both.exitCode, 0);
        for (const auto* line : {"other.exe = else.exe", "\"x!a = b\" = \"x!c\""})
            QVERIFY2(has(both.messages, "The rename " + std::string(line) + " matches nothing on the earlier side."),
                     both.messages.c_str());
        QVERIFY2(!has(together.messages, "matches nothing"), together.messages.c_str());
        const auto twice = diff({one, "--with", two, "--renames", file, "--rename", "other.exe=third.exe"});
        QCOMPARE(twice.exitCode, 1);
        QVERIFY2(has(twice.messages, "is already renamed"), twice.messages.c_str());
        for (const auto* wrong : {"nothing", "a!f=b", "# x", ""})
            QCOMPARE(diff({one, "--with", two, "--rename", wrong}).exitCode, 1);
    }

    /// Instants: there is no rate, and nothing was allocated or freed in them.
    void snapshotsShowTheirTimes() {
        const std::vector<std::string> asked{exercise_,    "--snapshots", "1:2",  "--snapshot", "14",
                                             "--snapshot", "16.5",        "--by", "Process"};
        const auto answer = diffJson(asked);
        QCOMPARE(answer["before"]["traces"][0]["time_s"], Json(14.0));
        QCOMPARE(answer["after"]["traces"][0]["time_s"], Json(16.5));
        QVERIFY(answer["before"]["seconds"].is_null() && answer["after"]["seconds"].is_null());
        QVERIFY(!diffJson({exercise_, "--range", "0:17", "--with-range", "17:34"})["before"]["traces"][0].contains(
            "time_s"));
        auto groups = answer["rows"];
        groups.push_back(answer["total"]);
        QVERIFY(groups.size() > 1);
        for (const auto& group : groups) {
            for (const auto* measure : {"Outstanding", "Count", "Size", "Peak Size"}) {
                const auto& values = group["values"][measure];
                QVERIFY(values["after"].is_number() && values["delta"].is_number());
                QVERIFY(values["before_per_s"].is_null() && values["after_per_s"].is_null());
            }
            QVERIFY(group["values"]["Impacting Size"].is_null() && group["values"]["Allocated"].is_null());
        }
        const auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), asked.begin(), asked.end());
            return diff(more);
        };
        const auto text = with({});
        QVERIFY2(has(text.answers, ", snapshot 1 at 14.000000000 s\n") &&
                     has(text.answers, ", snapshot 2 at 16.500000000 s\n"),
                 text.answers.c_str());
        const auto csv = rowLines(with({"--format", "csv"}).answers);
        QCOMPARE(std::count(csv[0].begin(), csv[0].end(), ','), std::count(csv[1].begin(), csv[1].end(), ','));
        QVERIFY2(has(csv[1], ",,,") && csv[1].ends_with(",,,,,,1"), csv[1].c_str()); // Allocated
        const auto ofIntervals = with({"--sort", "Impacting Size"});
        QCOMPARE(ofIntervals.exitCode, 1);
        QVERIFY2(has(ofIntervals.messages, "does not apply to snapshots"), ofIntervals.messages.c_str());
        QCOMPARE(with({"--sort", "Peak Size"}).exitCode, 0);
    }
    void missingDataOfAFileIsReportedOnce() {
        const auto lossy = exercise2File("lossy");
        const auto sidesOf = [](const Json& answer) {
            std::map<std::string, std::vector<std::string>> sides;
            for (const auto& entry : answer["health"])
                if (entry.contains("side")) sides[entry["id"]].push_back(entry["side"].get<std::string>());
            return sides;
        };
        for (const auto& one : {diffJson({lossy, "--snapshots", "1:2", "--snapshot", "14", "--snapshot", "16"}),
                                diffJson({lossy, "--range", "0:17", "--with-range", "17:34"})}) {
            const auto told = sidesOf(one);
            QVERIFY(!told.empty());
            for (const auto& [id, of] : told)
                QCOMPARE(of, std::vector<std::string>{"both"});
        }
        const auto apart = sidesOf(diffJson({lossy, "--with", exercise_}));
        QVERIFY(!apart.empty());
        for (const auto& [id, of] : apart)
            QVERIFY(std::find(of.begin(), of.end(), "both") == of.end());
    }

    /// Also in a flame graph of two traces; and it can be pasted into a shell, whatever the names are.
    void suggestedRenamesCanBePasted() {
        for (const std::string name : {"app", "a = b", "it's = \"x\"", "$HOME `x` &|=", "#a==", "-x %y% ^"}) {
            const auto one = programFile("one.etl", name + "-1.0.exe");
            const auto two = programFile("two.etl", name + "-2.0.exe");
            for (const std::string command : {"diff", "flames"}) {
                const auto apart = runCli({command, one, "--with", two, "--no-symbols"});
                const std::string mark = " To treat them as one, use ";
                const auto found = apart.messages.find(mark);
                QVERIFY2(found != std::string::npos, apart.messages.c_str());
                const auto from = found + mark.size();
                const auto hint = apart.messages.substr(from, apart.messages.find('\n', from) - from);
                const auto pasted =
                    runProgram("/bin/sh", {"-c", std::string(HIGHWATER_CLI) + " " + command + " '" + one +
                                                     "' --with '" + two + "' --no-symbols " + hint});
                QVERIFY2(pasted.exitCode == 0, (hint + "\n" + pasted.messages).c_str());
                QVERIFY2(!has(pasted.messages, "--rename") && !has(pasted.messages, "matches nothing"),
                         (hint + "\n" + pasted.messages).c_str());
            }
        }
        // A rename would take the part before the mark for a module.
        const auto marked = runCli({"diff", programFile("one.etl", "x !z! 1.0.exe"), "--with",
                                    programFile("two.etl", "x !z! 2.0.exe"), "--no-symbols"});
        QVERIFY2(!has(marked.messages, "--rename"), marked.messages.c_str());
        for (const std::string name : {"operator==", "operator!", "operator!=", "a<b>::c('x')", "a<b>::c(\"x = y\")",
                                       "operator\"\"_s", "operator="}) {
            const auto word =
                exports::shellWord(analysis::Renames::lineOf("app!" + name, "app!isEqual"), exports::Shell::Posix)
                    .value();
            const auto typed = runProgram("/bin/sh", {"-c", "printf %s " + word}).answers;
            const auto read = analysis::Renames::parse(typed);
            QVERIFY2(read.hasValue(), typed.c_str());
            QCOMPARE(read.value().functionName("app!" + name), std::string("app!isEqual"));
        }
    }

    void anEmptyComparisonIsReported() {
        const auto empty = blocksFile("empty.etl", {});
        const auto nothing = diff({empty, "--with", empty});
        QCOMPARE(nothing.exitCode, 0);
        QVERIFY2(has(nothing.messages, "No rows of this table match"), nothing.messages.c_str());
        const auto none = diff({exercise_, "--with", exercise_, "--filter", "[FreeType]:=Free"});
        QVERIFY2(has(none.messages, "No memory is outstanding at the end of either side."), none.messages.c_str());
    }

    void wrongUsageIsSaid() {
        const auto alone = diff({exercise_});
        QCOMPARE(alone.exitCode, 1);
        QVERIFY2(has(alone.messages, "Specify the traces to compare with"), alone.messages.c_str());
        QVERIFY(
            has(diff({exercise_, "--with", exercise_, "--by", "Process,PID"}).messages, "PID cannot be compared between traces"));
        for (const std::vector<std::string>& wrong :
             std::vector<std::vector<std::string>>{{"--table", "frees"},
                                                   {"--range", "5:1"},
                                                   {"--with-range", "x"},
                                                   {"--filter", "Count>>1"},
                                                   {"--sort", "Address"},
                                                   {"--smallest", "many"},
                                                   {"--timeline", "0"},
                                                   {"--timeline", "5", "--format", "ndjson"},
                                                   {"--fail-above", "1s"},
                                                   {"--by", "Nothing"},
                                                   {"--by", "Process", "--bottom-up"},
                                                   {"--range", "50:60"}}) {
            std::vector<std::string> arguments{exercise_, "--with", exercise_};
            arguments.insert(arguments.end(), wrong.begin(), wrong.end());
            QVERIFY2(diff(arguments).exitCode == 1, wrong.back().c_str());
        }
        QCOMPARE(diff({exercise_, "--with", temporaryPath("missing.etl")}).exitCode, 2);
    }
};

HIGHWATER_TEST(DiffCommandTest);
#include "diff_command_test.moc"
