#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A suggested line for Renames. docs/numbers.md 15 defines when it is suggested.
struct SuggestedRename {
    enum class Kind : std::uint8_t { Program, Module, Function };
    Kind kind = Kind::Function;
    std::string before; ///< name on the side before, without any renames
    std::string after;
    friend bool operator==(const SuggestedRename&, const SuggestedRename&) = default;
};

/// "app-1.0 was recorded before and app-2.0 after. ...", "app!read has taken the place of app!load, ...".
[[nodiscard]] std::string reasonOf(const SuggestedRename& suggestion);

/// Similarity of two names, from 0 to 1: the share of the letters of the longer name that remain if one is changed into
/// the other. Only the start of long names counts.
[[nodiscard]] double likeness(std::string_view a, std::string_view b);
/// The letters of a name, in lowercase: usually equal in names of two versions of a module.
[[nodiscard]] std::string lettersOf(std::string_view name);

} // namespace highwater::analysis
