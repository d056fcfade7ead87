#include "app/tools/holders/page/held_by_rows.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <tuple>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::HeldBy, analysis::HeldNode, analysis::RootHolder;

/// The steps of one process with blocks of the question, those of one parent after the other.
class StepsByParent {
  public:
    explicit StepsByParent(const HeldBy& answer) : nodes_(answer.nodes) {
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            if (nodes_[node].parent != HeldNode::kNoParent && nodes_[node].all.count > 0) steps_.push_back(node);
        std::ranges::sort(steps_, [this](std::uint32_t a, std::uint32_t b) {
            const auto &first = nodes_[a], &second = nodes_[b];
            return std::tuple(first.parent, second.all.bytes, second.all.count, a) <
                   std::tuple(second.parent, first.all.bytes, first.all.count, b);
        });
    }

    [[nodiscard]] auto below(std::uint32_t node) const {
        return std::ranges::equal_range(steps_, node, {}, [this](std::uint32_t step) { return nodes_[step].parent; });
    }

  private:
    const std::vector<HeldNode>& nodes_;
    std::vector<std::uint32_t> steps_;
};

void addRoots(const HeldBy& answer, const HeldRow& process, HeldRowOrder order, std::vector<HeldRow>& rows) {
    std::vector<std::uint32_t> holders(answer.holders.size());
    std::iota(holders.begin(), holders.end(), 0U);
    std::ranges::stable_sort(holders, [&](std::uint32_t a, std::uint32_t b) {
        const auto &first = answer.holders[a], &second = answer.holders[b];
        if (order == HeldRowOrder::MostBytes) return first.held.bytes > second.held.bytes;
        return !first.kind && second.kind;
    });
    for (const auto holder : holders) {
        auto row = process;
        row.node = answer.holders[holder].node;
        row.holder = holder;
        row.isReachable = answer.holders[holder].kind.has_value();
        rows.push_back(row);
    }
}

} // namespace

analysis::BlockSum totalOf(const HeldBy& process) {
    analysis::BlockSum total;
    for (const auto& sum : process.sums)
        total = {total.count + sum.count, total.bytes + sum.bytes};
    return total;
}

std::vector<HeldRow> heldRowsOf(const std::vector<HeldBy>& processes, HeldRowOrder order) {
    std::vector<HeldRow> rows;
    std::vector<StepsByParent> steps;
    for (std::uint32_t i = 0; i < processes.size(); ++i) {
        steps.emplace_back(processes[i]);
        if (!processes[i].holders.empty()) rows.push_back({.process = i});
    }
    std::ranges::stable_sort(rows, std::ranges::greater(),
                             [&](const HeldRow& row) { return totalOf(processes[row.process]).bytes; });
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        const auto row = rows[i];
        const auto first = rows.size();
        HeldRow below{.process = row.process, .parent = i, .isReachable = row.isReachable};
        if (row.node == HeldRow::kNone) {
            addRoots(processes[row.process], below, order, rows);
        } else {
            for (const auto step : steps[row.process].below(row.node)) {
                below.node = step;
                rows.push_back(below);
            }
        }
        rows[i].firstChild = static_cast<std::uint32_t>(first);
        rows[i].children = static_cast<std::uint32_t>(rows.size() - first);
    }
    return rows;
}

} // namespace highwater::ui
