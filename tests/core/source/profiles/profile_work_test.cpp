#include "tests/core/source/profiles/profile_trace.h"
#include "tests/support/test_registry.h"
#include "tests/support/work_ratio.h"

#include <fmt/format.h>

#include <QTest>

#include <functional>
#include <string>

using namespace highwater;
using namespace highwater::tests;

namespace {

using Make = std::function<std::string(std::size_t)>;

/// part(0), part(1), ...
template <typename Part>
Make listOf(std::string head, const Part& part, std::string end = {}) {
    return [=](std::size_t count) {
        auto text = head;
        for (std::size_t i = 0; i < count; ++i)
            text += part(i);
        return text + end;
    };
}

std::string massifSnapshot(std::size_t number, std::size_t bytes) {
    return fmt::format("#-----------\nsnapshot={0}\n#-----------\ntime={0}\nmem_heap_B={1}\nheap_tree=detailed\n",
                       number, bytes);
}

std::string number(std::uint64_t value) {
    std::string bytes;
    for (; value > 127; value >>= 7)
        bytes += static_cast<char>((value & 127) | 128);
    return bytes + static_cast<char>(value);
}
std::string field(std::uint64_t tag, std::string_view content) {
    return number(tag << 3 | 2) + number(content.size()).append(content);
}

} // namespace

/// A list in a profiler's file that is twice as long takes twice the time, however long it is.
class ProfileWorkTest : public QObject {
    Q_OBJECT
  private slots:
    void growsWithTheFile_data() {
        QTest::addColumn<Make>("make");
        const std::string massif = "desc: x\ncmd: ./app\ntime_unit: i\n";
        QTest::newRow("massif, stacks of their own in each snapshot") << listOf(massif, [](std::size_t i) {
            return massifSnapshot(i, 1) + fmt::format("n1: 1 (heap)\n n0: 1 0x{:x}: f{} (a.cc:1)\n", i + 1, i);
        });
        QTest::newRow("massif, one stack") << listOf(massif, [](std::size_t i) {
            return massifSnapshot(i, i + 1) + fmt::format("n1: {0} (heap)\n n0: {0} 0x1: f (a.cc:1)\n", i + 1);
        });
        QTest::newRow("massif, up and down") << listOf(massif, [](std::size_t i) {
            const auto bytes = i % 2 == 0 ? i + 2 : 1;
            return massifSnapshot(i, bytes) + fmt::format("n1: {0} (heap)\n n0: {0} 0x1: f (a.cc:1)\n", bytes);
        });
        QTest::newRow("massif, nodes of one tree")
            << listOf(massif + massifSnapshot(1, 1) + "n1: 1000000000 (heap)\n",
                      [](std::size_t i) { return fmt::format(" n0: 1 0x{:x}: f (a.cc:1)\n", i); });
        QTest::newRow("a frame of parentheses") << listOf(
            massif + massifSnapshot(1, 1) + "n1: 1 (heap)\n n0: 1 0x1: f", [](std::size_t) { return " (in "; }, ")\n");
        const std::string dhat = R"json({"dhatFileVersion":2,"mode":"heap","pps":[{})json";
        const std::string names = R"json(],"ftbl":["[root]","0x1: f (a.cc:1)"]})json";
        const auto point = [](std::size_t) { return R"json(,{"tb":1,"tbk":1,"fs":[1]})json"; };
        const auto name = [](std::size_t i) { return fmt::format(",\"0x{:x}: f{} (a.cc:1)\"", i, i); };
        QTest::newRow("DHAT, points") << listOf(dhat, point, names);
        QTest::newRow("DHAT, names") << listOf(dhat + "],\"ftbl\":[\"\"", name, "]}");
        QTest::newRow("V8, nodes") << listOf(
            R"json({"head":{"callFrame":{"functionName":"f"},"selfSize":1,"children":[{})json", [](std::size_t i) {
                return fmt::format(R"json(,{{"callFrame":{{"functionName":"f{}"}},"selfSize":1}})json", i);
            });
        const std::string head = "heap profile: 1: 1 [1: 1] @ heapprofile\n", mapped = "\nMAPPED_LIBRARIES:\n";
        QTest::newRow("text, stacks") << listOf(
            head, [](std::size_t i) { return fmt::format("1: 1 [1: 1] @ 0x{:x} 0x1\n", i); }, mapped);
        QTest::newRow("text, modules") << listOf(head + mapped, [](std::size_t i) {
            return fmt::format("{:x}-{:x} r-xp 0 0:0 0 /m{}\n", i * 16, i * 16 + 9, i);
        });
        QTest::newRow("text, symbols") << listOf(
            "--- symbol\nbinary=/app\n", [](std::size_t i) { return fmt::format("0x{:x} f{}\n", i, i); },
            "---\n" + head + mapped);
        QTest::newRow("jemalloc, stacks")
            << listOf("heap_v2/1\n", [](std::size_t i) { return fmt::format("@ 0x{:x}\n t*: 1: 1 [1: 1]\n", i); });
        const auto pprof = field(1, number(8) + number(1)) + field(6, "") + field(6, "inuse_space");
        QTest::newRow("pprof, types") << listOf(pprof, [](std::size_t) { return field(1, number(8) + number(1)); });
        QTest::newRow("pprof, places and samples") << listOf(pprof, [](std::size_t i) {
            return field(4, number(8) + number(i + 1)) + field(2, field(1, number(i + 1)) + field(2, number(5)));
        });
        const std::string heaptrack = "v 10400 3\nX ./app\ns 4 main\ni 1000 0 1\nt 1 0\n";
        QTest::newRow("heaptrack, blocks") << listOf(heaptrack + "a 8 1\n", [](std::size_t) { return "+ 0\n"; });
        QTest::newRow("heaptrack, blocks that come and go")
            << listOf(heaptrack + "a 8 1\n", [](std::size_t) { return "+ 0\n+ 0\n- 0\n"; });
        QTest::newRow("heaptrack, a chain of calls")
            << listOf(heaptrack, [](std::size_t i) { return fmt::format("t 1 {:x}\na 8 {:x}\n", i + 1, i + 1); });
        QTest::newRow("heaptrack, a chain of nothing")
            << listOf(heaptrack, [](std::size_t i) { return fmt::format("t 0 {:x}\na 8 {:x}\n", i + 1, i + 1); });
        QTest::newRow("heaptrack, names")
            << listOf(heaptrack, [](std::size_t i) { return fmt::format("s 8 {:08}\ni {:x} 0 {:x}\n", i, i, i + 2); });
    }
    void growsWithTheFile() {
        QFETCH(Make, make);
        const auto ratio = workRatio(2'000, [&](std::size_t count) { (void)openText(make(count)); });
        QVERIFY2(ratio < kMostWorkRatio, qPrintable(QString::number(ratio)));
    }
};

HIGHWATER_TEST(ProfileWorkTest);
#include "profile_work_test.moc"
