#include "core/references/dominators.h"

#include <algorithm>

namespace highwater::references {

DominatorSearch::DominatorSearch(std::span<PictureBlock> blocks, const ReferenceGraph& graph,
                                 const std::stop_token& stop)
    : blocks_(blocks), graph_(graph), watch_(stop), number_(graph.nodes()) {}

Result<void> DominatorSearch::findFrom(std::span<const std::uint32_t> starts) {
    if (!numberNodes(starts) || !gatherPredecessors(starts) || !findSemidominators()) return cancelled();
    write();
    found_ += static_cast<Number>(node_.size() - 1);
    return {};
}

bool DominatorSearch::numberNodes(std::span<const std::uint32_t> starts) {
    const auto most = number_.size() - found_ + 1;
    node_.clear(), parent_.clear();
    node_.reserve(most), parent_.reserve(most);
    node_.push_back(PictureBlock::kNone), parent_.push_back(0);
    for (const auto start : starts) {
        if (number_[start] != 0) continue;
        enter(start, 0);
        while (!path_.empty()) {
            if (watch_.isStopped()) return false;
            auto& visit = path_.back();
            if (visit.next == graph_.first[visit.node + 1]) {
                path_.pop_back();
                continue;
            }
            const auto to = graph_.references[visit.next++].block();
            if (number_[to] == 0) enter(to, number_[visit.node] - found_);
        }
    }
    return true;
}

void DominatorSearch::enter(std::uint32_t node, Number parent) {
    number_[node] = found_ + static_cast<Number>(node_.size());
    node_.push_back(node);
    parent_.push_back(parent);
    path_.push_back({node, graph_.first[node]});
    for (const auto reference : graph_.of(node).first(std::min<std::size_t>(graph_.of(node).size(), kPrefetched)))
        __builtin_prefetch(&number_[reference.block()]);
}

/// The nodes are in no order in memory, so that reading them in the order of numbers waits for memory most of the time
/// unless it asks early.
void DominatorSearch::prefetchReferences(Number from) const {
    constexpr Number kFirst = 24, kReferences = 16, kNumbers = 8;
    const auto count = static_cast<Number>(node_.size());
    if (from + kFirst < count) __builtin_prefetch(&graph_.first[node_[from + kFirst]]);
    if (from + kReferences < count)
        __builtin_prefetch(graph_.references.data() + graph_.first[node_[from + kReferences]]);
    if (from + kNumbers >= count) return;
    const auto references = graph_.of(node_[from + kNumbers]);
    for (const auto reference : references.first(std::min(references.size(), kPrefetched)))
        __builtin_prefetch(&number_[reference.block()]);
}

/// Calls take(from, to) for the references that can influence a dominator: not those of the tree of the search, and not
/// those to starts, whose dominator is the virtual root.
template <typename Take>
bool DominatorSearch::eachReference(const Take& take) {
    for (Number from = 1; from < node_.size(); ++from) {
        if (watch_.isStopped()) return false;
        prefetchReferences(from);
        for (const auto reference : graph_.of(node_[from])) {
            if (number_[reference.block()] <= found_) continue;
            const auto to = number_[reference.block()] - found_;
            if (to != from && parent_[to] != from && semi_[to] != 0) take(from, to);
        }
    }
    return true;
}

bool DominatorSearch::gatherPredecessors(std::span<const std::uint32_t> starts) {
    semi_ = parent_;
    for (const auto start : starts)
        if (number_[start] > found_) semi_[number_[start] - found_] = 0;
    firstPredecessor_.assign(node_.size() + 1, 0);
    if (!eachReference([&](Number, Number to) { ++firstPredecessor_[to + 1]; })) return false;
    for (std::size_t i = 1; i < firstPredecessor_.size(); ++i)
        firstPredecessor_[i] += firstPredecessor_[i - 1];
    predecessors_.resize(firstPredecessor_.back());
    // Each is put at the place of the next one of its node, which moves: at the end, places are those of the next
    // node, and the first is 0.
    if (!eachReference([&](Number from, Number to) { predecessors_[firstPredecessor_[to]++] = from; })) return false;
    std::shift_right(firstPredecessor_.begin(), firstPredecessor_.end(), 1);
    firstPredecessor_[0] = 0;
    return true;
}

bool DominatorSearch::findSemidominators() {
    label_.resize(node_.size());
    for (Number i = 0; i < node_.size(); ++i)
        label_[i] = i;
    dominator_.assign(node_.size(), 0), bucket_.assign(node_.size(), 0);
    for (auto at = static_cast<Number>(node_.size() - 1); at > 0; --at) {
        if (watch_.isStopped()) return false;
        const auto parent = parent_[at];
        for (auto i = firstPredecessor_[at]; i < firstPredecessor_[at + 1]; ++i) {
            const auto from = predecessors_[i];
            semi_[at] = std::min(semi_[at], from < at ? from : semi_[lowestOnPath(from, at + 1)]);
        }
        if (semi_[at] == parent || semi_[at] == 0) {
            dominator_[at] = semi_[at];
        } else { // known when the search is back at the semidominator; until then, this is the next of the bucket
            dominator_[at] = bucket_[semi_[at]];
            bucket_[semi_[at]] = at;
        }
        emptyBucket(parent, at);
    }
    return true;
}

/// All of the bucket are below `linked`, a child of `semi`.
void DominatorSearch::emptyBucket(Number semi, Number linked) {
    for (auto at = bucket_[semi]; at != 0;) {
        const auto lowest = lowestOnPath(at, linked);
        const auto next = dominator_[at];
        dominator_[at] = semi_[lowest] < semi_[at] ? lowest : semi;
        at = next;
    }
    bucket_[semi] = 0;
}

/// The number with the lowest semidominator on the path from `at` up to the last number that is at least `linked`.
/// Shortens the path: parents become the first below `linked`, labels the result.
DominatorSearch::Number DominatorSearch::lowestOnPath(Number at, Number linked) {
    for (auto i = at; parent_[i] >= linked; i = parent_[i])
        compressed_.push_back(i);
    while (!compressed_.empty()) {
        const auto i = compressed_.back();
        compressed_.pop_back();
        const auto above = parent_[i];
        if (semi_[label_[above]] < semi_[label_[i]]) label_[i] = label_[above];
        parent_[i] = parent_[above];
    }
    return label_[at];
}

void DominatorSearch::write() {
    for (Number at = 1; at < node_.size(); ++at) {
        if (dominator_[at] != semi_[at]) dominator_[at] = dominator_[dominator_[at]];
        if (node_[at] >= blocks_.size()) continue; // a root
        blocks_[node_[at]].dominator = dominator_[at] == 0 ? PictureBlock::kNone : node_[dominator_[at]];
    }
}

} // namespace highwater::references
