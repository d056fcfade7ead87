#include "core/analysis/callers/call_tree.h"

#include <algorithm>
#include <tuple>

namespace highwater::analysis {

std::uint32_t CallTree::childOf(std::uint32_t node, std::uint32_t label) {
    const auto next = static_cast<std::uint32_t>(nodes_.size());
    const auto [entry, isNew] = children_.try_emplace((std::uint64_t{node} << 32) | label, next);
    if (isNew) {
        nodes_.push_back({.parent = node, .label = label, .function = {}, .sums = {}, .children = {}});
        nodes_[node].children.push_back(next);
    }
    return entry->second;
}

void CallTree::add(std::span<const std::uint32_t> way, const CallSums& sums) {
    std::uint32_t node = 0;
    nodes_[node].sums += sums;
    for (const auto label : way) {
        node = childOf(node, label);
        nodes_[node].sums += sums;
    }
}

void CallTree::finish(const std::function<std::string(std::uint32_t label)>& nameOf) {
    for (std::size_t i = 1; i < nodes_.size(); ++i)
        nodes_[i].function = nameOf(nodes_[i].label);
    const auto comesBefore = [this](std::uint32_t a, std::uint32_t b) {
        const auto& first = nodes_[a];
        const auto& second = nodes_[b];
        return std::tie(second.sums.size, second.sums.count, first.function) <
               std::tie(first.sums.size, first.sums.count, second.function);
    };
    for (auto& node : nodes_)
        std::sort(node.children.begin(), node.children.end(), comesBefore);
    children_ = {};
}

} // namespace highwater::analysis
