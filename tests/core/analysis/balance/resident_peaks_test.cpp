#include "core/analysis/balance/resident_peaks.h"

#include "tests/support/test_registry.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <QTest>

#include <set>
#include <string>

using namespace highwater;
using namespace highwater::analysis;

namespace {

LayerBytes bytesOf(std::initializer_list<std::pair<MemoryLayer, ByteCount>> list) {
    LayerBytes bytes;
    for (const auto& [layer, amount] : list)
        bytes[layer] = amount;
    return bytes;
}

/// Samples of mappings, one after the other.
struct Samples {
    ResidentPeaks peaks;
    BalancePoint point;

    Samples& map(const PartNames& names, const LayerBytes& bytes) {
        peaks.add(names, bytes);
        point.layers += bytes;
        point.resident += bytes.sum();
        return *this;
    }
    Samples& end() {
        peaks.endSample(point);
        point = {};
        return *this;
    }
};

} // namespace

class ResidentPeaksTest : public QObject {
    Q_OBJECT

  private slots:
    void mappingsOfOneNameAreAddedUpWithinASample() {
        Samples samples;
        samples.map({"", ""}, bytesOf({{MemoryLayer::Live, 3}})).map({"", ""}, bytesOf({{MemoryLayer::Stacks, 4}}));
        samples.end();
        samples.map({"", ""}, bytesOf({{MemoryLayer::Live, 5}})).end();
        QCOMPARE(samples.peaks.of(PartsBy::Mapping, "(anonymous)"), ByteCount{7});
        QCOMPARE(samples.peaks.of(PartsBy::Mapping, "(anonymous)", MemoryLayer::Live), ByteCount{5});
        QCOMPARE(samples.peaks.of(PartsBy::Module, "(anonymous)", MemoryLayer::Stacks), ByteCount{4});
    }
    /// The peak of a process is not the sum of the peaks of its layers, which are at other samples.
    void peaksDoNotAddUp() {
        Samples samples;
        samples.map({"[heap]", ""}, bytesOf({{MemoryLayer::Live, 10}, {MemoryLayer::Returnable, 1}})).end();
        samples.map({"[heap]", ""}, bytesOf({{MemoryLayer::Live, 1}, {MemoryLayer::Returnable, 8}})).end();
        QCOMPARE(samples.peaks.ofProcess(), ByteCount{11});
        QCOMPARE(samples.peaks.of(MemoryLayer::Live) + samples.peaks.of(MemoryLayer::Returnable), ByteCount{18});
    }
    void aModuleHasItsMemoryWithoutAFile() {
        Samples samples;
        samples.map({"/lib/a.so", "/lib/a.so"}, bytesOf({{MemoryLayer::Images, 4}}));
        samples.map({"", "/lib/a.so"}, bytesOf({{MemoryLayer::Images, 2}, {MemoryLayer::Live, 1}})).end();
        QCOMPARE(samples.peaks.of(PartsBy::Module, "/lib/a.so"), ByteCount{6});
        QCOMPARE(samples.peaks.of(PartsBy::Module, "(anonymous)"), ByteCount{1});
        QCOMPARE(samples.peaks.of(PartsBy::Mapping, "/lib/a.so"), ByteCount{4});
        QCOMPARE(samples.peaks.of(PartsBy::Mapping, "(anonymous)"), ByteCount{3});
    }
    void partsAreListedWithTheirPeaks() {
        Samples samples;
        samples.map({"/lib/a.so", "/lib/a.so"}, bytesOf({{MemoryLayer::Images, 4}})).end();
        samples.map({"", "/lib/a.so"}, bytesOf({{MemoryLayer::Images, 2}, {MemoryLayer::Live, 1}})).end();
        const auto textOf = [&](PartsBy by) {
            std::set<std::string> texts;
            for (const auto& part : samples.peaks.parts(by))
                texts.insert(fmt::format("{} {} {}", part.name, layerId(part.layer), part.highest));
            return fmt::format("{}", fmt::join(texts, ", "));
        };
        QCOMPARE(textOf(PartsBy::Mapping), std::string("(anonymous) images 2, (anonymous) live 1, /lib/a.so images 4"));
        QCOMPARE(textOf(PartsBy::Module), std::string("(anonymous) live 1, /lib/a.so images 4"));
    }
    void whatWasInNoSampleHasNone() {
        Samples samples;
        samples.end();
        QCOMPARE(samples.peaks.ofProcess(), ByteCount{0});
        QCOMPARE(samples.peaks.of(PartsBy::Mapping, "[heap]"), ByteCount{0});
    }
};

HIGHWATER_TEST(ResidentPeaksTest);
#include "resident_peaks_test.moc"
