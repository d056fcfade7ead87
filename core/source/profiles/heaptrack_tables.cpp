#include "core/source/profiles/heaptrack_tables.h"

#include "core/base/text.h"
#include "core/source/profiles/hex_fields.h"

#include <algorithm>
#include <limits>

namespace highwater::source {
namespace {

constexpr std::size_t kMostEntries = std::size_t{1} << 24;
constexpr std::size_t kMostNameBytes = std::size_t{256} << 20;
constexpr ByteCount kMostBytesOfBlock = ByteCount{1} << 43; ///< the limit of records

} // namespace

HeaptrackTables::HeaptrackTables(std::uint32_t format, std::uint64_t mostFrames, NamePool& names,
                                 ProfileRecords& records)
    : format_(format),
      mostFrames_(mostFrames),
      names_(names),
      records_(records),
      strings_(1),
      frames_(1),
      nodes_(1),
      keys_(std::make_shared<std::deque<StackKeyItem>>()) {}

bool HeaptrackTables::isTooMuch() const {
    const auto entries = std::max({strings_.size(), frames_.size(), nodes_.size(), allocations_.size()});
    return entries > kMostEntries || names_.bytes() > kMostNameBytes;
}

/// Formats before 3 do not contain the length, so the line may end with the line break of Windows.
void HeaptrackTables::defineString(std::string_view line, LineReader& lines) {
    const auto rest = line.substr(2);
    if (format_ < 3) return void(strings_.push_back(names_.idOf(withoutReturn(rest))));
    HexFields fields(rest);
    const auto length = fields.next();
    const auto before = line.size() - fields.rest().size();
    if (!length || (*length > 0 && fields.rest().empty())) {
        ++damaged_;
        return void(strings_.push_back(0));
    }
    const auto wanted = before + 1 + static_cast<std::size_t>(std::min<std::uint64_t>(*length, LineReader::kLongest));
    if (line.size() < wanted) line = lines.longer(line, wanted);
    if (line.size() < wanted) ++damaged_;
    strings_.push_back(names_.idOf(line.substr(std::min(before + 1, line.size()), wanted - before - 1)));
}

NameId HeaptrackTables::nameOf(std::uint64_t index) {
    if (index < strings_.size()) return strings_[static_cast<std::size_t>(index)];
    ++damaged_;
    return 0;
}

/// Address and module, then functions: the innermost inlined one first, the one that contains the code last.
void HeaptrackTables::defineFrame(std::string_view rest, std::int64_t ticks) {
    HexFields fields(rest);
    const auto address = fields.next();
    const auto module = fields.next();
    if (!address || !module) ++damaged_;
    functions_.clear();
    while (const auto function = fields.next()) {
        const auto file = fields.next(); // functions without debug data have only a name
        const auto line = fields.next().value_or(0);
        functions_.push_back(
            {nameOf(*function), nameOf(file.value_or(0)),
             static_cast<std::uint32_t>(std::min<std::uint64_t>(line, std::numeric_limits<std::uint32_t>::max()))});
    }
    if (!trimmed(fields.rest()).empty()) ++damaged_;
    frames_.push_back(records_.addFrame(ticks, nameOf(module.value_or(0)), address.value_or(0), functions_));
}

void HeaptrackTables::defineNode(std::string_view rest) {
    HexFields fields(rest);
    const auto frame = fields.next();
    const auto parent = fields.next();
    Node node;
    if (frame && *frame < frames_.size()) node.frame = static_cast<std::uint32_t>(*frame);
    if (parent && *parent < nodes_.size()) node.parent = static_cast<std::uint32_t>(*parent);
    const bool isRight = frame && parent && *frame < frames_.size() && *parent < nodes_.size();
    damaged_ += isRight ? 0 : 1;
    // It adds nothing; copying its parent avoids walking chains of such nodes.
    if (node.frame == 0) node = nodes_[node.parent];
    nodes_.push_back(node);
}

void HeaptrackTables::defineAllocation(std::string_view rest, std::int64_t ticks) {
    HexFields fields(rest);
    const auto size = fields.next();
    const auto node = fields.next();
    const bool isRight = size && node && *node < nodes_.size() && *size <= kMostBytesOfBlock;
    damaged_ += isRight ? 0 : 1;
    allocations_.push_back({isRight ? *size : 0, isRight ? keyOf(static_cast<std::size_t>(*node), ticks) : nullptr});
}

/// Writes the stack of a node when it is first used. Parents precede their children.
const StackKeyItem* HeaptrackTables::keyOf(std::size_t index, std::int64_t ticks) {
    if (index == 0) return nullptr;
    auto& node = nodes_[index];
    if (node.key != nullptr) return node.key;
    if (toldFrames_ > mostFrames_) {
        ++stacksLeftOut_;
        return nullptr;
    }
    stack_.clear();
    for (auto at = index; at != 0 && stack_.size() < kMostWrittenFrames; at = nodes_[at].parent)
        if (nodes_[at].frame != 0) stack_.push_back(frames_[nodes_[at].frame]);
    if (stack_.empty()) return nullptr;
    toldFrames_ += stack_.size();
    auto& item = keys_->emplace_back();
    item.key = keys_->size();
    records_.addStack(ticks, item.key, stack_);
    return node.key = &item;
}

} // namespace highwater::source
