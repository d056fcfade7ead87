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

Profile::Frame valgrindFrame(std::string_view text) {
    Profile::Frame frame;
    const auto colon = text.find(": ");
    if (colon != std::string_view::npos && text.starts_with("0x")) {
        (void)std::from_chars(text.data() + 2, text.data() + colon, frame.address, 16);
        text.remove_prefix(colon + 2);
    }
    auto name = text;
    NamedFunction function;
    const auto place = takePlace(name);
    constexpr std::string_view kIn = "in ";
    const auto line = place.rfind(':');
    if (place.starts_with(kIn)) {
        frame.module = place.substr(kIn.size());
    } else if (line != std::string_view::npos) {
        const auto digits = place.substr(line + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), function.line);
        if (error == std::errc() && end == digits.data() + digits.size())
            function.file = place.substr(0, line);
        else
            name = text; // these were its arguments
    } else {
        name = text;
    }
    if (!name.empty() && name != kNameless) {
        function.name = name;
        frame.functions.push_back(std::move(function));
    }
    return frame;
}

} // namespace highwater::source
