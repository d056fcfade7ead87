#include "tests/app/cli/cli_runner.h"
#include "tests/fixtures/trace_builder.h"
#include "tests/support/test_registry.h"

#include <QTest>

using namespace highwater;
using namespace highwater::tests;

namespace {

constexpr std::uint32_t kServer = 70, kClient = 71;
constexpr Address kHeapOfServer = 0x10000000;

/// Samples a heap with `pages` pages in RAM.
ResidentSample heapSampleAt(double time, std::uint32_t pid, std::uint64_t pages) {
    ResidentSample sample;
    sample.time = fixtures::seconds(time);
    sample.pid = pid;
    sample.names = {"[heap]"};
    Mapping heap;
    heap.begin = kHeapOfServer;
    heap.end = heap.begin + 1024 * kResidentPageBytes;
    heap.resident = pages * kResidentPageBytes;
    heap.flags = mapping_flag::kRead | mapping_flag::kWrite | mapping_flag::kPages;
    heap.pages.append(0, pages);
    sample.mappings.push_back(heap);
    return sample;
}

/// Two processes with a block each. The server is sampled at 2, 4 and 6 s, the client at 3 s. The server ends at 7 s.
std::string sampledTrace() {
    static const auto path = [] {
        fixtures::TraceShape shape;
        shape.recorder = fixtures::Recorder::Agent;
        fixtures::TraceBuilder trace(shape);
        trace.endsAt(fixtures::seconds(10));
        for (const auto& [pid, name] : {std::pair{kServer, "server"}, std::pair{kClient, "client"}}) {
            trace.processStarts(fixtures::seconds(1), {.pid = pid, .name = name});
            const fixtures::Moment moment{fixtures::seconds(1.5), pid, pid};
            trace.heapAlloc(moment, 1, {kHeapOfServer + 16, 1000});
        }
        trace.processEnds(fixtures::seconds(7), kServer);
        trace.heapFree({fixtures::seconds(5), kServer, kServer}, 1, kHeapOfServer + 16);
        trace.residentSample(heapSampleAt(2, kServer, 10));
        trace.residentSample(heapSampleAt(3, kClient, 5));
        trace.residentSample(heapSampleAt(4, kServer, 20));
        trace.residentSample(heapSampleAt(6, kServer, 15));
        auto file = temporaryPath("sampled.etl");
        if (!trace.writeTo(file).hasValue()) qFatal("cannot write");
        return file;
    }();
    return path;
}

Answer balance(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"balance", sampledTrace()});
    return runCli(more);
}

Json balanceJson(std::vector<std::string> more = {}) {
    more.insert(more.end(), {"--format", "json"});
    return balance(more).json();
}

/// "server (70): live 1000, ..."
std::string layersIn(const Json& answer) {
    std::string text;
    for (const auto& process : answer["processes"]) {
        text += (text.empty() ? "" : "; ") + process["process"].get<std::string>() + ":";
        for (const auto& layer : process["layers"])
            text += " " + layer["layer"].get<std::string>() + " " + layer["bytes"].dump();
    }
    return text;
}

} // namespace

class BalanceQuestionTest : public QObject {
    Q_OBJECT

  private slots:
    void theLastSampleOfEachProcessAnswers() {
        const auto answer = balanceJson();
        QCOMPARE(layersIn(answer),
                 std::string("server (70): returnable 61440; client (71): live 1000 rounding 8 held_free 3088 "
                             "returnable 16384"));
        QCOMPARE(answer["at_s"], Json(6.0));
        QCOMPARE(answer["processes"][1]["at_s"], Json(3.0));
    }
    void anEarlierSampleAnswersAtATime() {
        QCOMPARE(layersIn(balanceJson({"--at", "4.5", "--process", "server"})),
                 std::string("server (70): live 1000 rounding 8 held_free 3088 returnable 77824"));
        QCOMPARE(layersIn(balanceJson({"--range", "2:4", "--process", "70"})),
                 std::string("server (70): live 1000 rounding 8 held_free 3088 returnable 36864"));
        QCOMPARE(layersIn(balanceJson({"--at", "99", "--process", "client (71)"})),
                 layersIn(balanceJson({"--process", "CLIENT"})));
        const auto nothing = balance({"--at", "1"});
        QCOMPARE(nothing.exitCode, 0);
        QVERIFY2(has(nothing.messages, "The first sample is at 2.00 s, the last one at 6.00 s."),
                 nothing.messages.c_str());
    }
    void aProcessThatHasEndedHasNoResidentMemory() {
        QCOMPARE(balanceJson({"--at", "7"})["processes"].size(), std::size_t{2});
        const auto later = balance({"--at", "7.5", "--format", "json"});
        QCOMPARE(layersIn(later.json()),
                 std::string("client (71): live 1000 rounding 8 held_free 3088 returnable 16384"));
        QVERIFY2(has(later.messages, "Processes that had ended before 7.50 s are not listed: server (70) at 7.00 s.\n"),
                 later.messages.c_str());
        const auto nothing = balance({"--at", "7.5", "--process", "server", "--format", "json"});
        QVERIFY(nothing.json()["processes"].empty());
        QVERIFY2(has(nothing.messages, "server (70) at 7.00 s."), nothing.messages.c_str());
        QVERIFY(!has(balance({"--at", "7.5", "--process", "client"}).messages, "not listed"));
        QCOMPARE(balance({"--course", "--at", "8", "--format", "json"}).json()["processes"].size(), std::size_t{2});
    }
    void textHasASentence() {
        const auto text = balance({"--process", "client"}).answers;
        QVERIFY2(has(text, "Resident memory of client (71) at 3.000000000 s, in MB\n"), text.c_str());
        QVERIFY2(has(text, "Live blocks use 1,000 B of 20.0 KB in RAM"), text.c_str());
        QVERIFY2(has(text, "[heap]"), text.c_str());
    }
    void mappingsAddUp() {
        const auto answer = balanceJson({"--by", "mapping"});
        std::uint64_t resident = 0, reserved = 0;
        for (const auto& mapping : answer["processes"][1]["mappings"]) {
            resident += mapping["rss_bytes"].get<std::uint64_t>();
            reserved += mapping["reserved_bytes"].get<std::uint64_t>();
        }
        QCOMPARE(resident, std::uint64_t{5 * kResidentPageBytes});
        QCOMPARE(reserved, std::uint64_t{1024 * kResidentPageBytes});
    }
    void peaksAreThoseOfTheInterval() {
        const auto peakOf = [](const std::vector<std::string>& more) {
            const auto server = balanceJson(more)["processes"][0];
            return server["peak_rss_bytes"].get<std::uint64_t>() / kResidentPageBytes;
        };
        QCOMPARE(peakOf({}), std::uint64_t{20});
        QCOMPARE(peakOf({"--at", "2", "--process", "server"}), std::uint64_t{20}); // of the whole trace
        QCOMPARE(peakOf({"--range", "5:7"}), std::uint64_t{15});
        const auto server = balanceJson({"--by", "module"})["processes"][0];
        QCOMPARE(server["modules"].size(), std::size_t{1});
        QCOMPARE(server["modules"][0]["module"], Json("[heap]"));
        QCOMPARE(server["modules"][0]["peak_rss_bytes"], Json(19 * kResidentPageBytes)); // free since the last block
        QCOMPARE(server["layers"][0]["peak_bytes"], Json(19 * kResidentPageBytes));
    }
    void aCourseHasAllSamples() {
        const auto answer = balanceJson({"--course", "--process", "server"});
        const auto& samples = answer["processes"][0]["samples"];
        QCOMPARE(samples.size(), std::size_t{3});
        QCOMPARE(samples[1]["rss_bytes"], Json(20 * kResidentPageBytes));
        const auto csv = balance({"--course", "--format", "csv", "--range", "3:5"}).answers;
        QCOMPARE(std::count(csv.begin(), csv.end(), '\n'), std::ptrdiff_t{1 + 4 + 4});
    }
    void ownersHoldPages() {
        const auto answer = balanceJson({"--by", "owner", "--at", "4.5"});
        QCOMPARE(answer["processes"].size(), std::size_t{2});
        const auto& server = answer["processes"][0];
        QCOMPARE(server["process"], Json("server (70)"));
        QCOMPARE(server["at_s"], Json(4.0));
        QCOMPARE(server["holders"], Json::array({{{"owner", "(no stack)"},
                                                  {"blocks", 1},
                                                  {"resident_bytes", 1000},
                                                  {"held_pages_bytes", kResidentPageBytes}}}));
        const auto text = balance({"--by", "owner", "--process", "client"}).answers;
        QVERIFY2(has(text, "4.0 KB      1,000 B            1"), text.c_str());
        QVERIFY(has(balance({"--by", "owner", "--process", "server"}).answers, "No recorded heap block"));
        const auto csv = balance({"--by", "owner", "--process", "client", "--format", "csv"}).answers;
        QVERIFY2(has(csv, "3.0,client (71),(no stack),1,1000,4096\n"), csv.c_str());
    }
    void tablesHaveTheColumns() {
        const std::vector<std::string> table{"table",     sampledTrace(),        "--table",  "heap", "--by", "Process",
                                             "--columns", "Resident,Held Pages", "--format", "csv"};
        const auto whole = runCli(table);
        QVERIFY2(has(whole.answers, "client (71),1000,4096"), whole.answers.c_str());
        QVERIFY2(has(whole.answers, "server (70),0,0"), whole.answers.c_str());
        QVERIFY2(has(whole.messages,
                     "Resident and Held Pages are from the newest sample of each process, taken between "
                     "3.00 s and 6.00 s."),
                 whole.messages.c_str());
        auto part = table;
        part.insert(part.end(), {"--range", "3.5:5"});
        const auto early = runCli(part);
        QVERIFY2(has(early.answers, "server (70),1000,4096") && has(early.answers, "client (71),,"),
                 early.answers.c_str());
        QVERIFY2(has(early.messages, "are from a sample of resident memory, taken at 4.00 s."), early.messages.c_str());
        part.back() = "7:9";
        QVERIFY(has(runCli(part).messages,
                    "because no sample of resident memory was taken in the interval. The nearest "
                    "sample was taken at 6.00 s."));
        auto other = table;
        other[3] = "frees";
        QVERIFY(!has(runCli(other).messages, "Resident and Held Pages"));
        other = table;
        other[1] = exercise2File("plain");
        QVERIFY(has(runCli(other).messages, "because the trace contains no samples of resident memory."));
    }
    void timelinesHaveLayersOrProcesses() {
        const auto timeline = [](std::vector<std::string> more) {
            more.insert(more.begin(), {"timeline", sampledTrace(), "--table", "Resident", "--points", "5"});
            return runCli(more);
        };
        const auto layers = timeline({"--range", "0:10"});
        QCOMPARE(layers.answers, std::string("start_s,live,rounding,held_free,returnable\n"
                                             "2.0,2000,16,6176,53248\n"
                                             "4.0,2000,16,6176,94208\n"
                                             "6.0,1000,8,3088,77824\n"));
        QCOMPARE(timeline({"--by", "layer", "--range", "0:10"}).answers, layers.answers);
        QCOMPARE(timeline({"--by", "process", "--range", "0:10"}).answers,
                 std::string("start_s,server (70),client (71)\n2.0,40960,20480\n4.0,81920,\n6.0,61440,\n"));
        const auto json = timeline({"--by", "Process", "--format", "json"}).json();
        QCOMPARE(json["table"], Json("resident"));
        QCOMPARE(json["series"][1], Json({{"name", "client (71)"}, {"points", {{2.0, 20480}}}}));
        const auto nothing = timeline({"--range", "8:9"});
        QCOMPARE(nothing.answers, std::string("start_s\n"));
        QVERIFY2(has(nothing.messages, "The first sample is at 2.00 s, the last one at 6.00 s."),
                 nothing.messages.c_str());
    }
    void timelinesOfSamplesRefuseOptionsAboutRows() {
        const auto refuses = [](std::vector<std::string> words, const char* message) {
            words.insert(words.begin(), {"timeline", sampledTrace(), "--table", "resident"});
            const auto answer = runCli(words);
            return answer.exitCode == 1 && has(answer.messages, message);
        };
        QVERIFY(refuses({"--filter", "server"}, "does not support --filter 'server'."));
        QVERIFY(refuses({"--measure", "rows"}, "does not support --measure rows."));
        QVERIFY(refuses({"--annotate", "a="}, "does not support --annotate."));
        QVERIFY(refuses({"--by", "Stack"}, "Available columns: Layer, Process."));
        QVERIFY(has(runCli({"timeline", exercise2File("plain"), "--table", "resident"}).messages,
                    "contains no samples of resident memory."));
    }
    void wrongUsageIsRefused() {
        const auto refuses = [](const std::vector<std::string>& words, const char* message) {
            const auto answer = balance(words);
            return answer.exitCode == 1 && has(answer.messages, message);
        };
        QVERIFY(refuses({"--at", "soon"}, "is not a time in seconds"));
        QVERIFY(refuses({"--at", "1", "--range", "1:2"}, "--range"));
        QVERIFY(refuses({"--range", "9"}, "9"));
        QVERIFY(refuses({"--by", "page"}, "--by"));
        QVERIFY(refuses({"--top", "3"}, "--top can only be used with --by owner."));
        QVERIFY(refuses({"--course", "--by", "owner", "--format", "csv"}, "cannot be combined"));
        QVERIFY(refuses({"--course"}, "--course has no text output."));
        QVERIFY(refuses({"--course", "--by", "mapping", "--format", "csv"}, "cannot be combined"));
        QVERIFY(refuses({"--course", "--by", "module", "--format", "csv"}, "cannot be combined"));
        QVERIFY(refuses({"--process", "nobody"}, "Sampled processes: server (70), client (71)."));
    }
    void aTrialNeedsNoTrace() {
        const auto refuses = [](const std::vector<std::string>& words, const char* message) {
            auto arguments = words;
            arguments.insert(arguments.begin(), "balance");
            const auto answer = runCli(arguments);
            return answer.exitCode == 1 && answer.answers.empty() && has(answer.messages, message);
        };
        QVERIFY(refuses({}, "TRACE is required: a trace file (.etl); or --try-trim PID."));
        QVERIFY(refuses({sampledTrace(), "--try-trim", "7"}, "TRACE excludes --try-trim"));
        QVERIFY(refuses({"--try-trim", "7", "--at", "1"}, "excludes"));
        QVERIFY(refuses({"--try-trim", "server"}, "--try-trim"));
        QVERIFY(refuses({"--try-trim", "7", "--format", "csv"}, "--try-trim has no CSV output."));
        const auto nobody = runCli({"balance", "--try-trim", "1073741823"});
        QCOMPARE(nobody.exitCode, 2);
        QVERIFY2(has(nobody.messages, "malloc_trim"), nobody.messages.c_str());
    }
    void returnableMemoryIsAnEstimateOfATrial() {
        QCOMPARE(balanceJson()["processes"][1]["trim"], Json({{"returnable_bytes", 16384}}));
    }
    void aTraceWithoutSamplesIsRefused() {
        const auto answer = runCli({"balance", exercise2File("plain")});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "it contains no samples of resident memory"), answer.messages.c_str());
        QVERIFY(answer.answers.empty());
    }
    void infoShowsThePeak() {
        const auto answer = runCli({"info", sampledTrace(), "--json"}).json()["resident_memory"];
        QCOMPARE(answer.size(), std::size_t{2});
        QCOMPARE(answer[0]["process"], Json("server (70)"));
        QCOMPARE(answer[0]["samples"], Json(3));
        QCOMPARE(answer[0]["peak_rss_bytes"], Json(20 * kResidentPageBytes));
        QCOMPARE(answer[0]["peak_s"], Json(4.0));
        QCOMPARE(answer[0]["explained_share"], Json(1.0));
        const auto text = runCli({"info", sampledTrace()}).answers;
        QVERIFY2(has(text, "81920        4.000    100.0 %        3  server (70)\n"), text.c_str());
        QVERIFY(runCli({"info", exercise2File("plain"), "--json"}).json()["resident_memory"].empty());
    }
};

HIGHWATER_TEST(BalanceQuestionTest);
#include "balance_question_test.moc"
