#include "core/analysis/leaks/owner_places.h"

#include "core/analysis/frames/frame_facts.h"
#include "core/analysis/frames/node_labels.h"
#include "core/base/text.h"

#include <fmt/format.h>

namespace highwater::analysis {

const OwnerPlaces::Place& OwnerPlaces::of(ProcessIndex process, const CellKey& cell) {
    const auto stack = reader_.stackId(Column::StackBottomUp, cell);
    auto& place = known_[stack.value];
    if (place.isKnown) return place;
    const auto frames = reader_.wholeStack(Column::StackBottomUp, cell).frames;
    place.ownerFrame = static_cast<std::uint32_t>(owners_.ownerOf(process, frames));
    place.isKnown = true;
    findPlace(stack, place);
    return place;
}

FrameRow OwnerPlaces::rowAt(StackId stack, std::size_t frame) const {
    const auto& nodes = trace_.columns->stacks;
    for (auto node = trace_.leaf(stack); node.value != 0 && nodes.node(node).depth > 0;
         node = nodes.node(node).parent) {
        const auto rows = labelOfNode_->rowsOf(node.value).size();
        if (frame < rows) return {node, static_cast<std::uint32_t>(rows - 1 - frame)};
        frame -= rows;
    }
    return {};
}

void OwnerPlaces::findPlace(StackId stack, Place& place) {
    const auto row = rowAt(stack, place.ownerFrame);
    if (row.node.value == 0) return;
    const auto code = labels_.code(*labelOfNode_, row);
    if (!code) return;
    const auto sources = sourcesOf(std::span(&*code, 1));
    if (!sources.empty()) {
        const auto& source = sources.front();
        place.text = labels_.textId(fmt::format("{}:{}", fileName(source.file), source.firstLine));
        place.isSourceLine = true;
        return;
    }
    // Generated code may be generated again at another address. The label of an unnamed frame already contains the
    // address.
    const auto function = labels_.text(labelOfNode_->rowsOf(row.node.value)[row.level]);
    const auto mark = function.find('!');
    const bool isNamed = mark != std::string_view::npos && !isOffset(function.substr(mark + 1));
    if (!isNamed || code->place.isGenerated() || !code->place.isInModule()) return;
    place.text = labels_.textId(fmt::format("+0x{:x}", code->place.codeOffset()));
}

} // namespace highwater::analysis
