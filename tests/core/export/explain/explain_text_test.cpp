#include "core/export/explain/explain_writer.h"
#include "tests/support/test_registry.h"
#include "tests/ui/support/small_trace.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using namespace highwater::tests;

namespace {

/// For a trace with one program, a page at a time. The explanation need not match the trace.
struct PageStage {
    std::shared_ptr<const store::PublishedTrace> trace = SmallTrace().process(7, "a.exe").publish(9000);
    pipeline::TraceFacts facts;
    TraceNotes notes;
    analysis::Explanation answer;
    HealthReport health;

    PageStage() {
        answer.table = analysis::Table::VirtualAlloc;
        answer.tables = {{analysis::Table::VirtualAlloc, 1, 1024}};
        answer.interval = {ms(0), ms(9000)};
        answer.whyNone = "Nothing is.";
    }
    std::string text(Shell shell = Shell::Posix, const std::string& path = "a.etl",
                     const std::string& filter = "") const {
        const TraceInfo info{facts, *trace, notes};
        const auto commands =
            explainCommands(answer, *trace, {.traces = {path}, .filter = filter, .options = {}, .shell = shell});
        std::ostringstream out;
        writeExplainText({info, answer, health, commands, "", shell}, out);
        return out.str();
    }
    nlohmann::json json() const {
        const TraceInfo info{facts, *trace, notes};
        const auto commands =
            explainCommands(answer, *trace, {.traces = {"a.etl"}, .filter = {}, .options = {}, .shell = Shell::Posix});
        std::ostringstream out;
        writeExplainJson({info, answer, health, commands, "", Shell::Posix}, out);
        return nlohmann::json::parse(out.str());
    }
    bool has(const char* part) const { return QString::fromStdString(text()).simplified().contains(part); }
    analysis::LeakSuspect& addSuspect(analysis::LeakVerdict verdict) {
        auto& suspect = answer.suspects.emplace_back();
        suspect.table = analysis::Table::VirtualAlloc;
        suspect.verdict = verdict;
        suspect.process = "a.exe (7)";
        suspect.stack = {"m!alloc", "m!wrap", "a.exe!work", "a.exe!b", "a.exe!c", "a.exe!d", "a.exe!main"};
        suspect.ownerFrame = 2;
        suspect.owner = "a.exe!work";
        suspect.why = "Because.";
        suspect.confidence = 0.6;
        suspect.growth = {10, -1, 20};
        suspect.path = {{analysis::Column::Process, 0}};
        return suspect;
    }
};

} // namespace

class ExplainTextTest : public QObject {
    Q_OBJECT
  private slots:
    /// A program's name in a trace cannot end the quotes, whichever shell the command is pasted into.
    void aNameRunsNoProgram() {
        for (const auto* name :
             {"a\" & calc & \"b", "a\n calc", "$(calc)", "`calc`", "%calc%", "\u201D; calc; \u201D"}) {
            PageStage stage;
            auto& suspect = stage.addSuspect(analysis::LeakVerdict::Growing);
            suspect.process = name;
            suspect.owner = "a.exe!" + std::string(name);
            const auto page = stage.text(Shell::Windows);
            const auto commands = page.substr(page.find("COMMANDS FOR DETAILS"));
            QVERIFY2(commands.find("calc") == std::string::npos, commands.c_str());
            QVERIFY2(commands.find("--filter \"[PID]:=7\"\n") != std::string::npos, commands.c_str());
        }
        PageStage stage;
        auto& suspect = stage.addSuspect(analysis::LeakVerdict::Growing);
        suspect.owner = "a.exe!f<int&>::'lambda'";
        QVERIFY(
            stage.text(Shell::Windows, "C:\\a b.etl", "[Type]:=\"x\"")
                .find(
                    "--filter \"([Type]:='x') AND [Process]:='a.exe (7)' AND [Stack]:='a.exe!f<int&>::''lambda'''\"") !=
            std::string::npos);
    }
    void suspectsOfBothTablesHaveCommandsOfTheirOwn() {
        PageStage stage;
        QVERIFY(stage.has("highwater-cli leaks a.etl --table virtualalloc --range 0:9"));
        stage.answer.tables.insert(stage.answer.tables.begin(), {analysis::Table::Heap, 1, 1024});
        stage.answer.heapMemory = {3, 30, 12 << 20};
        QVERIFY(stage.has("VirtualAlloc Commit LifeTimes, 0.00 s to 9.00 s; suspects also from Heap Allocations"));
        QVERIFY(
            stage.has("VirtualAlloc memory of heaps is not listed separately: 3 stacks, 12.0 MB of 30 allocations"));
        QVERIFY(stage.has("# stacks that keep memory highwater-cli leaks a.etl --range 0:9"));
        stage.addSuspect(analysis::LeakVerdict::Kept);
        stage.addSuspect(analysis::LeakVerdict::Growing).table = analysis::Table::Heap;
        QVERIFY(stage.has("1. a.exe!work in a.exe (7), VirtualAlloc, may not be a leak"));
        QVERIFY(stage.has("2. a.exe!work in a.exe (7), Heap, likely"));
        QVERIFY(stage.has("# suspect 1 highwater-cli leaks a.etl --table virtualalloc --range 0:9"));
        QVERIFY(stage.has("# suspect 2 highwater-cli leaks a.etl --table heap --range 0:9"));
    }
    void unreachableBlocksMakeALeakOfASuspect() {
        PageStage stage;
        auto& suspect = stage.addSuspect(analysis::LeakVerdict::Unreachable);
        suspect.picture.emplace();
        suspect.picture->unreachable = {3, 70};
        QVERIFY(stage.has("1. a.exe!work in a.exe (7), VirtualAlloc, a leak"));
        suspect.verdict = analysis::LeakVerdict::Growing;
        QVERIFY(stage.has("VirtualAlloc, a leak; that it continues is likely (confidence 0.60)"));
        suspect.picture->limits.isUpperBound = true;
        QVERIFY(stage.has("VirtualAlloc, likely (confidence 0.60)"));
    }
    void stacksOfASurgeNameTheirHolder() {
        PageStage stage;
        analysis::SurgeStack stack;
        stack.owner = "a.exe!open";
        stack.picture.emplace();
        stack.picture->time = TraceTime{5'000'000'000};
        stack.picture->blocks = {4, 100};
        stack.picture->heldBy = {"a.exe!g_sessions", "Session::open"};
        stack.picture->held = {4, 100};
        stage.answer.rise.surge.emplace();
        stage.answer.rise.surge->stacks = {stack};
        QVERIFY(stage.has("a.exe!open Held by a.exe!g_sessions through Session::open (picture at 5.00 s)."));
        const auto json = stage.json()["surge"]["stacks"][0];
        QCOMPARE(json["held_by"], (nlohmann::json{"a.exe!g_sessions", "Session::open"}));
        QCOMPARE(json["unreachable_count"], 0);
        QVERIFY(json["unreachable_since_from_s"].is_null());
    }
    void heldPagesHaveASectionAndACommand() {
        PageStage stage;
        QVERIFY(!stage.has("RESIDENT MEMORY") && !stage.has("balance"));
        stage.answer.held.emplace();
        stage.answer.held->name = "a.exe (7)";
        stage.answer.held->rss = ByteCount{8} << 20;
        stage.answer.held->holders = {{{1 << 20, ByteCount{4} << 20, 100}, "a.exe!cache", {}}};
        QVERIFY(stage.has("RESIDENT MEMORY a.exe (7) had 8.0 MB in RAM at 0.00 s. 1.0 MB in 100 blocks of a.exe!cache "
                          "hold 4.0 MB of pages that contain no other heap blocks."));
        QVERIFY(stage.has("# owners of held pages highwater-cli balance a.etl --by owner --range 0:9"));
        const auto held = stage.json()["held"];
        QCOMPARE(held["owner"], nlohmann::json("a.exe!cache"));
        QCOMPARE(held["held_pages_bytes"], nlohmann::json(4 << 20));
        QCOMPARE(held["rss_bytes"], nlohmann::json(8 << 20));
        QCOMPARE(held["command"], nlohmann::json("highwater-cli balance a.etl --by owner --range 0:9"));
        QVERIFY(PageStage().json()["held"].is_null() && PageStage().json()["balance"].is_null());
        auto& balance = stage.answer.balance.emplace();
        balance.name = "b.exe (8)";
        balance.process = ProcessIndex{1};
        balance.point.resident = 8 << 20;
        balance.point.layers[analysis::MemoryLayer::Live] = 3 << 20;
        balance.point.layers[analysis::MemoryLayer::Returnable] = 5 << 20;
        QVERIFY(stage.has("RESIDENT MEMORY b.exe (8) at 0.00 s: Live blocks use 3.0 MB of 8.0 MB in RAM; 5.0 MB is "
                          "free, on pages without live blocks"));
        QVERIFY(stage.has("a.exe (7) had 8.0 MB in RAM")); // another process
        balance.process = stage.answer.held->process;
        QVERIFY(!stage.has("had 8.0 MB in RAM") && stage.has("1.0 MB in 100 blocks of a.exe!cache hold 4.0 MB"));
        QCOMPARE(stage.json()["balance"]["rss_bytes"], nlohmann::json(8 << 20));
        QCOMPARE(stage.json()["balance"]["trim"]["returnable_bytes"], nlohmann::json(5 << 20));
    }
    void aCommandThatNoShellReadsIsNotShown() {
        for (const auto& [shell, path] : {std::pair(Shell::Posix, "a\x1B[31m.etl"), std::pair(Shell::Posix, "a\n.etl"),
                                          std::pair(Shell::Windows, "100%.etl"), std::pair(Shell::Windows, "$a.etl")}) {
            const auto page = PageStage().text(shell, path);
            const auto commands = page.substr(page.find("COMMANDS FOR DETAILS"));
            QVERIFY2(commands.find("Command not shown because a word contains ") != std::string::npos,
                     commands.c_str());
            QVERIFY2(commands.find(".etl") == std::string::npos, commands.c_str());
        }
        QVERIFY(PageStage().text(Shell::Posix, "-x.etl").find("leaks ./-x.etl ") != std::string::npos);
    }
    void tellsWhatIsKnownOfTheRecording() {
        PageStage stage;
        QVERIFY(stage.has("programs none with matching rows"));
        QVERIFY(stage.has("when at an unknown time, for 9.00 s"));
        QVERIFY(stage.has("system unknown"));
        stage.facts.properties.sessionName = std::string(kAgentSessionName);
        stage.facts.properties.pointerBytes = 8;
        stage.answer.rise.programs = {{"a (1)", 1}, {"b (2)", 2000}, {"c (3)", 3}, {"d (4)", 4}, {"e (5)", 5}};
        QVERIFY(stage.has("system Linux, 64 bit"));
        QVERIFY(stage.has("a (1): 1 allocation; b (2): 2,000 allocations; c (3): 3 allocations; 2 more"));
    }
    void whatMakesTotalsBoundsComesFirst() {
        PageStage stage;
        QVERIFY(stage.has("LOSSES AND NOTES Nothing is missing. "));
        stage.health.counts[static_cast<std::size_t>(Loss::UnmatchedFrees)] = 1;
        QVERIFY(stage.has("Nothing that affects totals is missing. 1 free has no recorded allocation."));
        stage.health.unrecordedGrowth = 128 << 20;
        QVERIFY(stage.has(
            "LOSSES AND NOTES 128.0 MB of memory growth was not recorded. 1 free has no recorded allocation."));
        stage.health.unrecordedGrowth = 0;
        stage.health.counts[static_cast<std::size_t>(Loss::EventsLost)] = 2;
        const auto page = QString::fromStdString(stage.text());
        QVERIFY(page.indexOf("totals are bounds") < page.indexOf("2 events were lost."));
        QVERIFY(page.indexOf("2 events were lost.") < page.indexOf("1 free has no recorded allocation."));
        for (int i = 0; i < 9; ++i)
            stage.health.notes.push_back("note " + std::to_string(i));
        QVERIFY(stage.has("5 more. Run highwater-cli info to list them."));
    }
    void namesTheSurge() {
        PageStage stage;
        QVERIFY(stage.has("BIGGEST SURGE Outstanding memory did not grow."));
        stage.answer.rise.surge = analysis::Surge{.process = {},
                                                  .processText = "a.exe (7)",
                                                  .part = {ms(1000), ms(2000)},
                                                  .bytes = 3 << 20,
                                                  .startBytes = 1 << 20,
                                                  .endBytes = 4 << 20,
                                                  .stackCount = 9,
                                                  .stacks = {{"a.exe!work", {"a.exe!work"}, 0, {}, 4 << 20, 1.333}}};
        QVERIFY(stage.has(
            "a.exe (7) grew by 3.0 MB between 1.00 s and 2.00 s, from 1.0 MB to 4.0 MB outstanding. All of this was "
            "freed later. 9 stacks grew"));
        stage.answer.rise.surge->lastBytes = 512 << 10;
        QVERIFY(stage.has("outstanding. All of this was freed later; 512.0 KB were outstanding at the end."));
        stage.answer.rise.surge->lastBytes = 2 << 20;
        QVERIFY(stage.has("outstanding. Part of this was freed later; 2.0 MB remained at the end."));
        stage.answer.rise.surge->lastBytes = 4 << 20;
        QVERIFY(stage.has("from 1.0 MB to 4.0 MB outstanding. 9 stacks grew"));
        QVERIFY(stage.has("9 stacks grew; the largest are: 1. 4.0 MB 133 % a.exe!work"));
        QVERIFY(stage.has(
            "# the surge over time highwater-cli timeline a.etl --table virtualalloc --points 20 --range 1:2 "));
        stage.answer.rise.surge->lastBytes = 8 << 20;
        QVERIFY(stage.has("from 1.0 MB to 4.0 MB outstanding. 8.0 MB were outstanding at the end. 9 stacks grew"));
    }
    void namesTheKindOfGrowth() {
        PageStage stage;
        stage.answer.rise.surge = analysis::Surge{.kind = analysis::SurgeKind::StartUp,
                                                  .process = {},
                                                  .processText = "a.exe (7)",
                                                  .part = {ms(1000), ms(2000)},
                                                  .bytes = 1 << 20,
                                                  .startBytes = 0,
                                                  .endBytes = 1 << 20,
                                                  .lastBytes = 1 << 20,
                                                  .stacks = {}};
        QVERIFY(stage.has(
            "BIGGEST SURGE a.exe (7) grew by 1.0 MB between 1.00 s and 2.00 s, from 0 B to 1.0 MB outstanding. "
            "The process had just started. 0 stacks grew"));
        stage.answer.rise.surge->kind = analysis::SurgeKind::Gradual;
        QVERIFY(stage.has("BIGGEST GROWTH a.exe (7) grew by 1.0 MB between 1.00 s and 2.00 s, from 0 B to 1.0 MB "
                          "outstanding. The growth was gradual, with no steep rise. 0 stacks"));
        QVERIFY(stage.has("# stacks of the growth highwater-cli table"));
        QVERIFY(stage.has("# the growth over time highwater-cli timeline"));
        // A small surge is not the headline.
        auto& surge = *stage.answer.rise.surge;
        surge.kind = analysis::SurgeKind::Steep;
        surge.bytes = surge.endBytes = surge.lastBytes = 11 << 10;
        QVERIFY(stage.has("BIGGEST GROWTH a.exe (7) grew by 11.0 KB between 1.00 s and 2.00 s, from 0 B to 11.0 KB "
                          "outstanding. It is too small to be called a surge. 0 stacks"));
        QVERIFY(stage.has("# stacks of the growth highwater-cli table"));
        // So is one of little of the memory.
        surge.bytes = 2 << 20;
        surge.startBytes = SignedByteCount{1} << 30;
        surge.endBytes = surge.lastBytes = surge.startBytes + surge.bytes;
        QVERIFY(stage.has("BIGGEST GROWTH a.exe (7) grew by 2.0 MB"));
    }
    void wordsOfConfidenceFitTheNumber_data() {
        QTest::addColumn<double>("confidence");
        QTest::addColumn<QString>("words");
        QTest::newRow("least") << 0.5 << "likely (confidence 0.50)";
        QTest::newRow("below sure") << 0.79 << "likely (confidence 0.79)";
        QTest::newRow("sure") << 0.82 << "very likely (confidence 0.82)";
        QTest::newRow("below almost certain") << 0.94 << "very likely (confidence 0.94)";
        QTest::newRow("almost certain") << 0.95 << "almost certain (confidence 0.95)";
        QTest::newRow("most") << 1.0 << "almost certain (confidence 1.00)";
    }
    void wordsOfConfidenceFitTheNumber() {
        QFETCH(double, confidence);
        QFETCH(QString, words);
        PageStage stage;
        stage.addSuspect(analysis::LeakVerdict::Growing).confidence = confidence;
        QVERIFY2(stage.has(qPrintable("a.exe (7), VirtualAlloc, " + words)), stage.text().c_str());
    }
    void suspectsHaveTheirReasonCostAndStack() {
        PageStage stage;
        QVERIFY(stage.has("LEAK SUSPECTS Nothing is."));
        QVERIFY(!stage.has("exited"));
        stage.answer.freedOnExit = {analysis::Table::Heap, "a.exe", 4096, {ms(0), ms(8000)}};
        QVERIFY(stage.has("LEAK SUSPECTS Nothing is. Most of the heap memory was freed as a.exe exited, and is not "
                          "listed. Shortly before, 4.0 KB were outstanding."));
        QVERIFY(stage.has("# stacks that kept memory until the exit highwater-cli leaks a.etl --table virtualalloc "
                          "--range 0:8"));
        stage.answer.freedOnExit.reset();
        stage.addSuspect(analysis::LeakVerdict::Growing);
        QVERIFY(stage.has("1. a.exe!work in a.exe (7), VirtualAlloc, likely (confidence 0.60) Because."));
        stage.answer.interval = {ms(0), ms(599'000)};
        QVERIFY(!stage.has("an hour")); // its reason contains the rate
        stage.answer.interval = {ms(0), ms(600'000)};
        QVERIFY(stage.has("At this rate it grows by 35.2 KB an hour (95 % interval: -3.5 KB to 70.3 KB)."));
        QVERIFY(stage.has("m!alloc and 1 frame of allocators, runtimes and the system > a.exe!work a.exe!b "
                          "a.exe!c and 2 frames up to a.exe!main"));
        stage.addSuspect(analysis::LeakVerdict::Kept);
        QVERIFY(stage.has("2. a.exe!work in a.exe (7), VirtualAlloc, may not be a leak"));
        stage.answer.suspects.back().last = TraceTime{20'301'334'421};
        QVERIFY(stage.has("It has not grown since 20.30 s."));
        QVERIFY(stage.has("# suspect 1, 2 highwater-cli leaks"));
        stage.answer.judged = 2;
        QVERIFY(stage.has("LEAK SUSPECTS 1. a.exe!work"));
        stage.answer.judged = 3;
        QVERIFY(stage.has("LEAK SUSPECTS (the first 2 of 3 stacks that keep memory) 1. a.exe!work"));
        stage.addSuspect(analysis::LeakVerdict::TooEarly).stack = {"m!alloc", "m!wrap", "a.exe!work", "a.exe!main"};
        QVERIFY(stage.has("Too recent to estimate its growth."));
        QVERIFY(stage.has("> a.exe!work a.exe!main COMMANDS"));
    }
    void saysWhatToDoAboutNames() {
        PageStage stage;
        QVERIFY(!stage.has("FUNCTIONS WITHOUT NAMES"));
        stage.answer.names = {9, 2, {"a", "b", "c", "d", "e", "f", "g"}};
        QVERIFY(stage.has("2 of 9 functions in these stacks have no name, in a, b, c, d, e, f and others. Specify"));
    }
    void isForTheShellOfItsSystem() {
        PageStage stage;
        QVERIFY(stage.text(Shell::Windows).find("rem stacks that keep memory\nhighwater-cli leaks") !=
                std::string::npos);
    }
    void noLineIsWiderThanAPage() {
        PageStage stage;
        auto& suspect = stage.addSuspect(analysis::LeakVerdict::Growing);
        suspect.owner = suspect.stack[2] = "a.exe!" + std::string(700, 'x');
        suspect.process = std::string(300, 'p');
        const auto page = QString::fromStdString(stage.text());
        for (const auto& line : page.split('\n'))
            QVERIFY2(line.size() <= 100, qPrintable(line));
        QVERIFY(page.contains("..."));
    }
};

HIGHWATER_TEST(ExplainTextTest);
#include "explain_text_test.moc"
