#include "core/analysis/difference/suggested_renames.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace highwater::analysis {
namespace {

using Kind = SuggestedRename::Kind;

constexpr std::size_t kMostLetters = 64;

} // namespace

std::string lettersOf(std::string_view name) {
    std::string letters;
    for (const auto c : lowered(name))
        if (static_cast<unsigned char>(c) >= 0x80 || (c >= 'a' && c <= 'z')) letters += c;
    return letters;
}

/// Based on the longest common subsequence.
double likeness(std::string_view a, std::string_view b) {
    a = a.substr(0, kMostLetters);
    b = b.substr(0, kMostLetters);
    if (a.empty() || b.empty()) return a.empty() && b.empty() ? 1 : 0;
    std::vector<std::size_t> above(b.size() + 1), row(b.size() + 1);
    for (const auto letter : a) {
        for (std::size_t i = 0; i < b.size(); ++i)
            row[i + 1] = letter == b[i] ? above[i] + 1 : std::max(above[i + 1], row[i]);
        above = row;
    }
    return static_cast<double>(above.back()) / static_cast<double>(std::max(a.size(), b.size()));
}

std::string reasonOf(const SuggestedRename& suggestion) {
    const auto& [kind, before, after] = suggestion;
    switch (kind) {
    case Kind::Program:
        return fmt::format("{} was recorded before and {} after. Compare them as one program?", before, after);
    case Kind::Module:
        return fmt::format("{1} appears in place of {0}. Is it the same module?", before, after);
    case Kind::Function:
        return fmt::format("{1} appears in place of {0}, with the same caller and callee. Was {0} renamed?", before,
                           after);
    }
    return {};
}

} // namespace highwater::analysis
