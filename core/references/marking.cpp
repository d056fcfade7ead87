#include "core/references/marking.h"

#include "core/references/stop_watch.h"

#include <algorithm>
#include <optional>
#include <ranges>
#include <utility>

namespace highwater::references {
namespace {

/// What is known of a block, apart from PictureBlock because it is read at random: a byte is more often in the cache.
enum class Seen : std::uint8_t { No, FromRoots, FromLeaks, Leads };

/// Blocks in the order in which a breadth-first search finds them, by their distance.
struct Wave {
    std::vector<std::uint32_t> order;
    std::vector<std::uint32_t> ends; ///< of each distance, in order

    [[nodiscard]] std::span<const std::uint32_t> at(std::size_t distance) const {
        if (distance >= ends.size()) return {};
        const auto begin = distance == 0 ? 0U : ends[distance - 1];
        return std::span(order).subspan(begin, ends[distance] - begin);
    }
    /// All blocks since the last call have the next distance.
    void endDistance() { ends.push_back(static_cast<std::uint32_t>(order.size())); }
};

/// A search from several blocks at once: along certain references, then from all that it has found along all
/// references.
class Spread {
  public:
    Spread(std::span<PictureBlock> blocks, const ReferenceGraph& graph, std::vector<Seen>& seen, Seen mark,
           StopWatch& watch)
        : blocks_(blocks), graph_(graph), seen_(seen), mark_(mark), watch_(watch) {}

    /// Adds a block at distance 0, unless it has been found. Certain ones first, then spreadCertain(), then others.
    bool start(std::uint32_t block, std::uint32_t holder, bool isCertain) {
        return isCertain ? find(certain_, block, holder, Reachability::Reachable)
                         : find(possible_, block, holder, Reachability::Possible);
    }
    [[nodiscard]] bool spreadCertain() {
        certain_.endDistance();
        for (std::size_t distance = 0; !certain_.at(distance).empty(); ++distance) {
            const auto end = certain_.ends[distance];
            for (auto i = end - certain_.at(distance).size(); i < end; ++i) {
                if (watch_.isStopped()) return false;
                const auto block = certain_.order[i];
                bool hasPossible = false;
                for (const auto reference : graph_.of(block)) {
                    if (reference.isCertain())
                        find(certain_, reference.block(), block, Reachability::Reachable);
                    else
                        hasPossible = hasPossible || seen_[reference.block()] == Seen::No;
                }
                if (hasPossible) withPossible_.order.push_back(block);
            }
            certain_.endDistance();
            withPossible_.endDistance();
        }
        return true;
    }
    [[nodiscard]] bool spreadPossible() {
        possible_.endDistance();
        for (std::size_t distance = 0; distance < withPossible_.ends.size() || !possible_.at(distance).empty();
             ++distance) {
            if (!spreadAll(withPossible_, distance) || !spreadAll(possible_, distance)) return false;
            possible_.endDistance();
        }
        return true;
    }

  private:
    bool find(Wave& wave, std::uint32_t block, std::uint32_t holder, Reachability reachability) {
        if (seen_[block] != Seen::No) return false;
        seen_[block] = mark_;
        blocks_[block].holder = holder;
        blocks_[block].reachability = mark_ == Seen::FromRoots ? reachability : Reachability::OnlyLeaked;
        wave.order.push_back(block);
        return true;
    }
    bool spreadAll(const Wave& from, std::size_t distance) {
        const auto size = from.at(distance).size();
        for (std::size_t i = 0; i < size; ++i) {
            if (watch_.isStopped()) return false;
            const auto block = from.at(distance)[i]; // the order grows meanwhile
            for (const auto reference : graph_.of(block))
                find(possible_, reference.block(), block, Reachability::Possible);
        }
        return true;
    }

    std::span<PictureBlock> blocks_;
    const ReferenceGraph& graph_;
    std::vector<Seen>& seen_;
    Seen mark_;
    StopWatch& watch_;
    Wave certain_, possible_;
    Wave withPossible_; ///< those of certain_ with possible references to blocks that had not been found
};

/// Finds the fewest leaked blocks from which all others can be reached.
class HeadSearch {
  public:
    HeadSearch(const ReferenceGraph& graph, std::vector<Seen>& seen, StopWatch& watch)
        : graph_(graph), seen_(seen), watch_(watch) {}

    /// Ascending. Nothing: stopped.
    ///
    /// A block from which the first search starts is not reached from any lower block, so that it is the lowest of its
    /// cycle. Of these starts, lower ones cannot lead to it, either. The second search starts with the highest: if none
    /// of the higher starts leads to a start, none at all does, and it is a head.
    [[nodiscard]] std::optional<std::vector<std::uint32_t>> heads() {
        std::vector<std::uint32_t> starts, heads;
        for (std::uint32_t block = 0; block < seen_.size(); ++block) {
            if (seen_[block] != Seen::No) continue;
            starts.push_back(block);
            if (!flood(block, Seen::No, Seen::FromLeaks)) return std::nullopt;
        }
        for (const auto start : starts | std::views::reverse) {
            if (seen_[start] != Seen::FromLeaks) continue;
            heads.push_back(start);
            if (!flood(start, Seen::FromLeaks, Seen::Leads)) return std::nullopt;
        }
        for (auto& seen : seen_)
            if (seen == Seen::Leads) seen = Seen::No;
        std::ranges::reverse(heads);
        return heads;
    }

  private:
    bool flood(std::uint32_t start, Seen from, Seen to) {
        seen_[start] = to;
        stack_.push_back(start);
        while (!stack_.empty()) {
            if (watch_.isStopped()) return false;
            const auto block = stack_.back();
            stack_.pop_back();
            for (const auto reference : graph_.of(block)) {
                if (seen_[reference.block()] != from) continue;
                seen_[reference.block()] = to;
                stack_.push_back(reference.block());
            }
        }
        return true;
    }

    const ReferenceGraph& graph_;
    std::vector<Seen>& seen_;
    StopWatch& watch_;
    std::vector<std::uint32_t> stack_;
};

class Marking {
  public:
    Marking(std::span<PictureBlock> blocks, const ReferenceGraph& graph, std::span<const RootLink> links,
            const std::stop_token& stop)
        : blocks_(blocks), graph_(graph), links_(links), watch_(stop), seen_(blocks.size(), Seen::No) {}

    Result<Marked> mark() {
        if (!markReached()) return cancelled();
        std::ranges::sort(marked_.holdingRoots);
        const auto same = std::ranges::unique(marked_.holdingRoots);
        marked_.holdingRoots.erase(same.begin(), same.end());
        auto heads = HeadSearch(graph_, seen_, watch_).heads();
        if (!heads || !markLeaked(*heads)) return cancelled();
        marked_.heads = std::move(*heads);
        return std::move(marked_);
    }

  private:
    bool markReached() {
        Spread spread(blocks_, graph_, seen_, Seen::FromRoots, watch_);
        startFromRoots(spread, true);
        if (!spread.spreadCertain()) return false;
        startFromRoots(spread, false);
        return spread.spreadPossible();
    }
    void startFromRoots(Spread& spread, bool isCertain) {
        for (const auto [root, reference] : links_) {
            const auto holder = static_cast<std::uint32_t>(blocks_.size()) + root;
            if (reference.isCertain() == isCertain && spread.start(reference.block(), holder, isCertain))
                marked_.holdingRoots.push_back(root);
        }
    }
    bool markLeaked(const std::vector<std::uint32_t>& heads) {
        Spread spread(blocks_, graph_, seen_, Seen::FromLeaks, watch_);
        for (const auto head : heads)
            spread.start(head, PictureBlock::kNone, true);
        if (!spread.spreadCertain() || !spread.spreadPossible()) return false;
        for (const auto head : heads)
            blocks_[head].reachability = Reachability::Unreachable;
        return true;
    }
    std::span<PictureBlock> blocks_;
    const ReferenceGraph& graph_;
    std::span<const RootLink> links_;
    StopWatch watch_;
    std::vector<Seen> seen_;
    Marked marked_;
};

} // namespace

Result<Marked> markBlocks(std::span<PictureBlock> blocks, const ReferenceGraph& graph, std::span<const RootLink> links,
                          const std::stop_token& stop) {
    return Marking(blocks, graph, links, stop).mark();
}

} // namespace highwater::references
