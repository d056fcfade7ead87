#include "tests/app/cli/cli_runner.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <zlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>

using namespace highwater;
using namespace highwater::tests;

namespace {

/// Sums without times: 300 blocks of leakOne(), below a library and a program whose modules the file does not name.
constexpr std::string_view kDhatSums =
    R"dhat({"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":true,"tu":"instrs","Mtu":"Minstr",
"tuth":500,"cmd":"/opt/known_totals","pid":26493,"te":1082825,"tg":1078145,"pps":[{"tb":3002100,"tbk":300,
"tl":190727044,"mb":3002100,"mbk":300,"gb":3002100,"gbk":300,"eb":3002100,"ebk":300,"rb":0,"wb":3002100,"fs":[1,2,3]}],
"ftbl":["[root]","0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_dhat-amd64-linux.so)",
"0x109166: leakOne() (known_totals.cpp:17)","0x1091CD: main (known_totals.cpp:34)"]})dhat";

/// Bytes by time, and no counts.
constexpr std::string_view kMassifBytes =
    "desc: (none)\ncmd: ./app\ntime_unit: ms\n"
    "#-----------\nsnapshot=0\n#-----------\ntime=0\nmem_heap_B=0\nheap_tree=empty\n"
    "#-----------\nsnapshot=1\n#-----------\ntime=5\nmem_heap_B=1000\nheap_tree=detailed\n"
    "n1: 1000 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n1: 1000 0x109164: leak() (a.cc:4)\n"
    "  n0: 1000 0x1091EF: main (a.cc:7)\n"
    "#-----------\nsnapshot=2\n#-----------\ntime=8\nmem_heap_B=1500\nheap_tree=peak\n"
    "n1: 1500 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"
    " n1: 1500 0x109164: leak() (a.cc:4)\n"
    "  n0: 1500 0x1091EF: main (a.cc:7)\n";

/// Three allocations before the first tick of heaptrack's clock.
std::string shortHeaptrack(std::string_view end) {
    return "v 10400 3\nX ./app\nI 1000 5e298f\ns 8 /bin/app\ns 4 main\ns 4 a.cc\ni 401000 1 2 3 a\nt 1 0\n"
           "a 3e8 1\n+ 0\n+ 0\n+ 0\n" +
           std::string(end);
}

std::string fileOf(const std::string& name, std::string_view text) {
    const auto path = temporaryPath(name);
    std::ofstream(path, std::ios::binary) << text;
    return path;
}

std::string unpacked(const std::string& path) {
    std::string text(1 << 16, '\0');
    const auto file = gzopen(path.c_str(), "rb");
    const auto read = gzread(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    text.resize(static_cast<std::size_t>(std::max(read, 0)));
    return text;
}

std::string textOfFile(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

} // namespace

/// Files of sums, without times or counts: results that make no sense for them are left out or refused, in one
/// sentence.
class SummedFilesTest : public QObject {
    Q_OBJECT
  private slots:
    void heapsAreRefused_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("DHAT") << QString::fromStdString(fileOf("heaps.dhat", kDhatSums));
        QTest::newRow("massif") << QString::fromStdString(fileOf("heaps.massif", kMassifBytes));
    }
    void heapsAreRefused() {
        QFETCH(QString, path);
        const auto answer = runCli({"heaps", path.toStdString(), "--no-symbols"});
        QCOMPARE(answer.exitCode, 2);
        QCOMPARE(answer.answers, std::string());
        QVERIFY2(has(answer.messages, "This trace has no heap list because the file contains totals per stack"),
                 answer.messages.c_str());
    }
    /// With a command that can be pasted and that gives an answer.
    void refusalsNameAnotherTable_data() {
        QTest::addColumn<QString>("command");
        for (const auto* command : {"leaks", "explain", "generations"})
            QTest::newRow(command) << command;
    }
    void refusalsNameAnotherTable() {
        QFETCH(QString, command);
        const auto file = fileOf("refused.dhat", kDhatSums);
        const auto answer = runCli({command.toStdString(), file, "--no-symbols"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "To show kept memory by stack: highwater-cli table " + file +
                                          " --table heap --preset 'AIFO by Stack'"),
                 answer.messages.c_str());
        const auto table = runCli({"table", file, "--table", "heap", "--preset", "AIFO by Stack", "--no-symbols"});
        QCOMPARE(table.exitCode, 0);
        QVERIFY2(has(table.answers, "leakOne"), table.answers.c_str());
    }
    /// The file does not contain the address of the module, so its numbers are not offsets. In another run the module
    /// is loaded elsewhere.
    void framesWithoutNamesAreCalledByTheirAddress() {
        auto text = shortHeaptrack("c 14\n");
        text.replace(text.find("i 401000 1 2 3 a"), 16, "i 7f27ba389b9f 1");
        const auto file = fileOf("nameless.heaptrack", text);
        const auto table = runCli({"table", file, "--table", "heap", "--by", "Stack", "--no-symbols"});
        QVERIFY2(has(table.answers, "app!0x7f27ba389b9"), table.answers.c_str());
        QVERIFY2(!has(table.answers, "+0x"), table.answers.c_str());
        text.replace(text.find("7f27ba389b9f"), 12, "7f0000000b9f");
        const auto answer = runCli({"diff", file, "--with", fileOf("elsewhere.heaptrack", text), "--no-symbols"});
        QVERIFY2(has(answer.answers, "app!(unnamed)"), answer.answers.c_str());
        QVERIFY2(!has(answer.messages, "The two sides have no stack in common"), answer.messages.c_str());
    }
    /// DHAT does not name modules, heaptrack does: one function looks like two.
    void unmatchedStacksOfTwoProfilersAreReported() {
        const auto sums = fileOf("apart.dhat", kDhatSums);
        const auto events = fileOf("apart.heaptrack", shortHeaptrack("c 14\n"));
        const auto answer = runCli({"diff", sums, "--with", events, "--no-symbols"});
        QVERIFY2(has(answer.messages, "The two sides have no stack in common"), answer.messages.c_str());
        QVERIFY2(has(answer.messages, "Profilers name modules and calls differently"), answer.messages.c_str());
        const auto alike = runCli({"diff", sums, "--with", fileOf("alike.dhat", kDhatSums), "--no-symbols"});
        QVERIFY2(!has(alike.messages, "The two sides have no stack in common"), alike.messages.c_str());
    }
    void differencesOmitUnknownCounts() {
        const auto massif = fileOf("a.massif", kMassifBytes);
        const auto answer = runCli({"diff", massif, "--with", massif, "--no-symbols", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto total = answer.json()["total"]["values"];
        QVERIFY2(total["Count"].is_null(), answer.answers.c_str());
        QCOMPARE(total["Peak Size"]["after"].get<int>(), 1500);
        QVERIFY(!has(runCli({"diff", massif, "--with", massif, "--no-symbols"}).answers, "Count"));
        const auto sorted = runCli({"diff", massif, "--with", massif, "--no-symbols", "--sort", "Count"});
        QCOMPARE(sorted.exitCode, 2);
        QVERIFY2(has(sorted.messages, "Count is not meaningful because the file contains bytes but no block counts."),
                 sorted.messages.c_str());
    }
    /// Tables do not show decreases: totals are bounds.
    void differenceProfilesAreNotCompleteTraces() {
        const auto file =
            fileOf("difference.heap", "heap profile: 1: 100 [2: 200] @ heapprofile\n 3: 200 [3: 200] @ 0x1\n"
                                      "-2: -100 [0: 0] @ 0x2\n\nMAPPED_LIBRARIES:\n");
        const auto answer = runCli({"table", file, "--table", "heap", "--by", "Stack", "--no-symbols", "--strict"});
        QCOMPARE(answer.exitCode, 3);
        QVERIFY2(has(answer.messages,
                     file + " is a difference of two profiles. Memory in use is 100 bytes (2 objects) lower in "
                            "1 stack and 200 bytes (3 objects) higher in 1 stack; only increases are shown."),
                 answer.messages.c_str());
        QVERIFY2(!has(answer.messages, "amaged"), answer.messages.c_str());
    }
    void bytesWithoutFramesOrObjectsAreWhole() {
        const auto table = [](const std::string& file) {
            return runCli(
                {"table", file, "--table", "heap", "--by", "Process", "--no-symbols", "--strict", "--format", "json"});
        };
        const auto frames = table(fileOf("frames.heap", "heap_v2/524288\n  t*: 40: 83886080 [0: 0]\n@\n"
                                                        "  t*: 40: 83886080 [0: 0]\n\nMAPPED_LIBRARIES:\n"));
        QCOMPARE(frames.exitCode, 0);
        QCOMPARE(frames.json()["rows"][0]["values"]["Impacting Size"].get<std::uint64_t>(), std::uint64_t{85'451'172});
        const auto objects = table(fileOf("objects.heap", "heap profile: 0: 4096 [1: 8192] @ heapprofile\n"
                                                          "0: 4096 [1: 8192] @ 0x1\n\nMAPPED_LIBRARIES:\n"));
        QCOMPARE(objects.exitCode, 0);
        const auto values = objects.json()["rows"][0]["values"];
        QCOMPARE(values["Impacting Size"].get<std::uint64_t>(), std::uint64_t{4096});
        QCOMPARE(values["Size"].get<std::uint64_t>(), std::uint64_t{8192});
        QCOMPARE(values["Count"].get<std::uint64_t>(), std::uint64_t{1});
    }
    void differencesLeaveOutPeaksWithoutTimes() {
        const auto dhat = fileOf("a.dhat", kDhatSums);
        const auto answer = runCli({"diff", dhat, "--with", dhat, "--no-symbols", "--format", "json"});
        QCOMPARE(answer.exitCode, 0);
        const auto total = answer.json()["total"]["values"];
        QVERIFY2(total["Peak Size"].is_null(), answer.answers.c_str());
        QCOMPARE(total["Count"]["after"].get<int>(), 300);
        QVERIFY(total["Outstanding"]["after_per_s"].is_null()); // a rate over a time that is not real
        const auto line = runCli({"diff", dhat, "--with", dhat, "--no-symbols", "--timeline", "10"});
        QCOMPARE(line.exitCode, 2);
        QVERIFY2(has(line.messages, "This trace has no timeline because the file does not contain times."),
                 line.messages.c_str());
    }
    void pprofProfilesOmitUnknownCounts() {
        const auto out = temporaryPath("massif.pb.gz");
        QCOMPARE(runCli({"pprof", fileOf("b.massif", kMassifBytes), "--no-symbols", "-o", out}).exitCode, 0);
        const auto profile = unpacked(out);
        QVERIFY(has(profile, "alloc_space"));
        QVERIFY(has(profile, "inuse_space"));
        QVERIFY(!has(profile, "_objects"));
    }
    /// pprof takes the first mapping for the program of a profile.
    void theFirstMappingOfPprofIsTheProgram() {
        const auto out = temporaryPath("dhat.pb.gz");
        QCOMPARE(runCli({"pprof", fileOf("b.dhat", kDhatSums), "--no-symbols", "-o", out}).exitCode, 0);
        const auto profile = unpacked(out);
        const auto path = profile.find("\x32\x0c" // a string of this length of its own
                                       "known_totals");
        QVERIFY(path != std::string::npos);
        QVERIFY(path < profile.find("vgpreload_dhat"));
    }
    void reportsWithoutTimesHaveATableAndNoGraph() {
        const auto out = temporaryPath("dhat.html");
        const auto answer = runCli({"report", fileOf("c.dhat", kDhatSums), "--no-symbols", "-o", out});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        const auto page = textOfFile(out);
        QVERIFY(has(page, "leakOne"));
        QVERIFY(!has(page, "<svg"));
        QVERIFY(has(page, "This trace has no timeline because the file does not contain times."));
    }
    /// The kept amount is known, its growth rate is not.
    void leaksWithinATickOfHeaptrackHaveNoRates() {
        const auto path =
            fileOf("short.heaptrack", shortHeaptrack("s 4 copy\ni 402000 1 5 3 b\nt 2 0\na 7d0 2\n+ 1\n- 0\n"));
        const auto answer = runCli({"leaks", path, "--no-symbols", "--format", "json"});
        QVERIFY2(answer.exitCode == 0, answer.messages.c_str());
        const auto json = answer.json();
        QCOMPARE(json["kept_bytes"].get<int>(), 2 * 1000 + 2000);
        QCOMPARE(json["suspects"].size(), std::size_t{2});
        for (const auto& suspect : json["suspects"]) {
            QCOMPARE(suspect["kept_bytes"].get<int>(), 2000);
            QCOMPARE(suspect["verdict"].get<std::string>(), std::string("too_early"));
            QCOMPARE(suspect["growth_bytes_per_s"].get<double>(), 0.0);
            QCOMPARE(suspect["confidence"].get<double>(), 0.0);
            QVERIFY(has(suspect["why"], "the file ends before the first tick of its clock"));
        }
        const auto longer = fileOf("longer.heaptrack", shortHeaptrack("c 14\n+ 0\n"));
        const auto timed = runCli({"leaks", longer, "--no-symbols", "--format", "json"}).json();
        QVERIFY(!has(timed["suspects"][0]["why"], "clock"));
    }
    void explanationsWithinATickOfHeaptrackAreRefused() {
        const auto answer = runCli({"explain", fileOf("short.heaptrack", shortHeaptrack("")), "--no-symbols"});
        QCOMPARE(answer.exitCode, 2);
        QVERIFY2(has(answer.messages, "its file ends within the first 10 ms, before the first tick of its clock"),
                 answer.messages.c_str());
    }
};

HIGHWATER_TEST(SummedFilesTest);
#include "summed_files_test.moc"
