#pragma once

#include <cstdint>
#include <string_view>

namespace highwater::analysis {

/// What a question mark in a pattern stands for; * is any text, also none.
enum class QuestionMark : std::uint8_t { Itself, AnyCharacter };

/// Whether the pattern matches the whole text. Cases differ: lower both to ignore them. Takes pattern times text at
/// worst, whatever the pattern is.
[[nodiscard]] bool globMatches(std::string_view pattern, std::string_view text, QuestionMark questionMark);

} // namespace highwater::analysis
