#include "tests/app/cli/cli_runner.h"
#include "tests/app/cli/pictured_file.h"
#include "tests/fixtures/leaky_program.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fstream>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// A program that leaks, as a file; written once.
std::string leakyFile(const std::string& name, const fixtures::LeakyShape& shape) {
    const auto path = temporaryPath(name);
    const auto written = fixtures::leakyProgram(shape).writeTo(path);
    if (!written.hasValue()) qFatal("%s", written.error().message.c_str());
    return path;
}

bool isLeak(const Json& suspect) {
    return std::any_of(fixtures::kLeakModules.begin(), fixtures::kLeakModules.end(), [&](auto module) {
        return suspect["owner"].get<std::string>().starts_with(std::string(module) + "!");
    });
}

/// The number of leaks among the first suspects.
int leaksAmong(const Json& answer, std::size_t first) {
    const auto& suspects = answer["suspects"];
    int leaks = 0;
    for (std::size_t i = 0; i < std::min(first, suspects.size()); ++i)
        leaks += isLeak(suspects[i]) ? 1 : 0;
    return leaks;
}

std::string ownersOf(const Json& answer) {
    std::string text;
    for (const auto& suspect : answer["suspects"])
        text += suspect["owner"].get<std::string>() + " " + suspect["verdict"].get<std::string>() + " " +
                suspect["confidence"].dump() + "\n";
    return text;
}

Json leaksOf(const std::string& path, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"leaks", path, "--no-symbols", "--format", "json", "--top", "30"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto answer = runCli(arguments);
    if (answer.exitCode != 0) qWarning("%s", answer.messages.c_str());
    return answer.json();
}

Json suspectOf(const Json& answer, const std::string& owner) {
    for (const auto& suspect : answer["suspects"]) {
        if (suspect["owner"].get<std::string>().starts_with(owner)) return suspect;
    }
    return {};
}

} // namespace

class LeaksCommandTest : public QObject {
    Q_OBJECT

    std::string exercise_;

  private slots:
    void namesTheRangeBeforeAProgramFreesItsMemoryOnExit() {
        constexpr Address kHeap = 0x10000;
        fixtures::TraceBuilder trace;
        trace.endsAt(fixtures::seconds(11));
        trace.processStarts(fixtures::seconds(0.5), {.pid = 7, .name = "server.exe", .mainTid = 8});
        for (unsigned i = 0; i < 100; ++i) {
            const auto block = kHeap + 0x10000 * (i + 1);
            trace.heapAlloc({fixtures::seconds(1 + i * 0.08), 7, 8}, kHeap, {block, 4096},
                            "server.exe!main;server.exe!remember");
            trace.heapFree({fixtures::seconds(9.9 + i * 0.0001), 7, 8}, kHeap, block);
        }
        trace.heapAlloc({fixtures::seconds(9.95), 7, 8}, kHeap, {0x900, 64}, "server.exe!main");
        trace.processEnds(fixtures::seconds(10), 7);
        const auto path = temporaryPath("exits.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto whole = runCli({"leaks", path, "--no-symbols"});
        QVERIFY2(has(whole.messages,
                     "Most of the heap memory was freed as server.exe exited, and is not listed. To see the "
                     "stacks that kept 400.0 KB shortly before, add --range :9.81."),
                 whole.messages.c_str());
        const auto before = runCli({"leaks", path, "--no-symbols", "--range", ":9.81"});
        QVERIFY2(has(before.answers, "100 allocations (400.0 KB)"), before.answers.c_str());
        QVERIFY2(!has(before.messages, "exited"), before.messages.c_str());
    }
    void doesNotCallMemoryFreedThatIsKeptSuppressedOrEndsWithItsProcess() {
        const auto all = temporaryPath("all.supp");
        std::ofstream(all) << "leak:*\n";
        for (const auto& options : std::vector<std::vector<std::string>>{
                 {}, {"--suppressions", all}, {"--table", "virtualalloc"}, {"--range", "10:"}}) {
            std::vector<std::string> arguments{"leaks", exercise_, "--no-symbols"};
            arguments.insert(arguments.end(), options.begin(), options.end());
            const auto answer = runCli(arguments);
            QCOMPARE(answer.exitCode, 0);
            QVERIFY2(!has(answer.messages, "exited"), answer.messages.c_str());
        }
    }
    void initTestCase() { exercise_ = exercise2File("plain"); }

    void theFirstSuspectOfExercise2IsItsGrowingHeap() {
        const auto answer = leaksOf(exercise_);
        const auto first = answer["suspects"][0];
        QCOMPARE(first["rank"], Json(1));
        QCOMPARE(first["process"], Json(kProcess));
        QCOMPARE(first["verdict"], Json("growing"));
        QCOMPARE(first["outstanding_count"], Json(957));
        QCOMPARE(first["outstanding_bytes"], Json(957 * 40));
        QCOMPARE(first["kept_count"], Json(957));
        QCOMPARE(first["freed_count"], Json(0));
        // 40 bytes, 31.9 times a second.
        QVERIFY2(std::abs(first["growth_bytes_per_s"].get<double>() - 1276) < 20, first.dump().c_str());
        QVERIFY(first["growth_low_bytes_per_s"] <= first["growth_bytes_per_s"]);
        QVERIFY(first["growth_high_bytes_per_s"] >= first["growth_bytes_per_s"]);
        QVERIFY(first["confidence"] > 0.95);
        QVERIFY(has(first["why"], "957 allocations (37.4 KB), none of them freed"));
        QVERIFY(has(first["why"], "31.9 allocations/s"));
        QVERIFY(first["stack"].size() > 2);
        QCOMPARE(first["stack"][first["owner_frame"].get<std::size_t>()], first["owner"]);
    }

    void anIntervalHasTheBlocksMadeInItAndKept() {
        const auto answer = leaksOf(exercise_, {"--range", "12:22", "--filter", "Process:MemoryTestApp"});
        const auto first = answer["suspects"][0];
        QCOMPARE(first["kept_count"], Json(319));
        QCOMPARE(first["kept_bytes"], Json(319 * 40));
    }

    void oneBigBlockThatIsNeverFreedComesFirstWhereNothingGrows() {
        const auto answer =
            leaksOf(exercise_, {"--table", "virtualalloc", "--range", "16:18", "--filter", "Process:MemoryTestApp"});
        const auto first = answer["suspects"][0];
        QCOMPARE(first["verdict"], Json("kept"));
        QCOMPARE(first["kept_count"], Json(1));
        QCOMPARE(first["kept_bytes"], Json(10 * kMB));
        QCOMPARE(first["first_s"], Json(17.0));
        QVERIFY(has(first["why"], "made at 17.00 s"));
    }

    void leaksComeBeforeCachesSawtoothsPoolsAndStartUp() {
        const auto answer = leaksOf(leakyFile("leaky.etl", {}));
        QVERIFY2(leaksAmong(answer, 5) == 5, ownersOf(answer).c_str());
        const auto verdictOf = [&](const char* owner) { return suspectOf(answer, owner)["verdict"]; };
        QCOMPARE(verdictOf("globals.exe!"), Json("start_up"));
        for (const auto* pool : {"pool1.exe!", "pool2.exe!", "fills1.exe!", "fills2.exe!"})
            QCOMPARE(verdictOf(pool), Json("levelled_off"));
        for (const auto* cache : {"renews1.exe!", "renews2.exe!", "renews3.exe!"})
            QCOMPARE(verdictOf(cache), Json("renewed"));
        for (const auto* saw : {"saw1.exe!", "saw3.exe!", "saw5.exe!"}) {
            const auto verdict = verdictOf(saw);
            QVERIFY2(verdict.is_null() || verdict == "sawtooth" || verdict == "renewed", ownersOf(answer).c_str());
        }
    }

    void looksAtHeapAndVirtualAllocTogether() {
        const auto both = leaksOf(exercise_);
        QCOMPARE(both["tables"].size(), std::size_t{2});
        QVERIFY(both["table"].is_null());
        std::size_t found = 0;
        for (const std::string table : {"heap", "virtualalloc"}) {
            const auto alone = leaksOf(exercise_, {"--table", table});
            QCOMPARE(alone["table"], Json(table));
            QCOMPARE(alone["tables"].size(), std::size_t{1});
            for (const auto& suspect : alone["suspects"]) {
                QCOMPARE(suspect["table"], Json(table));
                const auto same = std::any_of(both["suspects"].begin(), both["suspects"].end(), [&](Json other) {
                    other["rank"] = suspect["rank"];
                    return other == suspect;
                });
                QVERIFY2(same, suspect.dump().c_str());
                ++found;
            }
        }
        QCOMPARE(found, both["suspects"].size());
    }
    /// A filter that selects blocks does not apply to pages.
    void aFilterByAColumnOfOneTableSelectsTheTable() {
        QCOMPARE(leaksOf(exercise_, {"--filter", "Handle:=0x1"})["tables"][0]["table"], Json("heap"));
        QCOMPARE(leaksOf(exercise_, {"--filter", "Handle:=0x1"})["tables"].size(), std::size_t{1});
        QCOMPARE(leaksOf(exercise_, {"--filter", "Owner:=unknown"})["table"], Json("virtualalloc"));
        QCOMPARE(runCli({"leaks", exercise_, "--table", "heap", "--filter", "Owner:=unknown"}).exitCode, 1);
        QCOMPARE(runCli({"leaks", exercise_, "--filter", "Owner:=unknown AND Handle:=0x1"}).exitCode, 1);
    }
    /// As the heap grows slowly while pages leak fast; each was hidden if the other one was looked at.
    void aLeakOfPagesIsNotHiddenByTheHeap() {
        fixtures::TraceBuilder trace;
        trace.endsAt(fixtures::seconds(20));
        trace.processStarts(fixtures::seconds(0.5), {.pid = 7, .name = "server.exe", .mainTid = 8});
        for (unsigned i = 0; i < 150; ++i) {
            const fixtures::Moment moment{fixtures::seconds(1 + i * 0.12), 7, 8};
            trace.heapAlloc(moment, 0x10000, {0x20000 + 0x1000 * i, 64}, "server.exe!main;server.exe!remember");
            trace.virtualAlloc(moment, {0x10000000 + 0x100000 * Address(i), 0x10000},
                               virtual_flag::kReserve | virtual_flag::kCommit, "server.exe!main;server.exe!mapBuffer");
        }
        const auto path = temporaryPath("both.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto suspects = leaksOf(path)["suspects"];
        QCOMPARE(suspects.size(), std::size_t{2});
        QCOMPARE(suspects[0]["table"], Json("virtualalloc"));
        QCOMPARE(suspects[1]["table"], Json("heap"));
        QCOMPARE(suspects[1]["verdict"], Json("growing"));
        const auto explained = runCli({"explain", path, "--no-symbols", "--format", "json"}).json();
        QCOMPARE(explained["suspects"][0]["stack"], suspects[0]["stack"]);
        QCOMPARE(explained["suspects"][0]["table"], Json("virtualalloc"));
        QCOMPARE(explained["table"], Json("heap"));
    }

    /// Thirty programs with other rates, sizes and times: noise, blocks that only the newest part holds, and lost
    /// frees.
    void leaksAreFoundInAllSeeds() {
        int withoutFalseSuspects = 0;
        QByteArray failures;
        for (std::uint32_t seed = 1; seed <= 30; ++seed) {
            fixtures::LeakyShape shape{.seed = seed, .noise = 1.0 + seed % 3};
            shape.lostFrees = seed % 3 == 0 ? 0.05 : 0;
            shape.keepsNewest = seed % 4 == 0;
            const auto answer = leaksOf(leakyFile("leaky_seed.etl", shape));
            withoutFalseSuspects += leaksAmong(answer, 5) == 5 ? 1 : 0;
            if (leaksAmong(answer, 6) == 5 && leaksAmong(answer, 5) == 5) continue;
            failures += "seed " + QByteArray::number(seed) + ":\n" + ownersOf(answer).c_str();
            QVERIFY2(leaksAmong(answer, 6) == 5, failures.constData());
        }
        QVERIFY2(withoutFalseSuspects >= 28, failures.constData());
    }

    void csvHasALinePerSuspect() {
        const auto answer = runCli({"leaks", exercise_, "--no-symbols", "--format", "csv", "--top", "2"});
        QCOMPARE(answer.exitCode, 0);
        const auto lines = QString::fromStdString(answer.answers).split('\n');
        QCOMPARE(lines.size(), 4);
        QVERIFY(lines[0].startsWith("rank,owner,process,verdict,why,growth_bytes_per_s"));
        QVERIFY(lines[1].startsWith("1,MemoryTestApp.exe!") && lines[1].endsWith(",heap,,"));
    }

    void textNamesTheOwnerInItsStack() {
        const auto answer = runCli({"leaks", exercise_, "--no-symbols", "--top", "1"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY(has(answer.answers, "Heap Allocations, 0.000000000 s to 34.000000000 s: 237.7 KB kept by 5 stacks"));
        QVERIFY(has(answer.answers, "\n1. MemoryTestApp.exe!"));
        QVERIFY(has(answer.answers, "\n   > MemoryTestApp.exe!"));
        QVERIFY(!has(answer.answers, "\n2. "));
    }
    void textSaysHowManyStacksItLeavesOut() {
        const auto with = [&](const char* top) {
            return runCli({"leaks", exercise_, "--no-symbols", "--top", top}).answers;
        };
        QVERIFY(with("1").ends_with("\n(8 more stacks are not listed; increase --top to list them)\n"));
        QVERIFY(with("8").ends_with("\n(1 more stack is not listed; increase --top to list it)\n"));
        QVERIFY(!has(with("9"), "--top"));
    }

    void marksThatWereSurvivedAreCounted() {
        fixtures::TraceBuilder trace;
        trace.processStarts(fixtures::seconds(0.1),
                            {.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
        for (int i = 0; i < 100; ++i)
            trace.heapAlloc({fixtures::seconds(1 + i * 0.08), 10, 11}, 0x1D0000, {0x1E0000u + Address(i) * 64, 32},
                            "a.exe!main;ntdll.dll!RtlAllocateHeap");
        for (const int second : {2, 4, 6, 8})
            trace.mark(fixtures::seconds(second), "round");
        trace.endsAt(fixtures::seconds(9));
        const auto path = temporaryPath("marks.etl");
        QVERIFY(trace.writeTo(path).hasValue());
        const auto first = leaksOf(path)["suspects"][0];
        QCOMPARE(first["survived_marks"], Json(2)); // 63 of 100 were there before the mark at 6 s
        QVERIFY2(has(first["why"], "63 allocations survived at least 2 marks"), first.dump().c_str());
    }

    void wrongUsageIsSaid() {
        const auto frees = runCli({"leaks", exercise_, "--table", "frees"});
        QCOMPARE(frees.exitCode, 1);
        QVERIFY2(has(frees.messages, "leaks does not support the table frees. Use --table virtualalloc or heap."),
                 frees.messages.c_str());
        QCOMPARE(runCli({"leaks", exercise_, "--range", "5:1"}).exitCode, 1);
        QCOMPARE(runCli({"leaks", exercise_, "--filter", "Count>>1"}).exitCode, 1);
        QCOMPARE(runCli({"leaks", temporaryPath("missing.etl")}).exitCode, 2);
    }

    void noKeptBytesAreReported() {
        const auto answer = runCli({"leaks", exercise_, "--no-symbols", "--filter", "Size>1GB"});
        QCOMPARE(answer.exitCode, 0);
        QVERIFY2(has(answer.messages, "No memory that was allocated"), answer.messages.c_str());
    }
    /// Of three blocks, one is unreachable in both pictures, and a variable holds the others.
    void aPictureShowsUnreachableBlocksAndTheHolder() {
        const auto text = runCli({"leaks", picturedFileOfOneStack(), "--no-symbols"}).answers;
        QVERIFY2(has(text, "   1 block (1,000 B) is unreachable because nothing refers to it (picture at 4.00 s). It "
                           "became unreachable between 1.50 s and 2.00 s. "),
                 text.c_str());
        QVERIFY2(has(text, " Other blocks are held by server!g_archive (picture at 4.00 s).\n"), text.c_str());
        const auto suspect = leaksOf(picturedFileOfOneStack())["suspects"].at(0);
        QCOMPARE(suspect["verdict"], Json("unreachable"));
        QCOMPARE(suspect["unreachable_since_to_s"], Json(2.0));
        QCOMPARE(suspect["held_by"], Json({"server!g_archive"}));
        const auto early = leaksOf(picturedFileOfOneStack(), {"--range", "0:3"})["suspects"].at(0);
        QCOMPARE(early["held_by"], Json({"server!g_sessions"}));
        QVERIFY(early["unreachable_since_to_s"].is_null()); // the only picture
    }
    /// Its blocks have no stack, and the picture no suspects.
    void aTraceOfAPictureAnswersWithItsUnreachableBlocks() {
        const auto path = pictureOnlyFile();
        const auto text = runCli({"leaks", path, "--no-symbols"});
        QVERIFY2(has(text.answers, "server (70): 1 block (1,000 B) is unreachable (picture at 4.00 s). It has no stack "
                                   "because it is not in the trace, for example because the recording began later.\n"),
                 text.answers.c_str());
        QVERIFY2(has(text.answers, ": highwater-cli holders " + path + " --no-symbols\n"), text.answers.c_str());
        const auto json = leaksOf(path);
        QCOMPARE(json["untraced"].at(0)["unreachable_bytes"], Json(1000));
        QCOMPARE(json["untraced"].at(0)["blocks"], Json(3));
        QCOMPARE(json["holders_command"], Json("highwater-cli holders " + path + " --no-symbols"));
        QVERIFY(leaksOf(exercise_)["holders_command"].is_null());
        const auto filtered = leaksOf(path, {"--filter", "Size>1"}); // they match no filter
        QVERIFY(filtered["untraced"].empty());
    }
    void csvHasColumnsOfAPictureOnlyWithOne() {
        const auto headerOf = [](const std::string& path) {
            const auto answers = runCli({"leaks", path, "--no-symbols", "--format", "csv"}).answers;
            return answers.substr(0, answers.find('\n'));
        };
        QVERIFY(headerOf(picturedFileOfOneStack()).ends_with(",held_by"));
        QVERIFY(headerOf(exercise2File("plain")).ends_with(",held_pages_bytes"));
    }
};

HIGHWATER_TEST(LeaksCommandTest);
#include "leaks_command_test.moc"
