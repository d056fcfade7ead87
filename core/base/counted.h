#pragma once

#include "core/base/text.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace highwater {

/// "1 stack", "1,200 stacks", "0 stacks": nouns whose plural ends in s.
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun) {
    auto text = thousands(count) + ' ';
    text += noun;
    return count == 1 ? text : text + 's';
}

/// The form of a verb: byNumber(count, "was", "were").
[[nodiscard]] inline std::string_view byNumber(std::uint64_t count, std::string_view one, std::string_view several) {
    return count == 1 ? one : several;
}

} // namespace highwater
