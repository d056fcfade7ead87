#include "tests/core/analysis/difference/plain_difference.h"
#include "tests/support/test_registry.h"

#include <fmt/format.h>

#include <QTest>

using namespace highwater;
using namespace highwater::analysis;
using namespace highwater::tests;

namespace {

std::string describe(const TextPath& path) {
    std::string text;
    for (const auto& [column, key] : path)
        text += "/" + key;
    return text;
}

/// Goes through all groups of the answer; the first difference from the plain answer as text.
class TreeCheck {
  public:
    TreeCheck(PlainDifference& plain, Difference& difference) : plain_(plain), difference_(difference) {}

    std::string run() {
        walk(Difference::kRoot, {});
        std::vector<Difference::NodeId> nodes;
        for (const auto& [path, node] : nodes_)
            nodes.push_back(node);
        if (!difference_.computePeaks(nodes).hasValue()) return "no peaks";
        if (nodes_.size() != plain_.groups().size())
            return fmt::format("{} groups instead of {}", nodes_.size(), plain_.groups().size());
        for (const auto& [path, rows] : plain_.groups()) {
            const auto found = nodes_.find(path);
            if (found == nodes_.end()) return "there is no " + describe(path);
            if (auto wrong = compare(found->second, rows); !wrong.empty()) return describe(path) + ": " + wrong;
        }
        return wrongOrder_;
    }
    [[nodiscard]] std::size_t groups() const { return nodes_.size(); }
    [[nodiscard]] const std::map<DifferenceState, int>& states() const { return states_; }

  private:
    void walk(Difference::NodeId node, const TextPath& path) {
        nodes_[path] = node;
        const auto& children = difference_.children(node);
        if (children.empty() == difference_.hasChildren(node)) wrongOrder_ = "hasChildren lies";
        for (std::size_t i = 0; i < children.size(); ++i) {
            if (i > 0 && comesBefore(children[i], children[i - 1])) wrongOrder_ = describe(path) + ": wrong order";
            auto longer = path;
            longer.emplace_back(difference_.column(children[i]), difference_.text(children[i]));
            walk(children[i], longer);
        }
    }
    [[nodiscard]] bool comesBefore(Difference::NodeId a, Difference::NodeId b) const {
        const bool isChangedA = isChange(difference_.state(a)), isChangedB = isChange(difference_.state(b));
        if (isChangedA != isChangedB) return isChangedA;
        const auto deltaA = difference_.change(a, plain_.query().decides).delta();
        const auto deltaB = difference_.change(b, plain_.query().decides).delta();
        if (deltaA != deltaB) return plain_.query().isRising ? deltaA < deltaB : deltaA > deltaB;
        const auto largerOf = [&](Difference::NodeId node) {
            const auto change = difference_.change(node, plain_.query().decides);
            return std::max(change.before, change.after);
        };
        if (largerOf(a) != largerOf(b)) return largerOf(a) > largerOf(b);
        return difference_.text(a) < difference_.text(b);
    }
    std::string compare(Difference::NodeId node, const Rows& rows) {
        for (const auto measure : kMeasures) {
            const auto got = difference_.change(node, measure);
            const auto wanted = plain_.change(plain_.values(rows, measure));
            if (got != wanted)
                return fmt::format("{} {} > {} instead of {} > {}", measureName(measure), got.before, got.after,
                                   wanted.before, wanted.after);
        }
        const auto state = plain_.state(rows);
        ++states_[state];
        if (difference_.state(node) == state) return {};
        return fmt::format("{} instead of {}", stateWord(difference_.state(node)), stateWord(state));
    }

    PlainDifference& plain_;
    Difference& difference_;
    std::map<TextPath, Difference::NodeId> nodes_;
    std::map<DifferenceState, int> states_;
    std::string wrongOrder_;
};

} // namespace

class DifferenceRecountTest : public QObject {
    Q_OBJECT
  private slots:
    void equalsTheRecount() {
        std::size_t groups = 0;
        std::map<DifferenceState, int> states;
        for (unsigned seed = 0; seed < HIGHWATER_RANDOM_TRACES / 2; ++seed) {
            PlainDifference plain(seed);
            const auto difference = Difference::compute(plain.query());
            QVERIFY2(difference.hasValue(), fmt::format("seed {}", seed).c_str());
            TreeCheck check(plain, *difference.value());
            const auto wrong = check.run();
            QVERIFY2(wrong.empty(), fmt::format("seed {}: {}", seed, wrong).c_str());
            groups += check.groups();
            for (const auto& [state, count] : check.states())
                states[state] += count;
        }
        QVERIFY(groups > HIGHWATER_RANDOM_TRACES * 4);
        for (const auto state : {DifferenceState::New, DifferenceState::Grown, DifferenceState::Shrunk,
                                 DifferenceState::Gone, DifferenceState::Same, DifferenceState::Noise})
            QVERIFY2(states[state] > HIGHWATER_RANDOM_TRACES / 20, std::string(stateWord(state)).c_str());
    }
};

HIGHWATER_TEST(DifferenceRecountTest);
#include "difference_recount_test.moc"
