#include "core/analysis/sweeps/level_index.h"

#include "core/analysis/sweeps/level_index_cache.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <numeric>
#include <random>
#include <vector>

using namespace highwater;
using namespace highwater::analysis;

namespace {

using Measure = RowSweep::Measure;
constexpr std::uint32_t kSites = 24;

/// Rows of some sites that begin and end, in columns and in a plain list of events.
class Happenings {
  public:
    explicit Happenings(unsigned seed) : random_(seed) {
        for (std::uint32_t site = 0; site < kSites; ++site)
            (void)columns_->heap.sites.intern(store::Site{StackId{0}, HeapId{0}, site, 0, false, 0});
    }
    std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

    void addOlder(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            begin(kBeforeTrace);
    }
    void add(std::size_t events, bool withOlder = false) {
        for (std::size_t i = 0; i < events; ++i) {
            now_ += pick(3);
            if (withOlder && pick(50) == 0) begin(kBeforeTrace);
            if (living_.empty() || pick(9) < 5) {
                begin(TraceTime{now_});
            } else {
                end();
            }
        }
    }
    [[nodiscard]] std::int64_t now() const { return now_; }

    /// Everything so far; events at or after the horizon have not happened yet.
    [[nodiscard]] std::shared_ptr<store::PublishedTrace> publish(TraceTime horizon) const {
        auto trace = std::make_shared<store::PublishedTrace>();
        trace->columns = columns_;
        trace->horizon = horizon;
        trace->processes = std::make_shared<store::ProcessTable>();
        auto& view = trace->heap;
        view.columns = &columns_->heap;
        view.horizon = horizon;
        view.rows = columns_->heap.rows.rowCount();
        view.events = columns_->heap.rows.order().eventCount();
        view.olderRows = columns_->heap.rows.olderRows().size();
        view.olderBytes = columns_->heap.rows.olderBytes();
        view.sites = kSites;
        return trace;
    }

    /// The expected value of the index: the highest amount of these groups in the slice, including the amount carried
    /// in.
    [[nodiscard]] SignedByteCount peak(const GroupsOfSites& groups, const std::vector<std::uint32_t>& lineOfGroup,
                                       std::uint32_t line, TimeRange slice, TraceTime horizon, Measure measure) const {
        SignedByteCount level = 0;
        const auto add = [&](const Happening& each) {
            const auto group = groups.ofSite[each.site];
            if (group == 0 || lineOfGroup[group - 1] != line) return;
            level += each.sign * (measure == Measure::Bytes ? static_cast<SignedByteCount>(each.size) : 1);
        };
        for (const auto& each : happenings_) {
            if (each.time == kBeforeTrace) add(each);
        }
        for (const auto& each : happenings_) {
            if (each.time != kBeforeTrace && each.time < std::min(slice.start, horizon)) add(each);
        }
        auto highest = level;
        for (const auto& each : happenings_) {
            if (each.time < slice.start || each.time >= std::min(slice.end, horizon)) continue;
            add(each);
            highest = std::max(highest, level);
        }
        return highest;
    }

  private:
    struct Happening {
        TraceTime time;
        std::uint32_t site = 0;
        ByteCount size = 0;
        int sign = 1;
    };
    void begin(TraceTime time) {
        RowId row = 0;
        const auto site = pick(kSites);
        const ByteCount size = pick(20) == 0 ? 0 : pick(40) == 0 ? 50'000'000 : pick(1000);
        QVERIFY(columns_->heap.rows.begin(time, 0x1000, size, SiteId{site}, row));
        happenings_.push_back({time, site, size, 1});
        living_.push_back({row, site, size});
    }
    void end() {
        const auto at = pick(static_cast<std::uint32_t>(living_.size()));
        const auto [row, site, size] = living_[at];
        living_.erase(living_.begin() + at);
        columns_->heap.rows.end(row, TraceTime{now_}, SiteId{0});
        happenings_.push_back({TraceTime{now_}, site, size, -1});
    }
    struct Living {
        RowId row = 0;
        std::uint32_t site = 0;
        ByteCount size = 0;
    };

    std::mt19937 random_;
    std::shared_ptr<store::TraceColumns> columns_ = std::make_shared<store::TraceColumns>();
    std::vector<Happening> happenings_;
    std::vector<Living> living_;
    std::int64_t now_ = 10;
};

/// Every third site is in no group, if asked for.
GroupsOfSites randomGroups(Happenings& of, std::uint32_t count, bool leavesOut) {
    GroupsOfSites groups{count, {}};
    for (std::uint32_t site = 0; site < kSites; ++site)
        groups.ofSite.push_back(leavesOut && site % 3 == 0 ? 0 : 1 + (site < count ? site : of.pick(count)));
    return groups;
}

std::vector<TraceTime> randomEdges(Happenings& of) {
    std::vector<std::int64_t> times;
    const auto count = 2 + of.pick(12);
    for (std::uint32_t i = 0; i < count; ++i)
        times.push_back(of.pick(static_cast<std::uint32_t>(of.now() + 20)));
    if (of.pick(3) == 0) times.push_back(times.back());
    std::ranges::sort(times);
    std::vector<TraceTime> edges;
    for (const auto time : times)
        edges.push_back(TraceTime{time});
    return edges;
}

LevelIndex::Lines randomLines(Happenings& of, std::uint32_t groups) {
    LevelIndex::Lines lines{1 + of.pick(groups), {}};
    for (std::uint32_t group = 0; group < groups; ++group) {
        const auto line = of.pick(static_cast<std::uint32_t>(lines.count) + 1);
        lines.ofGroup.push_back(line == lines.count ? LevelIndex::kNoLine : line);
    }
    return lines;
}

void compare(const Happenings& of, const LevelIndex& index, const store::PublishedTrace& trace, Measure measure,
             const std::vector<TraceTime>& edges, const LevelIndex::Lines& lines) {
    const auto peaks = index.peaks({&trace.heap, measure}, edges, lines, {});
    QVERIFY(peaks.has_value());
    for (std::uint32_t line = 0; line < lines.count; ++line) {
        for (std::size_t slice = 0; slice + 1 < edges.size(); ++slice) {
            const auto expected =
                of.peak(index.groups(), lines.ofGroup, line, {edges[slice], edges[slice + 1]}, trace.horizon, measure);
            QCOMPARE((*peaks)[line][slice], expected);
        }
    }
}

std::vector<std::uint32_t> eachItsOwn(std::uint32_t groups) {
    std::vector<std::uint32_t> lines(groups);
    std::iota(lines.begin(), lines.end(), 0u);
    return lines;
}

} // namespace

/// Peaks of groups of sites, and of several groups together, between any instants.
class LevelIndexTest : public QObject {
    Q_OBJECT
  private slots:
    void saysWhatAPlainCountSays_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 60; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    /// Sizes of zero and of more bytes than fit beside a group, rows older than the trace, horizons before the last
    /// event, slices without length.
    void saysWhatAPlainCountSays() {
        QFETCH(unsigned, seed);
        Happenings happenings(seed);
        if (seed % 3 == 0) happenings.addOlder(20);
        happenings.add(200 + happenings.pick(1500), seed % 4 == 0);
        const TraceTime horizon{happenings.now() + 1 - (seed % 5 == 0 ? 100 : 0)};
        const auto trace = happenings.publish(horizon);
        const auto measure = seed % 2 == 0 ? Measure::Bytes : Measure::Rows;
        const auto groups = randomGroups(happenings, 1 + happenings.pick(9), seed % 7 == 0);
        const auto blockEvents = std::uint64_t{64} << happenings.pick(4);
        const auto index = LevelIndex::make({&trace->heap, measure}, groups, blockEvents, nullptr, {});
        for (int round = 0; round < 12; ++round)
            compare(happenings, *index, *trace, measure, randomEdges(happenings),
                    randomLines(happenings, groups.count));
    }

    void goesOnFromAnEarlierPublication_data() { saysWhatAPlainCountSays_data(); }
    void goesOnFromAnEarlierPublication() {
        QFETCH(unsigned, seed);
        Happenings happenings(seed);
        happenings.addOlder(seed % 2 == 0 ? 5 : 0);
        const auto groups = randomGroups(happenings, 1 + happenings.pick(9), false);
        std::shared_ptr<const LevelIndex> before;
        for (int publication = 0; publication < 5; ++publication) {
            happenings.add(happenings.pick(400));
            const auto trace = happenings.publish(TraceTime{happenings.now() - happenings.pick(60)});
            const auto index = LevelIndex::make({&trace->heap, Measure::Bytes}, groups, 64, before.get(), {});
            compare(happenings, *index, *trace, Measure::Bytes, randomEdges(happenings),
                    randomLines(happenings, groups.count));
            before = index;
        }
    }

    void noGroupsHaveNoLines() {
        Happenings happenings(1);
        happenings.add(300);
        const auto trace = happenings.publish(TraceTime{happenings.now() + 1});
        const LevelIndex::Source source{&trace->heap, Measure::Bytes};
        const auto index = LevelIndex::make(source, {0, std::vector<std::uint32_t>(kSites)}, 64, nullptr, {});
        const std::vector<TraceTime> edges{TraceTime{0}, TraceTime{50}};
        QCOMPARE(index->peaks(source, edges, {1, {}}, {})->front(), std::vector<SignedByteCount>{0});
    }
    void stopsWhenTheQuestionChanges() {
        Happenings happenings(1);
        happenings.add(1000);
        const auto trace = happenings.publish(TraceTime{happenings.now() + 1});
        const auto groups = randomGroups(happenings, 3, false);
        std::stop_source stop;
        const LevelIndex::Source source{&trace->heap, Measure::Bytes};
        const auto index = LevelIndex::make(source, groups, 64, nullptr, {});
        stop.request_stop();
        QVERIFY(LevelIndex::make(source, groups, 64, nullptr, stop.get_token()) == nullptr);
        const std::vector<TraceTime> edges{TraceTime{0}, TraceTime{50}};
        QVERIFY(!index->peaks(source, edges, {3, eachItsOwn(3)}, stop.get_token()).has_value());
    }

    void aTableWithPartialReleasesOrVeryLargeRowsHasNoIndex() {
        for (const bool isWide : {true, false}) {
            auto columns = std::make_shared<store::TraceColumns>();
            RowId row = 0;
            (void)columns->heap.sites.intern(store::Site{});
            QVERIFY(columns->heap.rows.begin(TraceTime{1}, 0, isWide ? ByteCount{1} << 40 : 100, SiteId{0}, row));
            if (!isWide) columns->heap.rows.release(row, TraceTime{2}, 10, SiteId{0}, false);
            store::TableView view;
            view.columns = &columns->heap;
            view.rows = 1;
            view.partials = columns->heap.rows.partials().size();
            QVERIFY(!LevelIndex::canIndex(view));
        }
    }

    void blocksAreAsLongAsManyGroupsNeed() {
        QCOMPARE(LevelIndex::blockEventsFor(1000, 5), std::uint64_t{512});
        const auto length = LevelIndex::blockEventsFor(40'000'000, 100'000);
        QVERIFY(40'000'000 / length * 100'000 <= LevelIndex::kMostLevels);
        QVERIFY(LevelIndex::blockEventsFor(40'000'000, 0xFFFFFFFF) > 0);
    }
};
HIGHWATER_TEST(LevelIndexTest);

/// Which indexes are cached, and their answers.
class LevelIndexCacheTest : public QObject {
    Q_OBJECT
  private slots:
    void finerGroupsAnswerForCoarserOnes() {
        Happenings happenings(3);
        happenings.add(1500);
        const auto trace = happenings.publish(TraceTime{happenings.now() + 1});
        LevelIndexCache cache;
        const auto fine = randomGroups(happenings, 9, false);
        const auto made = cache.find(*trace, store::TableKind::Heap, Measure::Bytes, fine, {});
        GroupsOfSites coarse{3, {}};
        for (const auto group : fine.ofSite)
            coarse.ofSite.push_back(group % 4); // one of four is left out, as a filter does
        const auto found = cache.find(*trace, store::TableKind::Heap, Measure::Bytes, coarse, {});
        QCOMPARE(found->index.get(), made->index.get());
        for (int round = 0; round < 20; ++round)
            compare(happenings, *found->index, *trace, Measure::Bytes, randomEdges(happenings), {3, found->groupOf});
        GroupsOfSites across = fine;
        for (std::uint32_t site = 0; site < kSites; ++site)
            across.ofSite[site] = 1 + site % 2;
        across.count = 2;
        QVERIFY(cache.find(*trace, store::TableKind::Heap, Measure::Bytes, across, {})->index != made->index);
        QVERIFY(cache.find(*trace, store::TableKind::Heap, Measure::Rows, fine, {})->index != made->index);
    }

    void isRightForEachPublication_data() {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 30; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }
    /// Rows older than the trace that arrive late change all earlier values.
    void isRightForEachPublication() {
        QFETCH(unsigned, seed);
        Happenings happenings(seed);
        LevelIndexCache cache;
        const GroupsOfSites groupings[] = {randomGroups(happenings, 2, false), randomGroups(happenings, 7, true)};
        for (int publication = 0; publication < 6; ++publication) {
            happenings.add(happenings.pick(900), seed % 3 == 0);
            const auto trace = happenings.publish(TraceTime{happenings.now() - happenings.pick(40)});
            for (int round = 0; round < 4; ++round) {
                const auto& groups = groupings[happenings.pick(2)];
                const auto measure = happenings.pick(2) == 0 ? Measure::Bytes : Measure::Rows;
                const auto found = cache.find(*trace, store::TableKind::Heap, measure, groups, {});
                compare(happenings, *found->index, *trace, measure, randomEdges(happenings),
                        {groups.count, found->groupOf});
            }
        }
        QVERIFY(cache.bytes() > 0);
    }

    void forgetsATraceThatIsClosed() {
        LevelIndexCache cache;
        {
            Happenings happenings(5);
            happenings.add(100);
            const auto trace = happenings.publish(TraceTime{happenings.now() + 1});
            (void)cache.find(*trace, store::TableKind::Heap, Measure::Bytes, randomGroups(happenings, 3, false), {});
            QVERIFY(cache.bytes() > 0);
        }
        QCOMPARE(cache.bytes(), std::uint64_t{0});
    }
};
HIGHWATER_TEST(LevelIndexCacheTest);
#include "level_index_test.moc"
