#include "core/analysis/held/pictured_stacks.h"

#include "core/analysis/balance/balance.h"
#include "core/analysis/held/held_tree.h"
#include "core/analysis/table/table_health.h"
#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/store/published/processes_by_pid.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace highwater::analysis {
namespace {

bool isLeaked(const PictureBlock& block) {
    return block.reachability == Reachability::Unreachable || block.reachability == Reachability::OnlyLeaked;
}

/// All pictures of a process before this one, oldest first.
std::vector<SharedMemoryPicture> picturesBefore(const store::PublishedTrace& trace,
                                                const PictureRows::Pictured& pictured,
                                                const store::ProcessesByPid& processes) {
    std::vector<SharedMemoryPicture> before;
    for (const auto& picture : *trace.pictures) {
        if (picture == pictured.picture) break;
        if (picture->pid == pictured.picture->pid && processes.at(picture->pid, picture->time) == pictured.process)
            before.push_back(picture);
    }
    return before;
}

bool isEarlier(const TimeRange& a, const TimeRange& b) {
    return std::tuple(a.end, a.start) < std::tuple(b.end, b.start);
}

std::string pictureAt(TraceTime time) { return fmt::format("(picture at {:.2f} s)", time.seconds()); }

std::string blocksText(const BlockSum& blocks) {
    return fmt::format("{} ({})", counted(blocks.count, "block"), bytesText(blocks.bytes));
}

std::string_view boundOf(const PictureLimits& limits) {
    if (limits.isUpperBound) return limits.mayBeHigher.empty() ? "At most " : "About ";
    return limits.mayBeHigher.empty() ? "" : "At least ";
}

} // namespace

/// The newest picture of one process.
class PicturedStacks::OfProcess {
  public:
    OfProcess(const PictureRows::Pictured& pictured, TracedBlocks traced,
              const std::vector<SharedMemoryPicture>& before, TraceTime traceStart)
        : picture_(pictured.picture),
          owners_(std::move(traced.owners)),
          tree_(*picture_, owners_),
          isFirst_(before.empty()) {
        for (const auto& step : tree_.steps())
            rootOf_.push_back(step.parent == HeldTree::kNone ? step.owner : rootOf_[step.parent]);
        findSince(traced.begins, before, traceStart);
        for (const auto block : leaked_)
            if (traced.areTraced[block] == 0) untraced_ += {1, picture_->blocks[block].bytes};
    }

    [[nodiscard]] const MemoryPicture& picture() const { return *picture_; }
    [[nodiscard]] const HeldTree& tree() const { return tree_; }
    [[nodiscard]] std::uint32_t ownerOf(std::uint32_t block) const { return owners_[block]; }
    /// Index in MemoryPicture::roots; their number: no root.
    [[nodiscard]] std::uint32_t rootOf(std::uint32_t step) const { return rootOf_[step]; }
    [[nodiscard]] bool isWithoutRoot(std::uint32_t step) const { return rootOf_[step] == picture_->roots.size(); }
    [[nodiscard]] const BlockSum& untracedUnreachable() const { return untraced_; }
    /// Whether no earlier picture exists.
    [[nodiscard]] bool isFirst() const { return isFirst_; }
    /// Calls visit(block, since) for each unreachable block, in order.
    template <typename Visit>
    void eachLeaked(Visit visit) const {
        for (std::size_t i = 0; i < leaked_.size(); ++i)
            visit(leaked_[i], since_[i]);
    }

  private:
    /// A block became unreachable between two pictures: after the last one in which it was reachable or did not exist,
    /// and after its allocation. All pictures are in the order of addresses.
    void findSince(const std::vector<TraceTime>& begins, const std::vector<SharedMemoryPicture>& before,
                   TraceTime traceStart) {
        for (std::uint32_t i = 0; i < picture_->blocks.size(); ++i)
            if (isLeaked(picture_->blocks[i])) leaked_.push_back(i);
        since_.resize(leaked_.size());
        std::vector<std::uint32_t> open(leaked_.size()), earlier; // indexes in leaked_
        for (std::uint32_t i = 0; i < open.size(); ++i)
            open[i] = i;
        auto end = picture_->time;
        for (auto picture = before.rbegin(); picture != before.rend() && !open.empty(); ++picture) {
            const auto& blocks = (*picture)->blocks;
            auto at = blocks.begin();
            earlier.clear();
            for (const auto index : open) {
                const auto address = picture_->blocks[leaked_[index]].address;
                const auto begin = begins[leaked_[index]];
                at = std::find_if(at, blocks.end(), [&](const auto& block) { return block.address >= address; });
                const bool exists = begin < (*picture)->time && at != blocks.end() && at->address == address;
                if (exists && isLeaked(*at))
                    earlier.push_back(index);
                else
                    since_[index] = {std::max(begin, (*picture)->time), end};
            }
            end = (*picture)->time;
            open.swap(earlier);
        }
        for (const auto index : open)
            since_[index] = {std::max(begins[leaked_[index]], traceStart), end};
    }

    SharedMemoryPicture picture_;
    std::vector<std::uint32_t> owners_; ///< labels, by block
    HeldTree tree_;
    std::vector<std::uint32_t> rootOf_; ///< by step
    bool isFirst_;
    std::vector<std::uint32_t> leaked_;
    BlockSum untraced_;            ///< of these
    std::vector<TimeRange> since_; ///< by index in leaked_
};

PicturedStacks::PicturedStacks(const store::PublishedTrace& trace, const FrameLabels& labels, PictureRows pictures)
    : trace_(trace),
      labels_(labels),
      pictures_(std::move(pictures)),
      isDataMissing_(healthOf(trace, Table::Heap).totalsAreBounds()) {}

PicturedStacks::~PicturedStacks() = default;

Result<std::unique_ptr<PicturedStacks>> PicturedStacks::make(const store::PublishedTrace& trace, FrameLabels& labels,
                                                             const PictureQuery& query, const std::stop_token& stop) {
    std::unique_ptr<PicturedStacks> stacks;
    if (!trace.pictures) return stacks;
    PictureRows pictures(trace, query.interval);
    if (pictures.all().empty()) return stacks;
    stacks.reset(new PicturedStacks(trace, labels, std::move(pictures)));
    auto traced = TRY(tracedBlocksOf(trace, labels, stacks->pictures_, query, nullptr, stop));
    const store::ProcessesByPid processes(*trace.processes);
    for (std::size_t i = 0; i < traced.size(); ++i) {
        if (stop.stop_requested()) return cancelled();
        const auto& pictured = stacks->pictures_.all()[i];
        stacks->all_.emplace_back(pictured, std::move(traced[i]), picturesBefore(trace, pictured, processes),
                                  trace.wholeRange().start);
    }
    return stacks;
}

bool PicturedStacks::assign(const RowSelection& selection, std::span<const std::uint32_t> groupOfCell,
                            const std::stop_token& stop) {
    std::vector<std::vector<std::uint32_t>> groupOf;
    for (const auto& one : all_)
        groupOf.emplace_back(one.picture().blocks.size(), kNoGroup);
    const auto note = [&](PictureRows::Place place, std::uint32_t cell, const RowNumbers&) {
        groupOf[place.pictured][place.block] = groupOfCell[cell];
    };
    if (!visitPictured(selection, pictures_, stop, note)) return false;
    parts_.clear(), since_.clear();
    for (std::uint32_t i = 0; i < all_.size(); ++i)
        addParts(i, groupOf[i]);
    std::ranges::sort(parts_, {}, [](const Part& part) { return std::tuple(part.group, part.step); });
    return !stop.stop_requested();
}

void PicturedStacks::addParts(std::uint32_t pictured, std::span<const std::uint32_t> groupOf) {
    const auto& of = all_[pictured];
    std::unordered_map<std::uint64_t, std::size_t> known; // by group and step
    for (std::uint32_t block = 0; block < groupOf.size(); ++block) {
        if (groupOf[block] == kNoGroup) continue;
        const auto step = of.tree().stepOf(block);
        const auto [part, isNew] = known.try_emplace(std::uint64_t{groupOf[block]} << 32 | step, parts_.size());
        if (isNew) parts_.push_back({groupOf[block], pictured, step, of.ownerOf(block), {}});
        parts_[part->second].blocks += {1, of.picture().blocks[block].bytes};
    }
    if (of.isFirst()) return;
    of.eachLeaked([&](std::uint32_t block, const TimeRange& range) {
        const auto group = groupOf[block];
        if (group == kNoGroup) return;
        if (since_.size() <= group) since_.resize(group + std::size_t{1});
        if (!since_[group] || isEarlier(range, *since_[group])) since_[group] = range;
    });
}

std::span<const PicturedStacks::Part> PicturedStacks::partsOf(std::uint32_t group) const {
    const auto parts = std::ranges::equal_range(parts_, group, {}, &Part::group);
    return {parts.begin(), parts.end()};
}

bool PicturedStacks::isUnreachable(const Part& part) const { return all_[part.pictured].isWithoutRoot(part.step); }

BlockSum PicturedStacks::unreachableOf(std::uint32_t group) const {
    BlockSum sum;
    for (const auto& part : partsOf(group))
        if (isUnreachable(part)) sum += part.blocks;
    return sum;
}

/// The root with the most bytes, then the step with the most of these. Blocks without a size differ by their count.
void PicturedStacks::addHolder(std::span<const Part> parts, PicturedStack& answer) const {
    const auto& of = all_[parts.front().pictured];
    const auto isMore = [](const BlockSum& a, const BlockSum& b) {
        return std::tuple(a.bytes, a.count) > std::tuple(b.bytes, b.count);
    };
    std::map<std::uint32_t, BlockSum> roots;
    for (const auto& part : parts)
        if (!isUnreachable(part)) roots[of.rootOf(part.step)] += part.blocks;
    if (roots.empty()) return;
    const auto most =
        std::ranges::max_element(roots, [&](const auto& a, const auto& b) { return isMore(b.second, a.second); });
    answer.held = most->second;
    const Part* largest = nullptr;
    for (const auto& part : parts) {
        if (of.rootOf(part.step) != most->first) continue;
        if (largest == nullptr || isMore(part.blocks, largest->blocks)) largest = &part;
    }
    const auto& steps = of.tree().steps();
    auto step = largest->step;
    if (steps[step].owner == largest->owner) step = steps[step].parent; // the step of the blocks themselves
    for (; steps[step].parent != HeldTree::kNone; step = steps[step].parent)
        answer.heldBy.emplace_back(labels_.text(LabelId{steps[step].owner}));
    answer.heldBy.push_back(rootText(of.picture(), of.picture().roots[most->first]));
    std::ranges::reverse(answer.heldBy);
}

std::optional<PicturedStack> PicturedStacks::of(std::uint32_t group) const {
    const auto parts = partsOf(group);
    if (parts.empty()) return std::nullopt;
    PicturedStack answer;
    answer.time = all_[parts.front().pictured].picture().time;
    for (const auto& part : parts)
        answer.blocks += part.blocks;
    answer.unreachable = unreachableOf(group);
    if (answer.unreachable.count > 0 && group < since_.size()) answer.since = since_[group];
    addHolder(parts, answer);
    answer.limits = limitsOf(parts.front().pictured);
    return answer;
}

PictureLimits PicturedStacks::limitsOf(std::size_t pictured) const {
    const auto& picture = all_[pictured].picture();
    return {isDataMissing_ || picture.unreadThreads > 0 || picture.unreadBytes > 0,
            picture.hasUnknownBlocks ? whyUnrecorded(trace_, pictures_.all()[pictured].process) : std::string_view()};
}

BlockSum PicturedStacks::untracedUnreachableOf(std::size_t pictured) const {
    return all_[pictured].untracedUnreachable();
}

bool isFreedInside(const CellKey& key) {
    const bool endsInside = key.type == RowType::AIFI || key.type == RowType::AOFI;
    return endsInside && key.freeType != static_cast<std::uint8_t>(store::EndKind::ProcessExit);
}

std::string unreachableText(const PicturedStack& stack) {
    const auto& [count, bytes] = stack.unreachable;
    if (count == 0) return {};
    auto text = fmt::format("{}{} {} unreachable because nothing refers to {} {}.", boundOf(stack.limits),
                            blocksText(stack.unreachable), byNumber(count, "is", "are"), byNumber(count, "it", "them"),
                            pictureAt(stack.time));
    if (stack.since)
        text += fmt::format(" {} became unreachable {}.", byNumber(count, "It", "The first of them"),
                            betweenText(stack.since->start, stack.since->end, 2));
    if (stack.limits.isUpperBound)
        text += " Some of this may be in use because data is missing in the trace or in the picture.";
    if (!stack.limits.mayBeHigher.empty())
        text += fmt::format(" More may be unreachable because {}.", stack.limits.mayBeHigher);
    return text;
}

std::string heldByPath(const PicturedStack& stack) { return fmt::format("{}", fmt::join(stack.heldBy, " > ")); }

std::string heldByText(const PicturedStack& stack) {
    if (stack.heldBy.empty()) return {};
    const BlockSum others{stack.blocks.count - stack.unreachable.count, stack.blocks.bytes - stack.unreachable.bytes};
    const auto share =
        others.bytes > 0 ? static_cast<double>(stack.held.bytes) / static_cast<double>(others.bytes) : 1.0;
    const auto subject = stack.unreachable.count > 0
                             ? fmt::format("{} {} held by", byNumber(others.count, "The other block", "Other blocks"),
                                           byNumber(others.count, "is", "are"))
                         : share < 0.995 ? fmt::format("{:.0f} % held by", std::max(share * 100, 1.0))
                                         : std::string("Held by");
    const auto& path = stack.heldBy;
    const auto steps = std::span(path).subspan(1);
    return fmt::format("{} {}{}{} {}.", subject, path.front(), steps.empty() ? "" : " through ",
                       fmt::join(steps, " > "), pictureAt(stack.time));
}

} // namespace highwater::analysis
