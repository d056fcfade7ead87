#pragma once

#include <cstdint>
#include <string_view>

namespace highwater::analysis {

/// The meaning of a question mark in a pattern; * is any text, including none.
enum class QuestionMark : std::uint8_t { Itself, AnyCharacter };

/// Whether the pattern matches the whole text. Case-sensitive; convert both to lowercase to ignore case. Takes at most
/// pattern length times text length for any pattern.
[[nodiscard]] bool globMatches(std::string_view pattern, std::string_view text, QuestionMark questionMark);

} // namespace highwater::analysis
