#include "core/source/profiles/name_pool.h"

#include "core/base/text.h"
#include "core/event/opcodes.h"

namespace highwater::source {

NameId NamePool::idOf(std::string_view text) {
    constexpr std::size_t kBytesBeside = 128; ///< per name, besides its text
    text = startOfText(text, kMostCodeNameBytes);
    if (const auto known = ids_.find(text); known != ids_.end()) return known->second;
    const auto id = static_cast<NameId>(texts_.size());
    ids_.emplace(texts_.emplace_back(text), id);
    bytes_ += text.size() + kBytesBeside;
    return id;
}

} // namespace highwater::source
