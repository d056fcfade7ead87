#include "app/tools/holders/page/held_by_before.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>

namespace highwater::ui {
namespace {

using analysis::BlockSum, analysis::HeldBy, analysis::HeldNode;

/// Finds roots and steps of an earlier answer for one process.
class EarlierNodes {
  public:
    explicit EarlierNodes(const HeldBy& earlier) : earlier_(earlier) {
        for (std::uint32_t node = 0; node < earlier.nodes.size(); ++node) {
            const auto& of = earlier.nodes[node];
            if (of.parent == HeldNode::kNoParent)
                roots_[of.text].push_back(node);
            else
                steps_[{of.parent, of.owner, of.isFrame}] = node;
        }
    }

    [[nodiscard]] BlockSum total() const { return totalOf(earlier_); }
    [[nodiscard]] BlockSum sum(std::uint32_t node) const {
        return node == HeldRow::kNone ? BlockSum() : earlier_.nodes[node].all;
    }
    /// Of several roots with the same text, such as mappings without a name, each is found once.
    [[nodiscard]] std::uint32_t takeRoot(const std::string& text) {
        const auto found = roots_.find(text);
        auto& taken = taken_[text];
        return found == roots_.end() || taken >= found->second.size() ? HeldRow::kNone : found->second[taken++];
    }
    [[nodiscard]] std::uint32_t step(std::uint32_t parent, const HeldNode& like) const {
        const auto found = steps_.find({parent, like.owner, like.isFrame});
        return found == steps_.end() ? HeldRow::kNone : found->second;
    }

  private:
    const HeldBy& earlier_;
    std::map<std::string, std::vector<std::uint32_t>> roots_;
    std::map<std::string, std::size_t> taken_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, bool>, std::uint32_t> steps_; ///< by parent, owner, isFrame
};

} // namespace

std::vector<std::optional<BlockSum>> sumsBefore(const std::vector<HeldRow>& rows, const std::vector<HeldBy>& processes,
                                                const std::vector<HeldBy>& earlier) {
    std::map<std::uint32_t, EarlierNodes> byProcess;
    for (const auto& process : earlier)
        byProcess.try_emplace(process.process.value, process);
    std::vector<std::optional<BlockSum>> before(rows.size());
    std::vector<std::uint32_t> nodes(rows.size(), HeldRow::kNone); // of the earlier answer, by row
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto& process = processes[rows[i].process];
        const auto known = byProcess.find(process.process.value);
        if (known == byProcess.end()) continue;
        auto& found = known->second;
        if (rows[i].node == HeldRow::kNone) {
            before[i] = found.total();
            continue;
        }
        const auto& node = process.nodes[rows[i].node];
        nodes[i] =
            rows[i].holder != HeldRow::kNone ? found.takeRoot(node.text) : found.step(nodes[rows[i].parent], node);
        before[i] = found.sum(nodes[i]);
    }
    return before;
}

} // namespace highwater::ui
