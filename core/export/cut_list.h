#pragma once

#include "core/base/counted.h"

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater::exports {

/// The last line of a list that --top cut: "2 more stacks are not listed; increase --top to list them". Nouns as in
/// counted(); `rest` qualifies them.
[[nodiscard]] inline std::string moreOfList(std::uint64_t more, std::string_view noun, std::string_view rest = {}) {
    return fmt::format("{}{} {} not listed; increase --top to list {}", counted(more, fmt::format("more {}", noun)),
                       rest, byNumber(more, "is", "are"), byNumber(more, "it", "them"));
}

} // namespace highwater::exports
