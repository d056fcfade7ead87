#include "app/tools/holders/page/held_by_flames.h"

#include "app/tools/holders/page/held_by_rows.h"

#include <algorithm>
#include <map>
#include <utility>

namespace highwater::ui {
namespace {

using analysis::Column, analysis::FlameLabel, analysis::FlameNode, analysis::FlameTree, analysis::HeldBy;

FlameLabel labelOf(const HeldBy& process, const HeldRow& row) {
    if (row.node == HeldRow::kNone) return {Column::Process, process.process.value, process.name};
    const auto& node = process.nodes[row.node];
    constexpr std::uint64_t kFrame = std::uint64_t{1} << 32; // its function may also have allocated blocks
    if (row.holder == HeldRow::kNone)
        return {Column::StackBottomUp, node.owner | (node.isFrame ? kFrame : 0), node.title()};
    return {Column::Holder, std::uint64_t{process.holderTexts[row.node]} + 1, node.text};
}

FlameNode frameOf(const analysis::BlockSum& all, const analysis::BlockSum& own) {
    FlameNode frame;
    frame.width = all.bytes;
    frame.now = static_cast<SignedByteCount>(all.bytes);
    frame.ownNow = static_cast<SignedByteCount>(own.bytes);
    frame.count = all.count;
    return frame;
}

/// The frame of row i is that after the root, and so on.
class HeldFlames {
  public:
    explicit HeldFlames(const std::vector<HeldBy>& processes)
        : processes_(processes), rows_(heldRowsOf(processes, HeldRowOrder::MostBytes)) {}

    [[nodiscard]] FlameTree make() {
        tree_.valueName = "Size";
        for (const auto& row : rows_)
            addFrame(row);
        for (auto i = tree_.nodes.size(); --i > 0;)
            tree_.nodes[tree_.nodes[i].parent].frames += tree_.nodes[i].frames;
        return std::move(tree_);
    }

  private:
    void addFrame(const HeldRow& row) {
        const auto& process = processes_[row.process];
        auto& root = tree_.nodes.front();
        auto frame = row.node == HeldRow::kNone ? frameOf(totalOf(process), {})
                                                : frameOf(process.nodes[row.node].all, process.nodes[row.node].own);
        const auto number = static_cast<std::uint32_t>(tree_.nodes.size());
        frame.parent = row.parent == HeldRow::kNone ? FlameTree::kRoot : row.parent + 1;
        frame.firstChild = row.firstChild + 1;
        frame.childCount = row.children;
        frame.label = numberOf(labelOf(process, row));
        if (frame.parent == FlameTree::kRoot) {
            root.firstChild = 1;
            root.childCount += 1;
            root.width += frame.width;
            root.now += frame.now;
            root.count += frame.count;
        }
        const auto& parent = tree_.nodes[frame.parent];
        const auto& before = tree_.nodes.back(); // its sibling, unless it is the first
        frame.begin = number == parent.firstChild ? parent.begin : before.begin + before.width;
        frame.depth = parent.depth + 1;
        tree_.depth = std::max(tree_.depth, frame.depth);
        tree_.nodes.push_back(frame);
    }

    std::uint32_t numberOf(FlameLabel label) {
        const auto [known, isNew] =
            numbers_.try_emplace({label.column, label.key}, static_cast<std::uint32_t>(tree_.labels.size()));
        if (isNew) tree_.labels.push_back(std::move(label));
        return known->second;
    }

    const std::vector<HeldBy>& processes_;
    std::vector<HeldRow> rows_;
    FlameTree tree_;
    std::map<std::pair<Column, std::uint64_t>, std::uint32_t> numbers_;
};

} // namespace

FlameAnswer heldFlamesOf(const std::vector<HeldBy>& processes) {
    FlameAnswer answer;
    answer.query.keys = {Column::Process, Column::Holder, Column::StackBottomUp};
    answer.query.measure = Column::Size;
    answer.tree = HeldFlames(processes).make();
    return answer;
}

} // namespace highwater::ui
