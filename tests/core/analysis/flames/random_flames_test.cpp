#include "core/analysis/flames/flames.h"

#include "tests/core/analysis/random_query.h"
#include "tests/core/analysis/random_trace.h"
#include "tests/core/analysis/recount.h"
#include "tests/support/test_registry.h"

#include <QTest>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// The values of a path, or of all paths with this prefix, as docs/numbers.md 14 defines them.
struct PlainFlame {
    std::int64_t now = 0;
    std::int64_t before = 0;
    std::uint64_t count = 0;
    std::uint64_t width = 0;
    std::uint64_t frames = 0;
};

struct FlameChange {
    TraceTime time;
    std::uint64_t arrival = 0;
    std::int64_t delta = 0;
    std::size_t row = 0;
};

std::int64_t heldBefore(const RecountRow& row, TraceTime time) {
    if (row.begin && *row.begin >= time) return 0;
    auto bytes = static_cast<std::int64_t>(row.size);
    for (const auto& release : row.releases) {
        if (release.time < time) bytes -= static_cast<std::int64_t>(release.bytes);
    }
    return bytes;
}

/// The bytes of each row at the first instant when all rows together are at their peak.
std::vector<std::int64_t> heldAtPeak(const std::vector<RecountRow>& rows, TimeRange interval) {
    std::vector<std::int64_t> held;
    std::vector<FlameChange> changes;
    std::int64_t level = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& row = rows[i];
        held.push_back(heldBefore(row, interval.start));
        level += held.back();
        if (row.begin) changes.push_back({*row.begin, row.row->arrival, static_cast<std::int64_t>(row.size), i});
        for (const auto& release : row.releases)
            changes.push_back({release.time, release.arrival, -static_cast<std::int64_t>(release.bytes), i});
    }
    std::erase_if(changes, [&](const FlameChange& change) { return !interval.contains(change.time); });
    std::stable_sort(changes.begin(), changes.end(), [](const FlameChange& a, const FlameChange& b) {
        return a.time != b.time ? a.time < b.time : a.arrival < b.arrival;
    });
    auto highest = level;
    std::size_t taken = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        level += changes[i].delta;
        if (level <= highest) continue;
        highest = level;
        taken = i + 1;
    }
    for (std::size_t i = 0; i < taken; ++i)
        held[changes[i].row] += changes[i].delta;
    return held;
}

/// One query, answered and recounted.
class FlameComparison {
  public:
    FlameComparison(RandomTrace& random, const Publication& publication) : random_(random), publication_(publication) {
        query_.table = static_cast<Table>(random.pick(3));
        query_.interval = random.intervalOf(publication);
        query_.filter.marks = std::make_shared<const std::vector<Mark>>(publication.model.marks);
        query_.processExitFreesHeap = random.pick(3) == 0;
        query_.allocatorFrames = std::make_shared<AllocatorFrames>("D!*");
        const auto measures = flameMeasuresOf(query_.table);
        query_.measure = measures[random.pick(static_cast<unsigned>(measures.size()))];
        if (random.pick(3) == 0) query_.before = random.intervalOf(publication);
        const auto columns = recountedColumnsOf(query_.table);
        while (query_.keys.size() < 3 && random.pick(6) != 0) {
            const auto column = columns[random.pick(static_cast<unsigned>(columns.size()))];
            if (!isAggregate(column) && !isOfSingleRows(column)) query_.keys.push_back(column);
        }
        if (random.pick(2) == 0) addFilter();
        if (random.pick(4) == 0) query_.mostFrames = random.pick(20);
    }

    std::string run() {
        const auto computed = computeFlames(*publication_.trace, labels_, query_);
        if (!computed.hasValue()) return computed.error().message;
        const auto difference = compare(computed.value());
        return difference.empty() ? difference : difference + " in " + describe();
    }
    [[nodiscard]] Column measure() const { return query_.measure; }

  private:
    std::string describe() const {
        auto text = fmt::format("{} {}..{}, {}", tableWord(query_.table), query_.interval.start.ns,
                                query_.interval.end.ns, columnName(query_.table, query_.measure));
        if (query_.before) text += fmt::format(" before {}..{}", query_.before->start.ns, query_.before->end.ns);
        for (const auto key : query_.keys)
            text += fmt::format(" [{}]", columnName(query_.table, key));
        if (text_.holds) text += " where " + text_.text;
        return text + fmt::format(" most {}{}", query_.mostFrames, query_.processExitFreesHeap ? ", exit frees" : "");
    }
    void addFilter() {
        text_ = randomQuery(random_, query_.table, recountOf(query_.interval));
        query_.filter.query = QueryExpression::parse(query_.table, text_.text).value();
    }
    [[nodiscard]] Recount recountOf(TimeRange interval) const {
        return {publication_.model,          query_.table, interval, publication_.trace->horizon,
                query_.processExitFreesHeap, "D"};
    }
    [[nodiscard]] std::vector<Column> keys() const {
        std::vector<Column> keys;
        for (const auto key : query_.keys) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
        }
        return keys;
    }

    /// By whole path: the rows that end in it.
    void addRows(TimeRange interval, bool isBefore, std::map<TextPath, PlainFlame>& paths) {
        const auto recount = recountOf(interval);
        auto rows = recount.members();
        if (text_.holds) std::erase_if(rows, [&](const auto& row) { return !text_.holds(recount, row); });
        const auto seen = TimeRange{interval.start, std::min(interval.end, publication_.trace->horizon)};
        const bool isPeak = query_.measure == Column::PeakSize;
        const auto held = isPeak ? heldAtPeak(rows, seen) : std::vector<std::int64_t>();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            auto& path = paths[recount.path(rows[i], keys())];
            const auto amount = isPeak ? held[i] : *recount.sums({rows[i]}).of(query_.measure, query_.table);
            (isBefore ? path.before : path.now) += amount;
            if (!isBefore) ++path.count;
        }
        if (isPeak && !isBefore) peak_ = recount.sums(rows).peak;
    }
    std::map<TextPath, PlainFlame> recountFrames() {
        std::map<TextPath, PlainFlame> paths;
        addRows(query_.interval, false, paths);
        if (query_.before) addRows(*query_.before, true, paths);
        std::map<TextPath, PlainFlame> frames;
        frames[{}];
        for (const auto& [path, of] : paths) {
            const auto width = static_cast<std::uint64_t>(std::max({std::int64_t{0}, of.now, of.before}));
            if (width == 0) notDrawn_ += of.now;
            for (std::size_t steps = 0; steps <= path.size(); ++steps) {
                auto& frame = frames[TextPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps))];
                frame.now += of.now;
                frame.before += of.before;
                frame.count += of.count;
                frame.width += width;
            }
        }
        for (auto& [path, frame] : frames) {
            if (frame.width == 0) continue;
            for (std::size_t steps = 0; steps <= path.size(); ++steps)
                ++frames[TextPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps))].frames;
        }
        return frames;
    }

    std::string compare(const FlameTree& tree) {
        const auto expected = recountFrames();
        const auto& root = expected.at({});
        if (root.width == 0 && !tree.isEmpty()) return "not empty";
        const bool isPeak = query_.measure == Column::PeakSize;
        if (isPeak && tree.root().now != peak_) return fmt::format("peak {} instead of {}", tree.root().now, peak_);
        if (tree.notDrawn != notDrawn_) return fmt::format("{} not drawn, not {}", tree.notDrawn, notDrawn_);
        std::set<TextPath> found;
        std::uint64_t cut = 0;
        for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
            if (auto text = compareNode(tree, node, expected, found); !text.empty()) return text;
            if (tree.nodes[node].isMore()) cut += tree.nodes[node].frames;
        }
        if (tree.cut != cut) return fmt::format("{} cut, not {}", tree.cut, cut);
        if (root.width > 0 && found.size() + cut != root.frames)
            return fmt::format("{} frames and {} instead of {}", found.size(), cut, root.frames);
        if (query_.mostFrames > 0 && found.size() > std::max<std::uint64_t>(query_.mostFrames, 1))
            return fmt::format("{} frames", found.size());
        if (query_.mostFrames == 0 && cut > 0) return "cut";
        return {};
    }

    std::string compareNode(const FlameTree& tree, std::uint32_t node, const std::map<TextPath, PlainFlame>& expected,
                            std::set<TextPath>& found) {
        TextPath path;
        for (auto at = node; at != FlameTree::kRoot; at = tree.nodes[at].parent) {
            const auto& of = tree.nodes[at];
            if (!of.isMore()) path.insert(path.begin(), {tree.labels[of.label].column, tree.labels[of.label].text});
        }
        const auto& of = tree.nodes[node];
        if (auto text = comparePlace(tree, node); !text.empty()) return text;
        const auto known = expected.find(path);
        if (known == expected.end()) return "an unexpected frame";
        if (of.isMore()) return compareRest(tree, node, path, expected);
        found.insert(path);
        const auto& wanted = known->second;
        if (of.now == wanted.now && of.before == wanted.before && of.count == wanted.count &&
            of.width == wanted.width && (of.width == 0 || of.frames == wanted.frames))
            return {};
        return fmt::format("frame {}: {} {} {} {} {} instead of {} {} {} {} {}", tree.text(node), of.now, of.before,
                           of.count, of.width, of.frames, wanted.now, wanted.before, wanted.count, wanted.width,
                           wanted.frames);
    }

    /// A node that merges several nodes has the sums of their values.
    static std::string compareRest(const FlameTree& tree, std::uint32_t node, const TextPath& path,
                                   const std::map<TextPath, PlainFlame>& expected) {
        PlainFlame rest;
        for (const auto& [each, frame] : expected) {
            const bool isChild = each.size() == path.size() + 1 && std::equal(path.begin(), path.end(), each.begin());
            if (!isChild || frame.width == 0) continue;
            const auto& parent = tree.nodes[tree.nodes[node].parent];
            bool isDrawn = false;
            for (auto child = parent.firstChild; child < parent.firstChild + parent.childCount; ++child) {
                const auto& of = tree.nodes[child];
                isDrawn = isDrawn || (!of.isMore() && tree.labels[of.label].column == each.back().first &&
                                      tree.labels[of.label].text == each.back().second);
            }
            if (isDrawn) continue;
            rest.now += frame.now;
            rest.before += frame.before;
            rest.count += frame.count;
            rest.width += frame.width;
            rest.frames += frame.frames;
        }
        const auto& of = tree.nodes[node];
        const bool isEqual = of.now == rest.now && of.before == rest.before && of.count == rest.count &&
                             of.width == rest.width && of.frames == rest.frames;
        return isEqual ? std::string() : fmt::format("{}: {} instead of {}", tree.text(node), of.width, rest.width);
    }

    /// Frames are side by side within the parent, the widest first.
    static std::string comparePlace(const FlameTree& tree, std::uint32_t node) {
        const auto& of = tree.nodes[node];
        if (of.depth > tree.depth) return "too deep";
        auto begin = of.begin;
        for (auto child = of.firstChild; child < of.firstChild + of.childCount; ++child) {
            const auto& below = tree.nodes[child];
            if (below.parent != node || below.depth != of.depth + 1) return "wrong parent";
            if (below.begin != begin || below.width == 0) return "wrong place";
            if (child > of.firstChild && below.width > tree.nodes[child - 1].width) return "wrong order";
            begin += below.width;
        }
        if (begin > of.begin + of.width) return "wider than the parent";
        if (tree.selfWidth(node) != of.begin + of.width - begin) return "wrong rest";
        return of.isMore() || tree.find(tree.path(node)) == node ? std::string() : "not found";
    }

    RandomTrace& random_;
    const Publication& publication_;
    FrameLabels labels_;
    FlameQuery query_;
    RandomQuery text_;
    std::int64_t peak_ = 0;
    std::int64_t notDrawn_ = 0;
};

} // namespace

/// Flame graphs of random traces against a recount that follows the definitions literally.
class RandomFlamesTest : public QObject {
    Q_OBJECT
  private slots:
    void equalTheRecount() { compare(HIGHWATER_RANDOM_TRACES, RandomTrace::Cuts::None); }
    void equalTheRecountOfWhatIsKept() { compare(HIGHWATER_RANDOM_TRACES / 4, RandomTrace::Cuts::Some); }

  private:
    static void compare(unsigned seeds, RandomTrace::Cuts cuts) {
        const auto first = static_cast<unsigned>(qEnvironmentVariableIntValue("HIGHWATER_FIRST_SEED"));
        std::set<Column> measured;
        for (unsigned seed = 0; seed < seeds; ++seed) {
            RandomTrace trace(first + seed, cuts);
            for (std::size_t i = 0; i < trace.publications().size(); ++i) {
                FlameComparison comparison(trace, trace.publications()[i]);
                measured.insert(comparison.measure());
                const auto difference = comparison.run();
                QVERIFY2(difference.empty(),
                         fmt::format("seed {}, publication {}: {}", first + seed, i, difference).c_str());
            }
        }
        QCOMPARE(measured.size(), flameMeasuresOf(Table::Heap).size());
    }
};
HIGHWATER_TEST(RandomFlamesTest);
#include "random_flames_test.moc"
