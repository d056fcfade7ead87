#include "core/analysis/addresses/address_map.h"

#include "tests/core/analysis/random_trace.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

AddressLayout layoutOf(const store::PublishedTrace& trace, std::uint32_t process) {
    return layOutAddresses(trace, ProcessIndex{process}, 1, {}).value();
}

AddressMap mapOf(const store::PublishedTrace& trace, const AddressLayout& layout, const AddressMapQuery& query) {
    auto map = drawAddresses(trace, layout, query);
    if (!map.hasValue()) qFatal("%s", map.error().message.c_str());
    return std::move(map).value();
}

/// The picture by its definition, rectangle by rectangle and pixel by pixel.
class MapRecount {
  public:
    MapRecount(const Model& model, const AddressLayout& layout, const AddressMapQuery& query)
        : model_(model), layout_(layout), query_(query) {
        for (const auto& row : model.rows)
            add(row);
    }
    struct Pixel {
        double committed = 0, kept = 0, freed = 0;
    };
    [[nodiscard]] const Pixel& at(std::uint32_t column, std::uint32_t line) const {
        return pixels_[std::size_t{line} * query_.columns + column];
    }
    std::uint64_t rowCount = 0;
    ByteCount committedBytes = 0, liveBytes = 0;

  private:
    static double overlap(double a0, double a1, double b0, double b1) {
        return std::max(0.0, std::min(a1, b1) - std::max(a0, b0));
    }
    void add(const ModelRow& row) {
        if (row.process != query_.process.value) return;
        std::uint64_t first = 0, last = 0;
        for (const auto& part : layout_.parts()) {
            if (row.address < part.first || row.address - part.first >= part.size) continue;
            first = part.position + (row.address - part.first);
            last = std::min(part.end(), first + row.size);
        }
        const auto low = std::max(first, query_.firstPosition), high = std::min(last, query_.lastPosition);
        if (low >= high) return;
        const auto end = row.end.value_or(kNever);
        const bool isHeap = row.table == store::TableKind::Heap;
        if (row.begin < query_.instant && end >= query_.instant) {
            ByteCount released = 0;
            for (const auto& release : row.releases)
                released += release.time < query_.instant ? release.bytes : 0;
            (isHeap ? liveBytes : committedBytes) += std::min(high - low, row.size - released);
        }
        if (row.begin >= query_.interval.end || end <= query_.interval.start) return;
        ++rowCount;
        const auto columnOf = [&](TraceTime time) {
            const auto inside = std::clamp(time, query_.interval.start, query_.interval.end);
            return static_cast<double>(inside.ns - query_.interval.start.ns) * query_.columns /
                   static_cast<double>(query_.interval.end.ns - query_.interval.start.ns);
        };
        const auto lineOf = [&](std::uint64_t position) {
            return static_cast<double>(position - query_.firstPosition) * query_.lines /
                   static_cast<double>(query_.lastPosition - query_.firstPosition);
        };
        for (std::uint32_t line = 0; line < query_.lines; ++line) {
            for (std::uint32_t column = 0; column < query_.columns; ++column) {
                const auto area = overlap(columnOf(row.begin), columnOf(end), column, column + 1.0) *
                                  overlap(lineOf(low), lineOf(high), line, line + 1.0);
                auto& pixel = pixels_[std::size_t{line} * query_.columns + column];
                (isHeap ? end >= query_.interval.end ? pixel.kept : pixel.freed : pixel.committed) += area;
            }
        }
    }

    const Model& model_;
    const AddressLayout& layout_;
    const AddressMapQuery& query_;
    std::vector<Pixel> pixels_ = std::vector<Pixel>(std::size_t{query_.columns} * query_.lines);
};

/// As precise as 12 and 20 bits allow.
bool isShare(std::uint16_t share, double wanted, double rows) {
    return std::abs(std::min(1.0, wanted) - share / 65535.0) < 0.002 * (rows + 1) + 1.0 / 65535;
}

} // namespace

/// All addresses over time.
class AddressMapTest : public QObject {
    Q_OBJECT
  private slots:
    void theLayoutLeavesGapsOut() {
        constexpr auto kGranules = AddressLayout::kGap / AddressLayout::kGranule;
        const AddressLayout layout({{0x10, 0x11}, {0x10 + 1 + kGranules, 0x20 + kGranules}, {0x9000, 0x9001}});
        QCOMPARE(layout.parts().size(), std::size_t{2}); // up to this gap, the first two are one part
        const auto& second = layout.parts()[1];
        QCOMPARE(second.first, Address{0x9000'0000});
        QCOMPARE(layout.addressAt(second.position), Address{0x9000'0000});
        QCOMPARE(layout.addressAt(second.position - 1), Address{(0x20 + kGranules) * 0x10000 - 1});
        QCOMPARE(layout.positionOf(0x9000'0005).value_or(0), second.position + 5);
        QVERIFY(!layout.positionOf(0x8000'0000) && !layout.positionOf(0) && !layout.positionOf(0x9001'0000));
    }
    void everyAddressOfEveryRowHasAPlace() {
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 20; ++seed) {
            RandomTrace random(seed);
            const auto& last = random.publications().back();
            for (std::uint32_t process = 0; process < 3; ++process) {
                const auto layout = layoutOf(*last.trace, process);
                std::uint64_t position = 0;
                for (const auto& part : layout.parts()) {
                    QCOMPARE(part.position, position);
                    QVERIFY(part.size > 0 && part.first % AddressLayout::kGranule == 0);
                    position = part.end();
                }
                for (const auto& row : last.model.rows) {
                    if (row.process != process) continue;
                    const auto first = layout.positionOf(row.address);
                    QVERIFY(first.has_value());
                    QCOMPARE(layout.addressAt(*first), row.address);
                    if (row.size > 0)
                        QCOMPARE(layout.positionOf(row.address + row.size - 1).value_or(0), *first + row.size - 1);
                }
            }
        }
    }
    void equalsTheRecountOverRandomTraces() {
        std::uint64_t rows = 0;
        for (unsigned seed = 1; seed <= HIGHWATER_RANDOM_TRACES / 20; ++seed) {
            RandomTrace random(seed);
            for (const auto& publication : random.publications()) {
                const auto& trace = *publication.trace;
                AddressMapQuery query{.process = ProcessIndex{random.pick(3)},
                                      .interval = random.intervalOf(publication)};
                query.interval.end = std::min(query.interval.end, trace.horizon);
                const auto layout = layoutOf(trace, query.process.value);
                if (query.interval.isEmpty() || layout.size() == 0) continue;
                query.firstPosition = random.pick(4) * (layout.size() / 7);
                query.lastPosition = random.pick(2) == 0 ? layout.size() : query.firstPosition + layout.size() / 3;
                if (random.pick(3) == 0) { // single blocks
                    query.firstPosition = 0x5000;
                    query.lastPosition = 0x5000 + 1 + random.pick(0x1000);
                }
                query.lastPosition = std::min(query.lastPosition, layout.size());
                if (query.firstPosition >= query.lastPosition) continue;
                query.columns = 1 + random.pick(9);
                query.lines = 1 + random.pick(9);
                query.instant = random.pick(2) == 0 ? query.interval.end : TraceTime{random.pick(30)};
                const auto map = mapOf(trace, layout, query);
                const MapRecount recount(publication.model, layout, query);
                const auto where = fmt::format("seed {}", seed);
                QVERIFY2(map.rowCount == recount.rowCount && map.committedBytes == recount.committedBytes &&
                             map.liveBytes == recount.liveBytes,
                         fmt::format("{}: {} {} {} for {} {} {}", where, map.rowCount, map.committedBytes,
                                     map.liveBytes, recount.rowCount, recount.committedBytes, recount.liveBytes)
                             .c_str());
                QCOMPARE(map.rows.size(), static_cast<std::size_t>(map.rowCount));
                rows += map.rowCount;
                for (std::uint32_t line = 0; line < query.lines; ++line) {
                    for (std::uint32_t column = 0; column < query.columns; ++column) {
                        const auto& wanted = recount.at(column, line);
                        const auto at = map.at(column, line);
                        const auto count = static_cast<double>(map.rowCount);
                        QVERIFY2(isShare(map.committed[at], wanted.committed, count) &&
                                     isShare(map.kept[at], wanted.kept, count) &&
                                     isShare(map.freed[at], wanted.freed, count),
                                 fmt::format("{} at {}, {}: {} {} {} for {} {} {}", where, column, line,
                                             map.committed[at], map.kept[at], map.freed[at], wanted.committed * 65535,
                                             wanted.kept * 65535, wanted.freed * 65535)
                                     .c_str());
                    }
                }
            }
        }
        QVERIFY(rows > HIGHWATER_RANDOM_TRACES / 4);
    }
    void aTinyBlockIsSeenAmongLargeOnes() {
        ColumnsBuilder builder;
        builder.process("a.exe", 7, TraceTime{0});
        ModelRow row;
        row.heap = 0x10000;
        row.address = 0x7FFF'0000'0000;
        row.size = 1;
        row.begin = TraceTime{500};
        builder.alloc(row);
        const auto trace = builder.publish(TraceTime{1000});
        const auto layout = layoutOf(*trace, 0);
        const auto map = mapOf(*trace, layout,
                               {.interval = {TraceTime{0}, TraceTime{1000}},
                                .lastPosition = layout.size(),
                                .columns = 2,
                                .lines = 1,
                                .instant = TraceTime{1000}});
        QVERIFY(map.kept[0] == 0 && map.kept[1] > 0);
        QCOMPARE(map.liveBytes, ByteCount{1});
    }
    void refusesNothingAndStops() {
        RandomTrace random(3);
        const auto& trace = *random.publications().back().trace;
        const auto layout = layoutOf(trace, 0);
        QVERIFY(!drawAddresses(trace, layout, {}).hasValue());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!layOutAddresses(trace, ProcessIndex{0}, 1, stop.get_token()));
        const AddressMapQuery query{
            .interval = {TraceTime{0}, TraceTime{10}}, .lastPosition = 10, .instant = TraceTime{10}};
        const auto map = drawAddresses(trace, layout, query, stop.get_token());
        QVERIFY(!map.hasValue() && map.error().kind == ErrorKind::Cancelled);
    }
};
HIGHWATER_TEST(AddressMapTest);
#include "address_map_test.moc"
