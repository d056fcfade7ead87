#include "core/source/profiles/valgrind_frame.h"

#include "core/base/text.h"

#include <charconv>

namespace highwater::source {
namespace {

constexpr std::string_view kNameless = "???";

/// What stands in the last parentheses. Empty: there are none.
std::string_view takePlace(std::string_view& text) {
    if (!text.ends_with(')')) return {};
    const auto begin = text.rfind(" (");
    if (begin == std::string_view::npos) return {};
    const auto place = text.substr(begin + 2, text.size() - begin - 3);
    text = text.substr(0, begin);
    return place;
}

} // namespace

void addValgrindFrame(Profile& profile, std::string_view text) {
    Address address = 0;
    const auto colon = text.find(": ");
    if (colon != std::string_view::npos && text.starts_with("0x")) {
        (void)std::from_chars(text.data() + 2, text.data() + colon, address, 16);
        text.remove_prefix(colon + 2);
    }
    auto name = text;
    std::string_view module, file;
    std::uint32_t number = 0;
    const auto place = takePlace(name);
    constexpr std::string_view kIn = "in ";
    const auto line = place.rfind(':');
    if (place.starts_with(kIn)) {
        module = place.substr(kIn.size());
    } else if (line != std::string_view::npos) {
        const auto digits = place.substr(line + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error == std::errc() && end == digits.data() + digits.size())
            file = place.substr(0, line);
        else
            name = text; // these were its arguments
    } else {
        name = text;
    }
    auto& names = profile.names;
    profile.addFrame(names.idOf(module), address);
    if (!name.empty() && name != kNameless) profile.addFunction(names.idOf(name), names.idOf(file), number);
}

} // namespace highwater::source
