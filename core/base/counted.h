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

/// The form of a verb for a part of all: "1 of 5 stacks is", "0 of 5 stacks are", "0 of 1 stack is".
[[nodiscard]] inline std::string_view byPart(std::uint64_t part, std::uint64_t all, std::string_view one,
                                             std::string_view several) {
    return byNumber(all == 1 ? 1 : part, one, several);
}

/// "1 record was", "1,200 records were", followed by a participle.
[[nodiscard]] inline std::string countedWere(std::uint64_t count, std::string_view one, std::string_view several) {
    auto text = thousands(count) + ' ';
    text += byNumber(count, one, several);
    text += byNumber(count, " was", " were");
    return text;
}

} // namespace highwater
