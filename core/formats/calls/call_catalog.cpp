#include "core/formats/calls/call_catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace highwater::formats {

using analysis::FrameRow, analysis::LabelId, analysis::RowCode;

CallCatalog::CallCatalog(const store::PublishedTrace& trace, analysis::FrameLabels& labels)
    : trace_(trace),
      labels_(labels),
      labelOfNode_(labels.labelsOf(trace)),
      imageIndex_(*trace.processes),
      callOfNode_(trace.nodeCount, kNone) {}

std::span<const std::uint32_t> CallCatalog::callsOf(StackId stack) {
    const auto& stacks = trace_.columns->stacks;
    nodes_.clear();
    stack_.clear();
    const auto leaf = trace_.leaf(stack);
    auto node = leaf;
    for (; node.value != 0 && stacks.node(node).depth > 0; node = stacks.node(node).parent)
        nodes_.push_back(node);
    if (nodes_.empty()) {
        const bool isDeferred = stack.value != 0 && leaf.value == 0;
        stack_.push_back(
            callWithoutCode(isDeferred ? analysis::FrameLabels::kNotResolved : analysis::FrameLabels::kNoStack));
        return stack_;
    }
    const auto root = store::unpackRoot(stacks.node(node));
    for (const auto frame : nodes_) {
        auto& call = callOfNode_[frame.value];
        if (call == kNone) call = callOf(frame, root);
        stack_.push_back(call);
    }
    return stack_;
}

std::uint32_t CallCatalog::callOf(FrameNodeId node, store::StackRoot root) {
    const auto code = labels_.code(*labelOfNode_, {node, 0});
    const auto label = (*labelOfNode_)[node.value];
    if (!code || code->place.address == store::kStackCut) return callWithoutCode(label);
    const auto& place = code->place;
    Call call;
    call.image = place.isInModule() ? imageOf(place, root) : kNone;
    call.address = place.codeAddress();
    // Not by address alone, because code outside images differs between processes.
    const auto [known, isNew] =
        callIds_.try_emplace(CallKey{call.image, label.value, call.address}, static_cast<std::uint32_t>(calls_.size()));
    if (!isNew) return known->second;
    addLines(node, call);
    calls_.push_back(call);
    return static_cast<std::uint32_t>(calls_.size() - 1);
}

std::uint32_t CallCatalog::callWithoutCode(LabelId label) {
    const auto [known, isNew] =
        callIds_.try_emplace(CallKey{kNone, label.value, 0}, static_cast<std::uint32_t>(calls_.size()));
    if (!isNew) return known->second;
    calls_.push_back({kNone, 0, lines_.size(), 1});
    lines_.push_back({functionOf(label, nullptr), 0, false});
    return known->second;
}

std::uint32_t CallCatalog::imageOf(const analysis::CodeLocation& place, store::StackRoot root) {
    const auto base = place.address - place.offset;
    const auto [known, isNew] =
        imageIds_.try_emplace(ImageKey{place.module.value, base}, static_cast<std::uint32_t>(images_.size()));
    if (!isNew) return known->second;
    const auto* image = imageIndex_.find(root, place.address);
    images_.push_back({place.module, base, image == nullptr ? ByteCount{0} : image->size});
    return known->second;
}

void CallCatalog::addLines(FrameNodeId node, Call& call) {
    const auto rows = labelOfNode_->rowsOf(node.value);
    call.firstLine = lines_.size();
    call.lineCount = static_cast<std::uint32_t>(rows.size());
    for (auto level = call.lineCount; level-- > 0;) {
        const auto code = labels_.code(*labelOfNode_, FrameRow{node, level});
        Line line{functionOf(rows[level], code ? &*code : nullptr), 0, level > 0};
        if (code && !code->chain.empty()) line.line = code->chain[code->index].line;
        lines_.push_back(line);
    }
}

std::uint32_t CallCatalog::functionOf(LabelId label, const RowCode* code) {
    const bool isNamed = code != nullptr && !code->chain.empty() && code->names != nullptr;
    const auto file = isNamed ? fileOf(code->names->file(code->chain[code->index])) : kNone;
    // One entry per function, whether inlined or not.
    Function function;
    function.name = labels_.text(label);
    function.name.resize(analysis::withoutInlinedMark(function.name).size());
    const auto name = std::uint64_t{labels_.textId(function.name).value} << 32;
    const auto [known, isNew] = functionIds_.try_emplace(name | file, static_cast<std::uint32_t>(functions_.size()));
    if (!isNew) return known->second;
    function.file = file;
    if (isNamed) {
        const auto& resolved = code->names->function(code->chain[code->index]);
        if (analysis::isNamedBy(resolved, code->chain[code->index])) {
            function.linkageName = resolved.linkageName;
            function.isFolded = resolved.foldedWith > 0;
        }
    }
    if (code != nullptr && !code->generatedName.empty()) function.linkageName = code->generatedName;
    functions_.push_back(std::move(function));
    return known->second;
}

std::uint32_t CallCatalog::fileOf(std::string_view file) {
    if (file.empty()) return kNone;
    const auto [known, isNew] = fileIds_.try_emplace(std::string(file), static_cast<std::uint32_t>(files_.size()));
    if (isNew) files_.emplace_back(file);
    return known->second;
}

std::string buildIdText(const ModuleIdentity& identity) {
    if (auto buildId = buildIdOfPdb(identity.pdbName); !buildId.empty()) return buildId;
    if (identity.pdbName.empty()) return {};
    auto text = toString(identity.pdbGuid);
    std::erase(text, '-');
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text + fmt::format("{:X}", identity.pdbAge);
}

} // namespace highwater::formats
