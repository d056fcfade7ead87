#include "core/export/questions/balance_writer.h"

#include "tests/support/json_compare.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <sstream>

using namespace highwater;
using namespace highwater::exports;
using analysis::Balance, analysis::BalanceCourse, analysis::BalancePart, analysis::MemoryLayer;

namespace {

constexpr ByteCount kMegabyte = 1 << 20;

/// The heap was 10 MB larger once, and is all of the memory without other names.
analysis::SharedResidentPeaks peaksOf(const Balance& balance) {
    auto highest = balance.point;
    highest.resident += 10 * kMegabyte;
    highest.layers[MemoryLayer::Returnable] += 10 * kMegabyte;
    const auto peaks = std::make_shared<analysis::ResidentPeaks>();
    peaks->add({"[heap]", {}}, highest.layers);
    peaks->endSample(highest);
    return peaks;
}

/// Most of its memory is free. Its name contains a character that would control a terminal.
Balance trimmable() {
    Balance balance;
    balance.name = "a\x1B (7)";
    auto& point = balance.point;
    point.time = TraceTime{1'500'000'001};
    point.layers[MemoryLayer::Live] = 21 * kMegabyte;
    point.layers[MemoryLayer::Returnable] = 1100 * kMegabyte;
    point.layers[MemoryLayer::Unknown] = 4096;
    point.resident = point.layers.sum();
    point.swapped = 3 * kMegabyte;
    const auto add = [&](MemoryLayer layer, const char* mapping, ByteCount bytes) {
        BalancePart part;
        part.layer = layer;
        part.name = mapping;
        part.resident = part.proportional = part.privateDirty = bytes;
        part.swapped = 1;
        part.reserved = 2 * bytes;
        balance.parts.push_back(part);
    };
    add(MemoryLayer::Returnable, "[heap]", 1100 * kMegabyte);
    add(MemoryLayer::Live, "[heap]", 21 * kMegabyte);
    add(MemoryLayer::Unknown, "(anonymous)", 4096);
    add(MemoryLayer::Images, "/lib/a,b.so", 0);
    balance.modules = balance.parts;
    balance.modules[2].name = "/lib/module.so";
    balance.peaks = peaksOf(balance);
    return balance;
}

BalanceCourse courseOf(const Balance& balance) {
    BalanceCourse course;
    course.name = balance.name;
    course.points = {balance.point, balance.point};
    course.points.back().time = TraceTime{2'000'000'000};
    return course;
}

template <typename Write>
QString written(Write write) {
    std::ostringstream out;
    write(out);
    return QString::fromStdString(out.str());
}

} // namespace

class BalanceWriterTest : public QObject {
    Q_OBJECT

  private slots:
    void textIsATableAndASentence() {
        const auto text = written([](auto& out) { writeBalanceText({trimmable()}, BalanceDetail::Layers, out); });
        const QString expected = QString::fromUtf8(
            "Resident memory of a\uFFFD (7) at 1.500000001 s, in MB\n\nLayer                            Resident  "
            "Share of "
            "Rss       Peak\nLive blocks                          21.0         1.9 %       21.0\nFree, returnable      "
            "             1100.0        98.1 %     1110.0\nUnknown                               0.0         0.0 %     "
            "   0.0\nRss                                1121.0       100.0 %     1131.0\nSwap                          "
            "        3.0\n\n   Resident        Pss  Private dirty       Swap     Reserved       Peak  Layer            "
            "            Largest unknown mappings\n        0.0        0.0            0.0        0.0          0.0       "
            " 0.0  Unknown                      (anonymous)\n\n   Resident        Pss  Private dirty       Swap     "
            "Reserved       Peak  Layer                        Largest other mappings\n     1100.0     1100.0         "
            "1100.0        0.0       2200.0     1110.0  Free, returnable             [heap]\n       21.0       21.0    "
            "       21.0        0.0         42.0       21.0  Live blocks                  [heap]\n\nLive blocks use "
            "21.0 MB of 1.1 GB in RAM; 1.1 GB is free, on pages without live blocks (malloc_trim() may return these "
            "pages to the system). In addition, 3.0 MB is in swap.\n");
        QCOMPARE(text, expected);
        const auto all = written([](auto& out) { writeBalanceText({trimmable()}, BalanceDetail::Mappings, out); });
        QVERIFY(all.contains("/lib/a,b.so") && all.contains("  Mapping\n") && !all.contains("Largest"));
        const auto modules = written([](auto& out) { writeBalanceText({trimmable()}, BalanceDetail::Modules, out); });
        QVERIFY(modules.contains("/lib/module.so") && modules.contains("  Module\n"));
    }
    void jsonNamesLayersInTheirOrder() {
        const auto json = [](BalanceDetail detail) {
            return written([&](auto& out) { writeBalanceJson({trimmable()}, detail, {}, out); });
        };
        QCOMPARE(json(BalanceDetail::Layers),
                 QString(R"~({"schema_version":1,"at_s":1.500000001,"processes":[{"process":"a\u001b (7)",)~"
                         R"~("at_s":1.500000001,"rss_bytes":1175457792,"swap_bytes":3145728,"layers":[)~"
                         R"~({"layer":"live","bytes":22020096,"peak_bytes":22020096},)~"
                         R"~({"layer":"returnable","bytes":1153433600,"peak_bytes":1163919360},)~"
                         R"~({"layer":"unknown","bytes":4096,"peak_bytes":4096}],)~"
                         R"~("trim":{"returnable_bytes":1153433600},"peak_rss_bytes":1185943552}],"health":[]})~"
                         "\n"));
        auto incomplete = trimmable();
        incomplete.whyIncomplete = "the recording has no heap events";
        QVERIFY(!written([&](auto& out) {
                     writeBalanceJson({incomplete}, BalanceDetail::Layers, {}, out);
                 }).contains("trim"));
        QVERIFY(json(BalanceDetail::Mappings)
                    .contains(R"~("mappings":[{"layer":"returnable","mapping":"[heap]","rss_bytes":1153433600,)~"
                              R"~("pss_bytes":1153433600,"private_dirty_bytes":1153433600,"swap_bytes":1,)~"
                              R"~("reserved_bytes":2306867200,"peak_rss_bytes":1163919360},)~"));
        QVERIFY(json(BalanceDetail::Modules).contains(R"~("modules":[{"layer":"returnable","module":"[heap]",)~"));
        QCOMPARE(written([](auto& out) { writeBalanceJson({}, BalanceDetail::Layers, {}, out); }),
                 QString(R"~({"schema_version":1,"at_s":null,"processes":[],"health":[]})~"
                         "\n"));
    }
    void csvHasALinePerLayerMappingOrModule() {
        QCOMPARE(written([](auto& out) { writeBalanceCsv({trimmable()}, BalanceDetail::Layers, out); }),
                 QString::fromUtf8("at_s,process,rss_bytes,swap_bytes,layer,bytes,peak_bytes\n"
                                   "1.500000001,a\uFFFD (7),1175457792,3145728,live,22020096,22020096\n"
                                   "1.500000001,a\uFFFD (7),1175457792,3145728,returnable,1153433600,1163919360\n"
                                   "1.500000001,a\uFFFD (7),1175457792,3145728,unknown,4096,4096\n"));
        const auto lines =
            written([](auto& out) { writeBalanceCsv({trimmable()}, BalanceDetail::Mappings, out); }).split('\n');
        QCOMPARE(lines.size(), 6);
        QCOMPARE(lines[4], QString::fromUtf8("1.500000001,a\uFFFD (7),images,\"/lib/a,b.so\",0,0,0,1,0,0"));
        QVERIFY(lines[0].endsWith(",reserved_bytes,peak_rss_bytes"));
        const auto modules = written([](auto& out) { writeBalanceCsv({trimmable()}, BalanceDetail::Modules, out); });
        QVERIFY(modules.startsWith("at_s,process,layer,module,rss_bytes,"));
        QVERIFY(modules.contains(",unknown,/lib/module.so,4096,"));
    }
    void aTrialHasItsProcess() {
        const TrimTrial trial{"a\x1b (7)", 2 << 20, 1 << 20};
        QVERIFY(written([&](auto& out) { writeTrialText(trial, out); })
                    .startsWith(QString::fromUtf8(
                        "a\uFFFD (7): malloc_trim() would return 1.0 MB of 2.0 MB Rss to the system (tried")));
        QCOMPARE(written([&](auto& out) { writeTrialJson(trial, out); }),
                 QString(R"~({"schema_version":1,"processes":[{"process":"a\u001b (7)","rss_bytes":2097152,)~"
                         R"~("trim":{"tried_bytes":1048576}}]})~"
                         "\n"));
    }
    void otherAllocatorsOfATrialHaveTheNumbersThatTheyGave() {
        TrimTrial trial{"a (7)", 2 << 20, 0};
        trial.allocators.resize(2);
        auto& jemalloc = trial.allocators[0];
        for (std::size_t i = 0; i < kAllocatorNumbers; ++i)
            jemalloc.numbers[i] = i;
        jemalloc.numbers[0] = ~std::uint64_t{0}; // claims of the process
        jemalloc.tried = 1 << 20;
        auto& mimalloc = trial.allocators[1];
        mimalloc.allocator = OtherAllocator::Mimalloc;
        mimalloc.end = AllocatorTrial::End::TooLate;
        const auto text = written([&](auto& out) { writeTrialText(trial, out); });
        QCOMPARE(text.count("\na (7): "), 2);
        QVERIFY(text.contains("\na (7): jemalloc reports 16.0 EB allocated, "));
        const auto json = written([&](auto& out) { writeTrialJson(trial, out); });
        QVERIFY2(json.contains(R"~("allocators":[{"allocator":"jemalloc","function":"mallctl",)~"
                               R"~("allocated_bytes":18446744073709551615,"active_bytes":1,"metadata_bytes":2,)~"
                               R"~("resident_bytes":3,"mapped_bytes":4,"retained_bytes":5,"free_pages_bytes":6,)~"
                               R"~("caches_bytes":7,"committed_bytes":8,"arenas":9,"tried_bytes":1048576},)~"
                               R"~({"allocator":"mimalloc","function":"mi_process_info","problem":"too_late"}])~"),
                 qPrintable(json));
        mimalloc.end = AllocatorTrial::End::Failed;
        QVERIFY(written([&](auto& out) { writeTrialJson(trial, out); }).contains(R"~("problem":"failed")~"));
    }
    void aCourseHasAllSamples() {
        const auto csv = written([](auto& out) { writeCourseCsv({courseOf(trimmable())}, out); });
        QCOMPARE(csv.count('\n'), 7);
        QVERIFY(csv.contains("\n2.0,"));
        const auto json = written([](auto& out) { writeCourseJson({courseOf(trimmable())}, {}, out); });
        QVERIFY(
            json.startsWith(R"~({"schema_version":1,"processes":[{"process":"a\u001b (7)","samples":[{"at_s":1.5)~"));
        QVERIFY(json.contains(R"~({"at_s":2.0,"rss_bytes":1175457792,)~"));
    }
};

HIGHWATER_TEST(BalanceWriterTest);
#include "balance_writer_test.moc"
