#include "tests/core/analysis/difference/plain_difference.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

/// The values of a frame: docs/numbers.md 14 and 15.
struct PlainFrame {
    std::int64_t now = 0;
    std::int64_t before = 0;
    std::int64_t ownNow = 0;
    std::int64_t ownBefore = 0;
    std::uint64_t width = 0;
    std::uint64_t count = 0;
};

std::map<TextPath, PlainFrame> framesOf(const PlainDifference& plain) {
    std::map<TextPath, PlainFrame> frames;
    for (const auto& [path, rows] : plain.ends()) {
        const auto values = plain.values(rows, plain.query().decides);
        const auto count = static_cast<std::uint64_t>(plain.values(rows, Measure::Count)[1]);
        const auto width = static_cast<std::uint64_t>(std::max<std::int64_t>({values[0], values[1], 0}));
        for (std::size_t steps = 0; steps <= path.size(); ++steps) {
            auto& frame = frames[TextPath(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(steps))];
            frame.before += values[0];
            frame.now += values[1];
            frame.width += width;
            frame.count += count;
            if (steps < path.size()) continue;
            frame.ownBefore = values[0];
            frame.ownNow = values[1];
        }
    }
    frames.try_emplace(TextPath());
    return frames;
}

std::string compareFlames(const FlameTree& tree, const std::map<TextPath, PlainFrame>& expected) {
    std::vector<TextPath> paths(tree.nodes.size());
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
        const auto& of = tree.nodes[node];
        if (node != FlameTree::kRoot) {
            paths[node] = paths[of.parent];
            paths[node].emplace_back(tree.labels[of.label].column, tree.labels[of.label].text);
        }
        const auto known = expected.find(paths[node]);
        if (known == expected.end()) return "unexpected: " + tree.text(node);
        const auto& [now, before, ownNow, ownBefore, width, count] = known->second;
        if (of.now != now || of.before != before || of.width != width || of.count != count || of.ownNow != ownNow ||
            of.ownBefore != ownBefore)
            return fmt::format("{}: {} {} {} {} instead of {} {} {} {}", tree.text(node), of.now, of.before, of.width,
                               of.count, now, before, width, count);
    }
    std::size_t wide = 1;
    for (const auto& [path, frame] : expected)
        wide += !path.empty() && frame.width > 0 ? 1 : 0;
    return wide == tree.nodes.size() ? std::string() : fmt::format("{} frames, not {}", tree.nodes.size(), wide);
}

/// For each slice, the median of those traces of a side that reach this far.
Numbers sideLine(const PlainDifference& plain, const Rows& rows, const Numbers& starts, bool isBefore) {
    std::vector<Numbers> lines;
    for (std::size_t trace = 0; trace < plain.traces(); ++trace)
        if (plain.isBefore(trace) == isBefore) lines.push_back(plain.line(rows, trace, starts));
    Numbers side;
    for (std::size_t slice = 0; slice < starts.size(); ++slice) {
        Numbers values;
        for (const auto& line : lines)
            if (slice < line.size()) values.push_back(line[slice]);
        if (!values.empty()) side.push_back(PlainDifference::median(values));
    }
    return side;
}

/// The nodes of an answer by their paths.
void collectNodes(Difference& difference, Difference::NodeId node, const TextPath& path,
                  std::map<TextPath, Difference::NodeId>& nodes) {
    nodes[path] = node;
    for (const auto child : difference.children(node)) {
        auto longer = path;
        longer.emplace_back(difference.column(child), difference.text(child));
        collectNodes(difference, child, longer, nodes);
    }
}

std::string compareTimeline(const PlainDifference& plain, Difference& difference, std::mt19937& random) {
    std::map<TextPath, Difference::NodeId> nodes;
    collectNodes(difference, Difference::kRoot, {}, nodes);
    std::vector<Difference::NodeId> chosen;
    std::vector<std::set<std::size_t>> rows(plain.traces());
    const auto wanted = random() % 3;
    for (unsigned i = 0; i <= wanted; ++i) {
        const auto one = std::next(nodes.begin(), static_cast<std::ptrdiff_t>(random() % nodes.size()));
        chosen.push_back(one->second);
        const auto& ofGroup = plain.groups().at(one->first);
        for (std::size_t trace = 0; trace < rows.size(); ++trace)
            rows[trace].insert(ofGroup[trace].begin(), ofGroup[trace].end());
    }
    const auto slices = 1 + static_cast<std::int64_t>(random() % 12);
    const auto timeline = difference.timeline(chosen, static_cast<std::uint32_t>(slices)).value();
    std::int64_t longest = 0;
    for (std::size_t trace = 0; trace < plain.traces(); ++trace)
        longest = std::max(longest, plain.length(trace));
    if (longest == 0) return timeline.edges.empty() ? std::string() : "edges of nothing";
    const auto count = std::min(slices, longest);
    Numbers edges;
    for (std::int64_t i = 0; i <= count; ++i)
        edges.push_back(i * longest / count);
    if (timeline.edges != edges) return "other edges";
    edges.pop_back();
    Rows together;
    for (const auto& ofTrace : rows)
        together.emplace_back(ofTrace.begin(), ofTrace.end());
    if (timeline.before != sideLine(plain, together, edges, true)) return "another line before";
    if (timeline.after != sideLine(plain, together, edges, false)) return "another line after";
    const auto atEnd = plain.change(plain.values(together, Measure::Outstanding));
    return timeline.atEnd == atEnd ? std::string() : "ends elsewhere";
}

} // namespace

/// Lines and flame graphs of random traces against a recount that follows docs/numbers.md 15 literally.
class DifferencePicturesRecountTest : public QObject {
    Q_OBJECT
  private slots:
    void linesEqualTheRecount() {
        for (unsigned seed = 0; seed < HIGHWATER_RANDOM_TRACES / 4; ++seed) {
            PlainDifference plain(seed);
            const auto difference = Difference::compute(plain.query()).value();
            std::mt19937 random(seed);
            const auto wrong = compareTimeline(plain, *difference, random);
            QVERIFY2(wrong.empty(), fmt::format("seed {}: {}", seed, wrong).c_str());
        }
    }
    void flamesEqualTheRecount() {
        unsigned compared = 0, wide = 0;
        for (unsigned seed = 0; seed < HIGHWATER_RANDOM_TRACES; ++seed) {
            PlainDifference plain(seed);
            const auto difference = Difference::compute(plain.query()).value();
            const auto tree = difference->flames(0);
            QCOMPARE(tree.hasValue(), plain.traces() == 2);
            if (!tree.hasValue()) continue;
            QVERIFY(tree.value().hasBefore);
            if (plain.query().decides == Measure::PeakSize) { // its rows are compared elsewhere
                const auto peaks = plain.values(plain.groups().at({}), Measure::PeakSize);
                QCOMPARE(tree.value().root().before, peaks[0]);
                QCOMPARE(tree.value().root().now, peaks[1]);
                continue;
            }
            const auto wrong = compareFlames(tree.value(), framesOf(plain));
            QVERIFY2(wrong.empty(), fmt::format("seed {}: {}", seed, wrong).c_str());
            ++compared;
            wide += tree.value().isEmpty() ? 0 : 1;
        }
        QVERIFY(compared > HIGHWATER_RANDOM_TRACES / 10);
        QVERIFY(wide > compared / 2);
    }
};

HIGHWATER_TEST(DifferencePicturesRecountTest);
#include "difference_pictures_recount_test.moc"
