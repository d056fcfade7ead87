#include "core/source/profiles/heap_text.h"

#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

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
    /// The first address is where the processor stood, and jeprof names it as it is; the others are returned to.
    void takesTheNameOfTheFirstFrameAsItIs() {
        const auto raw = "--- symbol\nbinary=./app\n0x000055a28cd0d165 prof_backtrace\n"
                         "0x00007f0465645304 __libc_start\n---\n--- heap\n" +
                         kJemalloc;
        const auto opened = openText(raw);
        QCOMPARE(framesOf(*opened.trace, 0), (Frames{"app!prof_backtrace", "[unknown]!__libc_start"}));
    }
    /// One of 512 KB in 1,000,000 was found with each sample: of so small ones there are as many as fill the gap
    /// between two.
    void scalesSamples() {
        const auto opened = openText("heap profile: 1: 1024 [1: 1024] @ heap_v2/524288\n 1: 1024 [1: 1024] @ 0x1\n");
        QCOMPARE(opened.trace->columns->heap.rows.objects(0), std::uint64_t{512});
        QVERIFY(opened.trace->heap.size(0) > 524'000 && opened.trace->heap.size(0) < 525'000);
        QVERIFY(opened.health.notes.front().find("samples") != std::string::npos);
    }
    void saysWhenItIsCutOff() {
        for (const auto& text : {kGperftools, kJemalloc}) {
            QVERIFY(openText(text).health.remarks.empty());
            for (auto size = text.find("@ 0x55a28cd0d165"); size < text.find(kMaps) + 2; ++size)
                QVERIFY(!openText(text.substr(0, size)).health.remarks.empty());
        }
        auto less = kGperftools;
        less.erase(less.find("   100:   100000 [   100:"),
                   less.find("     0:        0") - less.find("   100:   100000 [   100:"));
        QCOMPARE(openText(less).health.remarks,
                 std::vector<std::string>{"a.file is cut off: what follows is missing."});
    }
    void saysWhatItDoesNotRead() {
        QVERIFY(openText("heap profile: 1: 2 [3: 4] @ heap/1048576\n").error.find("pprof -proto") != std::string::npos);
        QVERIFY(openText("--- symbol\n").error.find("does not read") != std::string::npos);
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
