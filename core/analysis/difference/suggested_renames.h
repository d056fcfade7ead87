#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A line of Renames that may be meant: docs/numbers.md 15 says when one is suggested.
struct SuggestedRename {
    enum class Kind : std::uint8_t { Program, Module, Function };
    Kind kind = Kind::Function;
    std::string before; ///< as the side before calls it, without any renames
    std::string after;
    friend bool operator==(const SuggestedRename&, const SuggestedRename&) = default;
};

/// "before recorded app-1.0, after app-2.0", "app!load is gone and app!read is new, with the same neighbours".
[[nodiscard]] std::string reasonOf(const SuggestedRename& suggestion);

/// How alike two names are, from 0 to 1: how many letters of the longer one stay if one is made of the other. Of long
/// names their beginning counts.
[[nodiscard]] double likeness(std::string_view a, std::string_view b);
/// The letters of a name, small: what names of two versions of a module have in common.
[[nodiscard]] std::string lettersOf(std::string_view name);

} // namespace highwater::analysis
