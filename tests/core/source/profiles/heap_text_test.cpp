#include "core/source/profiles/heap_text.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Frames = std::vector<std::string>;

constexpr std::string_view kMaps =
    "\nMAPPED_LIBRARIES:\n"
    "55a28cd0d000-55a28cd0e000 r-xp 00001000 fe:00 10978226                   /srv/app\n";
const auto kGperftools = std::string("heap profile:    100:   100000 [ 5100:   420000] @ heapprofile\n"
                                     "   100:   100000 [   100:   100000] @ 0x55a28cd0d165 0x7f0465645305\n"
                                     "     0:        0 [  5000:   320000] @ 0x55a28cd0d189\n") +
                         std::string(kMaps);
const auto kJemalloc = std::string("heap_v2/1\n  t*: 100: 102400 [5100: 422400]\n  t0: 100: 102400 [5100: 422400]\n"
                                   "@ 0x55a28cd0d165 0x7f0465645305\n  t*: 100: 102400 [100: 102400]\n"
                                   "  t0: 100: 102400 [100: 102400]\n"
                                   "@ 0x55a28cd0d189\n  t*: 0: 0 [5000: 320000]\n  t0: 0: 0 [5000: 320000]\n") +
                       std::string(kMaps);

} // namespace

class HeapTextTest : public QObject {
    Q_OBJECT
  private slots:
    void readsWhatGperftoolsWrites() {
        const auto opened = openText(kGperftools);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("100000 outstanding, 320000 freed"));
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{100});
        QCOMPARE(opened.trace->columns->heap.rows.objects(1), std::uint64_t{5000});
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!?", "?"}));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (1)"));
    }
    /// Whether a stack begins with it or goes through it, a code location has one address, which is that in the file.
    void showsTheAddressesOfTheFile() {
        for (const auto& text : {kGperftools, kJemalloc}) {
            auto changed = text;
            const std::string last = "@ 0x55a28cd0d189";
            changed.replace(changed.rfind(last), last.size(), "@ 0x7f0465645305");
            const auto opened = openText(changed);
            QCOMPARE(addressesOf(*opened.trace, 0), (std::vector<Address>{0x55a28cd0d165, 0x7f0465645305}));
            QCOMPARE(addressesOf(*opened.trace, 1), std::vector<Address>{0x7f0465645305});
        }
    }
    void readsLinesOfWindows() {
        const auto opened = openText(withReturns(kGperftools));
        QCOMPARE(sizesOf(*opened.trace), std::string("100000 outstanding, 320000 freed"));
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!?", "?"}));
        QCOMPARE(opened.trace->processes->key(ProcessIndex{0}), std::string("app (1)"));
        QVERIFY(opened.health.remarks.empty());
    }
    void readsWhatJemallocWrites() {
        const auto opened = openText(kJemalloc);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(sizesOf(*opened.trace), std::string("102400 outstanding, 320000 freed"));
        QCOMPARE(opened.trace->columns->heap.rows.objects(1), std::uint64_t{5000});
    }
    void takesNamesFromWhatJeprofMade() {
        const auto raw = "--- symbol\nbinary=./app\n0x000055a28cd0d164 leakOne(int)<0000000000001159>\n"
                         "0x00007f0465645304 __libc_start\n---\n--- heap\n" +
                         kJemalloc;
        const auto opened = openText(raw);
        QCOMPARE(opened.error, std::string());
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!leakOne(int)", "[unknown]!__libc_start"}));
    }
    /// The first address is the instruction pointer, which jeprof looks up unchanged; the others are return addresses.
    void takesTheNameOfTheFirstFrameAsItIs() {
        const auto raw = "--- symbol\nbinary=./app\n0x000055a28cd0d165 prof_backtrace\n"
                         "0x00007f0465645304 __libc_start\n---\n--- heap\n" +
                         kJemalloc;
        const auto opened = openText(raw);
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!prof_backtrace", "[unknown]!__libc_start"}));
    }
    /// Each sample found one block of 512 KB in 1,000,000; of such small blocks there are enough to fill the gap
    /// between two samples.
    void scalesSamples() {
        const auto opened = openText("heap profile: 1: 1024 [1: 1024] @ heap_v2/524288\n 1: 1024 [1: 1024] @ 0x1\n");
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{512});
        QVERIFY(opened.trace->heap.size(0) > 524'000 && opened.trace->heap.size(0) < 525'000);
        QVERIFY(opened.health.notes.front().find("samples") != std::string::npos);
    }
    void saysWhenItIsCutOff() {
        for (const auto& text : {kGperftools, kJemalloc}) {
            QVERIFY(openText(text).health.remarks.empty());
            // If the last stack is complete, only the list of modules is missing, and a note reports that.
            const auto last = text.find('\n', text.find("320000"));
            for (auto size = text.find("@ 0x55a28cd0d165"); size < text.find(kMaps) + 2; ++size) {
                const bool hasAllStacks = size > last && text[size - 1] == '\n';
                QCOMPARE(openText(text.substr(0, size)).health.remarks.empty(), hasAllStacks);
            }
        }
        auto less = kGperftools;
        less.erase(less.find("   100:   100000 [   100:"),
                   less.find("     0:        0") - less.find("   100:   100000 [   100:"));
        QCOMPARE(openText(less).health.remarks, std::vector<std::string>{"a.file is cut off; the rest is missing."});
    }
    void saysWhatItDoesNotRead() {
        QVERIFY(openText("heap profile: 1: 2 [3: 4] @ leaks\n").error.find("a text profile with the kind \"leaks\"") !=
                std::string::npos);
        QVERIFY(openText("heap profile: 1: 2 [3: 4]\n").error.find("pprof -proto") != std::string::npos);
        QVERIFY(openText("--- symbol\n").error.find("a list of symbols without a profile") != std::string::npos);
        QVERIFY(openText("--- symbol\n0x1 f\n---\n--- profile\nwords")
                    .error.find("a profile with symbols and the kind \"profile\"") != std::string::npos);
    }
    /// jemalloc writes only "@" where it could not walk the stack.
    void readsRecordsWithoutFrames() {
        const auto opened =
            openText("heap_v2/1\n  t*: 40: 4000 [0: 0]\n  t1: 40: 4000 [0: 0] worker\n@\n  t*: 30: 3000 [0: 0]\n"
                     "  t1: 30: 3000 [0: 0]\n@ 0x55a28cd0d165\n  t*: 10: 1000 [0: 0]\n" +
                     std::string(kMaps));
        QCOMPARE(sizesOf(*opened.trace), std::string("3000 outstanding, 1000 outstanding"));
        QCOMPARE(framesOf(*opened.trace, 0), Frames());
        QVERIFY(opened.health.remarks.empty());
        const auto gperftools =
            openText("heap profile: 3: 300 [4: 400] @ heapprofile\n3: 300 [4: 400] @\n" + std::string(kMaps));
        QCOMPARE(sizesOf(*gperftools.trace), std::string("300 outstanding, 100 freed"));
        QVERIFY(gperftools.health.remarks.empty());
    }
    /// After parts of a mapping were freed, gperftools counts as many frees as parts.
    void readsBytesOfNoObjectsOrFewer() {
        const auto opened = openText("heap profile: 11: 5365872 [20: 9000000] @ heapprofile\n"
                                     "  0: 5000000 [ 1: 5004096] @ 0x1\n -1: 353584 [ 1: 1048576] @ 0x2\n"
                                     " 12: 12288 [12: 12288] @ 0x3\n  0: 0 [ 7: 4096] @ 0x4\n" +
                                     std::string(kMaps));
        QCOMPARE(sizesOf(*opened.trace), std::string("5000000 outstanding, 4096 freed, 353584 outstanding, 694992 "
                                                     "freed, 12288 outstanding, 4096 freed"));
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{0});
        QCOMPARE(opened.trace->columns->heap.rows.objects(2), std::uint64_t{0});
        QVERIFY(opened.health.remarks.empty());
        QCOMPARE(
            opened.health.notes.back(),
            std::string("The number of objects in use is below zero in 1 stack of a.file (by 1 in total), although "
                        "bytes are not. It counts as 0 there."));
    }
    void readsBytesBelowZeroAsADifference() {
        const auto opened = openText("heap profile: 1: 100 [2: 200] @ heapprofile\n 3: 200 [3: 200] @ 0x1\n"
                                     "-2: -100 [0: 0] @ 0x2\n" +
                                     std::string(kMaps));
        QCOMPARE(sizesOf(*opened.trace), std::string("200 outstanding"));
        QVERIFY2(opened.health.remarks.front().find("100 bytes (2 objects) lower in 1 stack") != std::string::npos,
                 opened.health.remarks.front().c_str());
    }
    /// jemalloc 5.3 writes numbers that are right after scaling each pair separately: the allocated amount may be less
    /// than the amount in use before that. The sums of stacks do not equal the totals either.
    void scalesAllocationsOnTheirOwn() {
        const auto opened =
            openText("heap_v2/4096\n  t*: 2322: 99929206 [5281: 5574355]\n@ 0x1\n  t*: 10: 500000 [200: 20000]\n" +
                     std::string(kMaps));
        const auto freedBytes = static_cast<std::uint64_t>(20000 / (1 - std::exp(-100.0 / 4096))) -
                                static_cast<std::uint64_t>(500000 / (1 - std::exp(-50000.0 / 4096)));
        QCOMPARE(sizesOf(*opened.trace), "500002 outstanding, " + std::to_string(freedBytes) + " freed");
        QVERIFY(opened.health.remarks.empty());
    }
    /// Go with debug=1: the rate is written doubled, names follow each stack.
    void readsWhatGoWrites() {
        const auto opened = openText("heap profile: 1: 1024 [3: 3072] @ heap/1048576\n"
                                     "1: 1024 [3: 3072] @ 0x4b3e16 0x4b3de8 0x4374f2\n"
                                     "#\t0x4b3e15\tmain.inl+0x55\t\t/src/a b.go:6\n"
                                     "#\t0x4b3e15\tmain.caller+0x55\t/src/a b.go:7\n"
                                     "#\t0x4b3de7\tmain.main+0x27\t\t/src/a b.go:9\n"
                                     "\n0: 0 [1: 64] @ 0x4b3e16\n#\t0x4b3e15\tmain.inl+0x55\t/src/a b.go:6\n"
                                     "#\t0x4b3e15\tmain.caller+0x55\t/src/a b.go:7\n"
                                     "\n# runtime.MemStats\n# Alloc = 12\n# MaxRSS = 5\n");
        QCOMPARE(opened.error, std::string());
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{512});
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"[unknown]!main.inl /src/a b.go:6 < main.caller /src/a b.go:7",
                                                     "[unknown]!main.main /src/a b.go:9", "?"}));
        QVERIFY(opened.health.remarks.empty());
    }
    void readsEarlySamplesOfTcmalloc() {
        const auto opened =
            openText("heap profile: 1: 1024 [1: 1024] @ heap/1048576\n1: 1024 [1: 1024] @ 0x55a28cd0d165\n" +
                     std::string(kMaps));
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{512});
        QVERIFY(opened.health.remarks.empty());
    }
    void saysWhenAFileOfGoIsCutOff() {
        QCOMPARE(
            openText("heap profile: 2: 2048 [2: 2048] @ heap/1048576\n1: 1024 [1: 1024] @ 0x4b3e16\n").health.remarks,
            std::vector<std::string>{"a.file is cut off; the rest is missing."});
    }
    /// As pprof does. The program does not have such memory in use, and a note reports that.
    void readsGrowthAndFragmentation() {
        for (const std::string kind : {"growth", "growthz", "fragmentation", "fragmentationz"}) {
            const auto opened = openText("heap profile: 2: 3145728 [2: 3145728] @ " + kind +
                                         "\n 1: 1048576 [1: 1048576] @ 0x1\n"
                                         " 1: 2097152 [1: 2097152] @ 0x2\n" +
                                         std::string(kMaps));
            QCOMPARE(opened.error, std::string());
            QCOMPARE(sizesOf(*opened.trace), std::string("1048576 outstanding, 2097152 outstanding"));
            QVERIFY(opened.health.notes.front().find("does not show") != std::string::npos);
        }
    }
    /// Without /proc, and on Windows, jemalloc writes no modules, so nothing is missing.
    void readsFilesWithoutModules() {
        const auto opened = openText("heap_v2/1\n  t*: 3: 300 [0: 0]\n  t0: 3: 300 [0: 0]\n@ 0x1\n  t*: 3: 300 [0: 0]\n"
                                     "  t0: 3: 300 [0: 0]\n");
        QCOMPARE(sizesOf(*opened.trace), std::string("300 outstanding"));
        QVERIFY(opened.health.remarks.empty());
        QVERIFY(std::any_of(opened.health.notes.begin(), opened.health.notes.end(), [](const std::string& note) {
            return note.find("no list of modules") != std::string::npos;
        }));
    }
    /// jemalloc with prof_accum:false, and samples of tcmalloc, do not contain freed amounts.
    void saysWhenWhatWasFreedIsNotKnown() {
        const auto isSaid = [](const std::string& text) {
            const auto opened = openText(text + std::string(kMaps));
            return std::any_of(opened.health.notes.begin(), opened.health.notes.end(), [](const std::string& note) {
                return note.find("not freed memory") != std::string::npos;
            });
        };
        QVERIFY(isSaid("heap_v2/1\n  t*: 3: 300 [0: 0]\n@ 0x1\n  t*: 3: 300 [0: 0]\n"));
        QVERIFY(isSaid("heap profile: 3: 300 [3: 300] @ heap_v2/4096\n 3: 300 [3: 300] @ 0x1\n"));
        QVERIFY(!isSaid("heap profile: 3: 300 [3: 300] @ heapprofile\n 3: 300 [3: 300] @ 0x1\n"));
        QVERIFY(!isSaid("heap_v2/1\n  t*: 3: 300 [4: 400]\n@ 0x1\n  t*: 3: 300 [4: 400]\n"));
    }
    void readsLinesThatEndAsOnWindows() {
        for (auto text : {kGperftools, kJemalloc}) {
            for (std::size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 2)
                text.insert(at, 1, '\r');
            const auto opened = openText(text);
            QVERIFY(opened.health.remarks.empty());
            QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!?", "?"}));
        }
    }
    void readsModulesInTheFormsOfPprof() {
        for (const std::string maps : {"MAPPED_LIBRARIES:\n0x40000-0x80000 /path/to/binary (@FF00) abc123456\n",
                                       "--- Memory map:\n0x40000-0x80000 /path/to/binary\n",
                                       "MAPPED_LIBRARIES:\n  00040000-00080000: binary\n"}) {
            const auto opened = openText("heap profile: 1: 5 [1: 5] @ heapprofile\n 1: 5 [1: 5] @ 0x40010\n\n" + maps);
            QCOMPARE(framesOf(*opened.trace, 0), (Frames{"binary!?"}));
        }
    }
    void leavesOutWhatIsDamaged() {
        const auto opened =
            openText("heap_v2/1\n@ 0x1\n  t*: 1: 99999999999999999999 [0: 0]\n@ 0x2\n  t*: 1: 5 [1: 5]\n");
        QCOMPARE(sizesOf(*opened.trace), std::string("5 outstanding"));
        QVERIFY(opened.health.totalsAreBounds());
    }
};

HIGHWATER_TEST(HeapTextTest);
#include "heap_text_test.moc"
