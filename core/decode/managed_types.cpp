#include "core/decode/managed_types.h"

#include <algorithm>

namespace highwater::decode {
namespace {

constexpr std::size_t kMostNameBytes = 8192; ///< longer names are truncated: names of generic types can have any length
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 28;

} // namespace

std::uint32_t ManagedTypes::numberOf(ByteSpan name) {
    if (name.empty()) return 0;
    const auto bytes = name.first(std::min(name.size(), kMostNameBytes));
    const std::string_view view(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (const auto known = numbers_.find(view); known != numbers_.end()) return known->second;
    if (names_.size() >= kMost || nameBytes_ + view.size() > kMostBytes) return 0;
    nameBytes_ += view.size();
    const auto number = static_cast<std::uint32_t>(names_.size() + 1);
    numbers_.emplace(names_.emplace_back(view), number);
    sink_.onManagedType(number, ByteReader(bytes).takeUtf16());
    return number;
}

} // namespace highwater::decode
