#include "core/analysis/held/picture_blocks.h"

#include "core/analysis/frames/owner_frames.h"
#include "core/analysis/held/stack_owners.h"
#include "core/analysis/rows/wrapper_search.h"

#include <optional>

namespace highwater::analysis {
namespace {

/// Collects the stacks of owners, each once.
class StackCollector {
  public:
    StackCollector(const RowSelection& selection, const StackOwners& owners, std::size_t stackCount,
                   OwnerStacks& stacks)
        : selection_(selection), owners_(owners), isNoted_(stackCount), stacks_(stacks) {}

    void note(std::uint32_t owner, ProcessIndex process, const CellKey& key) {
        const auto stack = selection_.reader().stackId(Column::StackBottomUp, key).value;
        if (isNoted_[stack]) return;
        isNoted_[stack] = true;
        std::vector<std::uint64_t> frames;
        for (const auto& step : owners_.pathToOwner({{Column::Process, process.value}}, process, key))
            if (step.column == Column::StackBottomUp) frames.push_back(step.key);
        stacks_[owner].insert(std::move(frames));
    }

  private:
    const RowSelection& selection_;
    const StackOwners& owners_;
    std::vector<bool> isNoted_;
    OwnerStacks& stacks_;
};

} // namespace

Result<std::vector<TracedBlocks>> tracedBlocksOf(const store::PublishedTrace& trace, FrameLabels& labels,
                                                 const PictureRows& pictures, const PictureQuery& query,
                                                 OwnerStacks* stacks, const std::stop_token& stop) {
    SelectionQuery wanted;
    wanted.table = Table::Heap;
    wanted.interval = query.interval;
    wanted.columns = {Column::Process, Column::StackBottomUp};
    wanted.allocatorFrames = query.allocatorFrames.get();
    const auto all = TRY(RowSelection::make(trace, labels, wanted, stop));
    OwnerFrames owners(*trace.processes, labels, query.allocatorFrames.get(), query.owners);
    const auto wrappers = findWrappers(trace, labels, {Table::Heap, query.allocatorFrames, query.owners}, stop);
    if (!wrappers) return cancelled();
    owners.setWrappers(wrappers.get());
    StackOwners ofStacks(trace, *all, owners);
    std::optional<StackCollector> collector;
    if (stacks != nullptr) collector.emplace(*all, ofStacks, trace.stackCount, *stacks);
    const auto untraced = labels.textId(kUntraced).value;
    std::vector<TracedBlocks> blocks;
    for (const auto& pictured : pictures.all()) {
        const auto count = pictured.picture->blocks.size();
        blocks.push_back({std::vector(count, untraced), std::vector<TraceTime>(count, kBeforeTrace),
                          std::vector<std::uint8_t>(count)});
    }
    const auto note = [&](PictureRows::Place place, std::uint32_t cell, const RowNumbers& row) {
        auto& [ownerOf, begins, areTraced] = blocks[place.pictured];
        const auto process = pictures.all()[place.pictured].process;
        const auto& key = all->cells()[cell].key;
        ownerOf[place.block] = ofStacks.of(process, key);
        if (collector) collector->note(ownerOf[place.block], process, key);
        begins[place.block] = row.begin;
        areTraced[place.block] = 1;
    };
    if (!visitPictured(*all, pictures, stop, note)) return cancelled();
    return blocks;
}

} // namespace highwater::analysis
