#include "core/export/shell_words.h"
#include "tests/app/cli/cli_runner.h"
#include "tests/app/cli/pictured_file.h"
#include "tests/support/test_registry.h"

#include <QFileInfo>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::size_t kWidth = 100;

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
        lines.push_back(line);
    return lines;
}

std::string widestOf(const std::string& text) {
    std::string widest;
    for (const auto& line : linesOf(text)) {
        const auto width = static_cast<std::size_t>(QString::fromStdString(line).size());
        if (width > static_cast<std::size_t>(QString::fromStdString(widest).size())) widest = line;
    }
    return widest;
}

/// As a shell would run the pasted command.
Answer pasted(const std::string& command) {
    const auto folder = QFileInfo(HIGHWATER_CLI).absolutePath().toStdString();
    return runProgram("/bin/sh", {"-c", "PATH=\"" + folder + ":$PATH\"\n" + command});
}

Json pastedJson(const std::string& command) {
    const auto answer = pasted(command + " --format json");
    if (answer.exitCode != 0) qWarning("%s\n%s", command.c_str(), answer.messages.c_str());
    return answer.json();
}

/// The commands on a page, each with the line before it.
std::vector<std::pair<std::string, std::string>> commandsOf(const std::string& page) {
    std::vector<std::pair<std::string, std::string>> commands;
    bool goesOn = false;
    std::string title;
    for (const auto& line : linesOf(page)) {
        if (line.starts_with("# ")) title = line.substr(2);
        if (goesOn)
            commands.back().second += '\n' + line;
        else if (line.starts_with("highwater-cli "))
            commands.emplace_back(title, line);
        else
            continue;
        goesOn = line.ends_with('\\');
    }
    return commands;
}

Json explained(const std::string& path, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"explain", path, "--no-symbols", "--format", "json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto answer = runCli(arguments);
    if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
    return answer.json();
}

/// The rows of the stack in the output of a command from surge.stacks.
Json impactOf(const Json& table, const Json& stack) {
    for (const auto& row : table["rows"]) {
        Json frames; // the innermost ones may be omitted
        for (const auto& key : row["keys"])
            if (key.is_array()) frames = key;
        if (frames.size() > stack.size()) continue;
        if (std::equal(frames.begin(), frames.end(), stack.end() - static_cast<std::ptrdiff_t>(frames.size())))
            return row["values"]["Impacting Size"];
    }
    return nullptr;
}

Json suspectLike(const Json& answer, const Json& suspect) {
    for (const auto& other : answer["suspects"])
        if (other["stack"] == suspect["stack"] && other["process"] == suspect["process"]) return other;
    return {};
}

/// Every command of the page shows the page's numbers.
void compareWithCommands(const Json& page) {
    const auto& surge = page["surge"];
    const auto table = pastedJson(surge["table_command"]);
    QCOMPARE(rowAt(table, {surge["process"].get<std::string>()})["values"]["Impacting Size"], surge["bytes"]);
    const auto timeline = pastedJson(surge["timeline_command"]);
    std::int64_t most = 0;
    for (const auto& point : timeline["series"][0]["points"])
        most = std::max(most, point[1].get<std::int64_t>());
    QCOMPARE(Json(most), surge["end_bytes"]);
    QVERIFY(!surge["stacks"].empty());
    for (const auto& stack : surge["stacks"])
        QCOMPARE(impactOf(pastedJson(stack["command"]), stack["stack"]), stack["bytes"]);
    for (const auto& suspect : page["suspects"]) {
        const auto shown = suspectLike(pastedJson(suspect["command"]), suspect);
        for (const auto* member :
             {"owner", "verdict", "outstanding_bytes", "outstanding_count", "kept_bytes", "growth_bytes_per_s",
              "growth_low_bytes_per_s", "growth_high_bytes_per_s", "confidence"})
            QCOMPARE(shown[member], suspect[member]);
    }
    QVERIFY(pastedJson(page["leaks_command"])["stacks"] == page["stacks"]);
}

/// A program whose names a shell and the query language could mistake for their own words.
std::string hostileFile() {
    static const auto path = [] {
        const std::string name = "it's \"q\" $(touch hacked) `x` 100%!.exe";
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = name, .mainTid = 11, .modules = {"ntdll.dll"}});
        for (int i = 0; i < 100; ++i)
            trace.heapAlloc({fixtures::seconds(1 + i * 0.08), 10, 11}, 0x1D0000, {0x1E0000u + Address(i) * 64, 32},
                            name + "!main;ntdll.dll!RtlAllocateHeap");
        trace.endsAt(fixtures::seconds(9));
        auto file = temporaryPath("it's a trace; $HOME.etl");
        return trace.writeTo(file).hasValue() ? file : std::string();
    }();
    return path;
}

} // namespace

class ExplainCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;

  private slots:
    void initTestCase() { exercise_ = exercise2File("plain"); }

    void isOnePageOfPlainText() {
        const auto answer = runCli({"explain", exercise_, "--no-symbols"});
        QCOMPARE(answer.exitCode, 0);
        const auto& page = answer.answers;
        QVERIFY2(widestOf(page).size() <= kWidth, widestOf(page).c_str());
        QVERIFY2(linesOf(page).size() <= 72, page.c_str());
        QVERIFY(std::all_of(page.begin(), page.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); }));
        const auto words = QString::fromStdString(page).simplified().toStdString();
        for (const auto* part :
             {"MemoryTestApp.exe (4242): 6,242 allocations; explorer.exe (1200): 100 allocations",
              "2024-01-17T21:20:00.000+00:00, for 34.00 s", "6,342 allocations from heaps, 70 from VirtualAlloc",
              "Windows build 22631, 64 bit, 1 processor", "Heap Allocations, 0.00 s to 34.00 s",
              "Nothing that affects totals is missing.", "2 frees have no recorded allocation.",
              "MemoryTestApp.exe (4242) grew by 92.7 KB between 2.00 s and 2.05 s, from 0 B to 92.7 KB outstanding. It "
              "is too small to be called a surge. The process had just started. 140.0 KB were outstanding at the end.",
              "957 allocations (37.4 KB), none of them freed", "almost certain (confidence 1.00)",
              "grew steadily by 1.2 KB/s (31.9 allocations/s) from", " > MemoryTestApp.exe!+0x",
              "functions in these stacks have no name", "_NT_SYMBOL_PATH"})
            QVERIFY2(has(words, part), part);
    }

    void textEqualsJson() {
        const auto page = explained(exercise_);
        QCOMPARE(page["table"], Json("heap"));
        QCOMPARE(page["surge"]["process"], Json(kProcess));
        QCOMPARE(page["surge"]["kind"], Json("start_up"));
        QCOMPARE(page["surge"]["start_bytes"], Json(0));
        QCOMPARE(page["surge"]["stacks"].size(), std::size_t{3});
        QCOMPARE(page["recorded"]["heap_allocations"], Json(6342));
        const auto first = page["suspects"][0];
        QCOMPARE(first["verdict"], Json("growing"));
        QCOMPARE(first["outstanding_bytes"], Json(957 * 40));
        const auto perHour = first["growth_bytes_per_s"].get<double>() * 3600;
        QVERIFY(std::abs(first["cost_bytes_per_hour"].get<double>() - perHour) < 10);
        QVERIFY(first["cost_low_bytes_per_hour"] <= first["cost_bytes_per_hour"]);
        QCOMPARE(page["suspects"].size(), std::size_t{3});
        QVERIFY(page["why_no_suspects"].is_null());
        QVERIFY(page["names"]["without_name"] > 0);
    }

    void commandsShowTheNumbersOfThePage_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("heap") << QStringList{};
        QTest::newRow("interval") << QStringList{"--range", "5.25:21"};
        QTest::newRow("filter") << QStringList{"--filter", "Process:explorer OR Process:MemoryTestApp AND Size>30"};
        QTest::newRow("virtualalloc") << QStringList{"--table", "virtualalloc"};
        QTest::newRow("one of them") << QStringList{"--table", "virtualalloc", "--range", "5:30", "--filter", "chrome"};
    }
    void commandsShowTheNumbersOfThePage() {
        if (exports::ownShell() != exports::Shell::Posix) QSKIP("there is no sh");
        QFETCH(QStringList, arguments);
        std::vector<std::string> more;
        for (const auto& argument : arguments)
            more.push_back(argument.toStdString());
        compareWithCommands(explained(exercise_, more));
    }

    void commandsOfTheTextAreThoseOfJson() {
        if (exports::ownShell() != exports::Shell::Posix) QSKIP("there is no sh");
        for (const auto& path : {exercise_, hostileFile()}) {
            const auto page = runCli({"explain", path, "--no-symbols"}).answers;
            QVERIFY2(widestOf(page).size() <= kWidth, widestOf(page).c_str());
            const auto json = explained(path);
            std::set<std::string> wanted{json["surge"]["table_command"], json["surge"]["timeline_command"]};
            for (const auto& suspect : json["suspects"])
                wanted.insert(suspect["command"].get<std::string>());
            std::set<std::string> got;
            for (const auto& [title, command] : commandsOf(page)) {
                const auto printed = pasted("highwater-cli() { printf '%s\\n' highwater-cli \"$@\"; }\n" + command);
                got.insert(printed.answers);
            }
            std::set<std::string> words;
            for (const auto& command : wanted)
                words.insert(pasted("highwater-cli() { printf '%s\\n' highwater-cli \"$@\"; }\n" + command).answers);
            QCOMPARE(got.size(), words.size());
            QVERIFY(got == words);
        }
    }

    void namesThatAShellWouldReadArriveAsTheyAre() {
        if (exports::ownShell() != exports::Shell::Posix) QSKIP("there is no sh");
        const auto path = hostileFile();
        QVERIFY(!path.empty());
        const auto page = explained(path);
        QVERIFY(has(page["surge"]["process"], "it's \"q\" $(touch hacked)"));
        QCOMPARE(page["surge"]["bytes"], Json(3200));
        compareWithCommands(page);
        QVERIFY(!QFileInfo::exists("hacked"));
    }

    void namesThatCannotBeTypedAreLeftOut() {
        fixtures::TraceBuilder trace;
        const std::string name = "line\x1b[2Jbreak.exe";
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = name, .mainTid = 11, .modules = {"ntdll.dll"}});
        trace.heapAlloc({fixtures::seconds(1), 10, 11}, 0x1D0000, {0x1E0000u, 32}, name + "!main");
        trace.endsAt(fixtures::seconds(9));
        const auto path = temporaryPath("steers.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto page = explained(path);
        QVERIFY2(has(page["surge"]["table_command"], "[PID]:=10"), page["surge"].dump().c_str());
        if (exports::ownShell() == exports::Shell::Posix) compareWithCommands(page);
        const auto text = runCli({"explain", path, "--no-symbols"}).answers;
        QVERIFY(!has(text, "\x1b"));
    }

    void lossesAreReportedAsInHealth() {
        const auto path = temporaryPath("cut-explained.etl");
        std::ifstream in(exercise_, std::ios::binary);
        std::string bytes((std::istreambuf_iterator<char>(in)), {});
        std::ofstream(path, std::ios::binary) << bytes.substr(0, 700'000);
        const auto answer = runCli({"explain", path, "--no-symbols", "--strict"});
        QCOMPARE(answer.exitCode, 3);
        const auto page = QString::fromStdString(answer.answers).simplified();
        const auto health = explained(path)["health"];
        for (const auto& entry : health)
            QVERIFY2(page.contains(QString::fromStdString(entry["sentence"].get<std::string>()).simplified()),
                     entry.dump().c_str());
        const auto bounds = page.indexOf("This trace is incomplete, so its totals are bounds.");
        QVERIFY(bounds > 0 && bounds < page.indexOf("buffer is cut off") &&
                page.indexOf("buffer is cut off") < page.indexOf("frees have no recorded allocation"));
        QCOMPARE(runCli({"explain", path, "--no-symbols"}).exitCode, 0);
        QVERIFY(widestOf(answer.answers).size() <= kWidth);
    }

    void anEmptyExplanationIsReported() {
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1), {.pid = 10, .name = "a.exe", .mainTid = 11});
        trace.endsAt(fixtures::seconds(2));
        const auto path = temporaryPath("no-memory.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto answer = runCli({"explain", path, "--no-symbols"});
        QCOMPARE(answer.exitCode, 0);
        const auto page = QString::fromStdString(answer.answers).simplified();
        QVERIFY2(page.contains("This trace has no heap or VirtualAlloc events."), answer.answers.c_str());
        QVERIFY(page.contains("Outstanding memory did not grow."));
        const auto json = explained(path);
        QVERIFY(json["surge"].is_null() && json["suspects"].empty() && json["why_no_suspects"].is_string());
        const auto filtered = explained(exercise_, {"--filter", "Size>1GB"});
        QCOMPARE(filtered["why_no_suspects"],
                 Json("Nothing matches the filter. Remove it to see all rows of the interval."));
        QCOMPARE(filtered["filter"], Json("Size>1GB"));
    }

    void wrongUsageIsSaid() {
        const auto frees = runCli({"explain", exercise_, "--table", "frees"});
        QCOMPARE(frees.exitCode, 1);
        QVERIFY2(has(frees.messages, "explain does not support the table frees. Use --table virtualalloc or heap."),
                 frees.messages.c_str());
        QCOMPARE(runCli({"explain", exercise_, "--range", "5:1"}).exitCode, 1);
        QCOMPARE(runCli({"explain", exercise_, "--range", "50:60"}).exitCode, 1);
        QCOMPARE(runCli({"explain", exercise_, "--filter", "Count>>1"}).exitCode, 1);
        QCOMPARE(runCli({"explain", exercise_, "--format", "csv"}).exitCode, 1);
        QCOMPARE(runCli({"explain", temporaryPath("missing.etl")}).exitCode, 2);
        const auto empty = temporaryPath("empty-explained.etl");
        std::ofstream(empty, std::ios::binary).flush();
        QCOMPARE(runCli({"explain", empty}).exitCode, 2);
    }
    /// The trace shows nothing else.
    void aTraceOfAPictureIsExplainedByItsHolders() {
        const auto path = pictureOnlyFile();
        const auto page = runCli({"explain", path, "--no-symbols"}).answers;
        const auto words = QString::fromStdString(page).simplified().toStdString();
        for (const auto* part :
             {"PICTURE OF MEMORY server (70) at 4.000000000 s: 2.0 KB in 2 blocks reachable, 1,000 B in 1 block "
              "unreachable ",
              " 1. 2.0 KB server!g_archive > (not in the trace) 2. 1,000 B nothing (unreachable)",
              "server (70): 1 block (1,000 B) is unreachable", "but it has a picture of memory.",
              "# what holds the blocks of the picture of memory highwater-cli holders "})
            QVERIFY2(has(words, part), page.c_str());
        QVERIFY2(widestOf(page).size() <= kWidth, widestOf(page).c_str());
        const auto json = runCli({"explain", path, "--no-symbols", "--format", "json"}).json();
        QCOMPARE(json["pictures"].at(0)["holders"].at(0)["root"], Json("server!g_archive"));
        QCOMPARE(json["untraced"].at(0)["unreachable_count"], Json(1));
        QVERIFY(has(json["holders_command"].get<std::string>(), "highwater-cli holders "));
        QVERIFY(runCli({"explain", picturedFile(), "--no-symbols", "--format", "json"}).json()["pictures"].empty());
    }
};

HIGHWATER_TEST(ExplainCommandTest);
#include "explain_command_test.moc"
