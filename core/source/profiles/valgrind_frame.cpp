#include "core/source/profiles/valgrind_frame.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace highwater::source {
namespace {

constexpr std::string_view kNameless = "???";

struct Place {
    std::string_view module, file;
    std::uint32_t line = 0;
};

/// Removes ":12" from the end.
std::optional<std::uint32_t> takeLineNumber(std::string_view& text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos || colon + 1 == text.size()) return std::nullopt;
    const auto digits = text.substr(colon + 1);
    if (digits.find_first_not_of("0123456789") != std::string_view::npos) return std::nullopt;
    std::uint32_t number = 0; // unchanged if the value is too large
    (void)std::from_chars(digits.data(), digits.data() + digits.size(), number);
    text = text.substr(0, colon);
    return number;
}

/// "in /usr/lib/x.so", "known.cpp:4", or for Rust "src/main.rs:20:5" with the column.
std::optional<Place> placeOf(std::string_view text) {
    constexpr std::string_view kIn = "in ";
    if (text.starts_with(kIn)) return Place{text.substr(kIn.size()), {}, 0};
    const auto last = takeLineNumber(text);
    if (!last) return std::nullopt;
    const auto line = takeLineNumber(text);
    return Place{{}, text == kNameless ? std::string_view() : text, line.value_or(*last)};
}

bool isBalanced(std::string_view name) {
    std::ptrdiff_t open = 0;
    for (const char letter : name) {
        open += letter == '(' ? 1 : letter == ')' ? -1 : 0;
        if (open < 0) return false;
    }
    return open == 0;
}

/// Separates the location from a name. Both may contain parentheses ("std::function<void (int)>::operator()(int) const
/// (in /srv/my app (beta)/x)"): the location starts where the text before it is a complete name.
Place takePlace(std::string_view& text) {
    constexpr std::size_t kMostTries = 16; // a name does not have more
    if (!text.ends_with(')')) return {};
    std::optional<Place> first;
    std::string_view nameOfFirst;
    auto before = text.size();
    for (std::size_t tries = 0; tries < kMostTries; ++tries) {
        const auto begin = text.rfind(" (", before);
        if (begin == std::string_view::npos) break;
        const auto place = placeOf(text.substr(begin + 2, text.size() - begin - 3));
        const auto name = text.substr(0, begin);
        if (place && isBalanced(name)) {
            text = name;
            return *place;
        }
        if (place && !first) {
            first = place;
            nameOfFirst = name;
        }
        if (begin == 0) break;
        before = begin - 1;
    }
    if (first) text = nameOfFirst;
    return first.value_or(Place{});
}

} // namespace

void addValgrindFrame(Profile& profile, std::string_view text) {
    Address address = 0;
    const auto colon = text.find(": ");
    if (colon != std::string_view::npos && text.starts_with("0x")) {
        (void)std::from_chars(text.data() + 2, text.data() + colon, address, 16);
        text.remove_prefix(colon + 2);
    }
    const auto place = takePlace(text);
    auto& names = profile.names;
    profile.addFrame(names.idOf(place.module), address);
    if (!text.empty() && text != kNameless) profile.addFunction(names.idOf(text), names.idOf(place.file), place.line);
}

} // namespace highwater::source
