#include "core/check/unreachable_stacks.h"

#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/frames/suppressed_stacks.h"
#include "core/analysis/held/held_by.h"
#include "core/analysis/rows/row_selection.h"
#include "core/analysis/rows/stack_groups.h"
#include "core/analysis/rows/wrapper_search.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

namespace highwater::check {
namespace {

using analysis::CellKey, analysis::Column, analysis::LabelId, analysis::PicturedStacks;

std::string blocksText(const analysis::BlockSum& blocks, std::string_view word) {
    return fmt::format("{} ({})", counted(blocks.count, word), bytesText(blocks.bytes));
}

/// The stacks of a trace with blocks in its pictures.
class UnreachableSearch {
  public:
    UnreachableSearch(const store::PublishedTrace& trace, analysis::FrameLabels& labels,
                      const analysis::RowSelection& selection, const analysis::Suppressions& suppressions,
                      const std::shared_ptr<const analysis::AllocatorFrames>& allocators)
        : labels_(labels),
          selection_(selection),
          owners_(*trace.processes, labels, allocators.get()),
          wrappers_(analysis::findWrappers(trace, labels, {analysis::Table::Heap, allocators}, {})),
          suppressed_(trace, labels, &suppressions) {
        owners_.setWrappers(wrappers_.get());
    }

    /// By cell.
    [[nodiscard]] std::vector<std::uint32_t> group() {
        analysis::StackGroups numbers;
        std::vector<std::uint32_t> groups;
        for (const auto& cell : selection_.cells()) {
            const auto frames = selection_.reader().stack(Column::StackBottomUp, cell.key);
            const auto number = numbers.numberOf(processOf(cell.key), frames);
            if (number == stacks_.size()) stacks_.push_back(cell.key);
            groups.push_back(analysis::isFreedInside(cell.key) ? PicturedStacks::kNoGroup : number);
        }
        return groups;
    }
    void add(const PicturedStacks& pictures, std::vector<UnreachableMemory>& memory) {
        const auto& all = pictures.pictures().all();
        for (std::uint32_t group = 0; group < stacks_.size(); ++group) {
            const auto unreachable = pictures.unreachableOf(group);
            if (unreachable.count == 0) continue;
            const auto of =
                std::ranges::find(all, processOf(stacks_[group]), &analysis::PictureRows::Pictured::process);
            add(stacks_[group], unreachable, memory[static_cast<std::size_t>(of - all.begin())]);
        }
        for (auto& one : memory)
            std::ranges::stable_sort(one.stacks, std::greater(),
                                     [](const UnreachableStack& stack) { return stack.unreachable.bytes; });
    }

  private:
    [[nodiscard]] ProcessIndex processOf(const CellKey& key) const {
        return ProcessIndex{static_cast<std::uint32_t>(selection_.reader().key(Column::Process, key))};
    }
    void add(const CellKey& key, const analysis::BlockSum& unreachable, UnreachableMemory& memory) {
        if (suppressed_.contains(selection_.reader().stackId(Column::StackBottomUp, key))) {
            ++memory.suppressedStacks;
            memory.suppressed += unreachable;
            return;
        }
        memory.all += unreachable;
        auto& stack = memory.stacks.emplace_back();
        stack.unreachable = unreachable;
        const auto frames = selection_.reader().wholeStack(Column::StackBottomUp, key).frames;
        for (const auto frame : frames)
            stack.frames.emplace_back(labels_.text(LabelId{frame}));
        stack.owner = stack.frames[owners_.ownerOf(processOf(key), frames)];
    }

    analysis::FrameLabels& labels_;
    const analysis::RowSelection& selection_;
    analysis::OwnerFrames owners_;
    std::shared_ptr<const analysis::Wrappers> wrappers_;
    analysis::SuppressedStacks suppressed_;
    std::vector<CellKey> stacks_; ///< by group
};

/// Without any block, 0 unreachable bytes would mean nothing.
std::optional<Error> whyNotKnown(const store::PublishedTrace& trace, const analysis::PictureRows& pictures) {
    for (const auto& [process, picture, roots, holders, types] : pictures.all()) {
        if (!picture->blocks.empty() || !picture->hasUnknownBlocks) continue;
        return Error{ErrorKind::Unsupported,
                     fmt::format("Unreachable memory of {} cannot be checked because its picture of memory ({:.2f} s) "
                                 "contains no blocks: the process was already running when its recording began, and "
                                 "such blocks are found only in heaps of glibc. Record the program from its start.",
                                 trace.processes->key(process), picture->time.seconds())};
    }
    return std::nullopt;
}

} // namespace

Result<std::vector<UnreachableMemory>> findUnreachable(const store::PublishedTrace& trace,
                                                       analysis::FrameLabels& labels,
                                                       const analysis::Suppressions& suppressions) {
    if (!trace.pictures) {
        const auto why = analysis::whyNotTaken(trace);
        return Error{ErrorKind::Unsupported,
                     fmt::format("Unreachable memory cannot be checked because the trace has no picture of memory. {}",
                                 why.empty() ? "Record it with --picture-at-exit or --picture-at-stop (Linux)." : why)};
    }
    const auto allocators = analysis::AllocatorFrames::builtIn();
    const auto pictures = TRY(PicturedStacks::make(trace, labels, {trace.wholeRange(), allocators, {}}, {}));
    if (pictures == nullptr)
        return Error{ErrorKind::Unsupported, "Unreachable memory cannot be checked because the trace does not contain "
                                             "the processes of its pictures of memory."};
    if (auto refused = whyNotKnown(trace, pictures->pictures())) return *std::move(refused);
    analysis::SelectionQuery query;
    query.table = analysis::Table::Heap;
    query.interval = trace.wholeRange();
    query.columns = {Column::Process, Column::StackBottomUp, Column::FreeType};
    const auto selection = TRY(analysis::RowSelection::make(trace, labels, query, {}));
    UnreachableSearch search(trace, labels, *selection, suppressions, allocators);
    const auto groups = search.group();
    (void)pictures->assign(*selection, groups, {}); // nothing stops it
    std::vector<UnreachableMemory> memory;
    for (std::size_t i = 0; i < pictures->pictures().all().size(); ++i) {
        const auto& pictured = pictures->pictures().all()[i];
        memory.push_back(
            {trace.processes->key(pictured.process), pictured.picture->time, pictures->limitsOf(i), {}, {}, 0, {}});
    }
    search.add(*pictures, memory);
    for (std::size_t i = 0; i < memory.size(); ++i) {
        const auto untraced = pictures->untracedUnreachableOf(i);
        if (untraced.count == 0) continue;
        memory[i].all += untraced;
        memory[i].stacks.push_back({analysis::kUntraced, {analysis::kUntraced}, untraced});
    }
    return memory;
}

std::string unreachableText(const UnreachableVerdict& verdict) {
    const auto& [process, time, limits, all, stacks, suppressedStacks, suppressed] = verdict.memory;
    const auto amounts = distinctBytes(all.bytes, verdict.limit);
    return fmt::format("{}: {} ({}) {} unreachable (picture at {:.2f} s), {} {}", process, counted(all.count, "block"),
                       amounts.first, byNumber(all.count, "is", "are"), time.seconds(),
                       verdict.isExceeded() ? "more than" : "within", amounts.last);
}

std::string unreachableText(const UnreachableStack& stack) {
    return fmt::format("{}: {}", stack.owner, blocksText(stack.unreachable, "unreachable block"));
}

std::string suppressedBlocksText(const UnreachableMemory& memory) {
    if (memory.suppressedStacks == 0) return {};
    return fmt::format("suppressed: {} of {} with {}", counted(memory.suppressedStacks, "stack"), memory.process,
                       blocksText(memory.suppressed, "unreachable block"));
}

std::string limitsText(const UnreachableMemory& memory) {
    std::string text;
    if (memory.limits.isUpperBound)
        text =
            fmt::format("Some of the unreachable memory of {} may be in use because data is missing in the trace or in "
                        "the picture.",
                        memory.process);
    if (!memory.limits.mayBeHigher.empty())
        text += fmt::format("{}More memory of {} may be unreachable because {}.", text.empty() ? "" : " ",
                            memory.process, memory.limits.mayBeHigher);
    return text;
}

} // namespace highwater::check
