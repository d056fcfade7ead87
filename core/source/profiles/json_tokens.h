#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace highwater::source {

/// Whether a string or number in JSON is longer than any that a profiler writes. The parser copies the current token
/// several times, and again for an error message.
[[nodiscard]] inline bool hasEndlessToken(std::string_view json) {
    constexpr std::size_t kLongest = std::size_t{16} << 20;
    constexpr auto kEndsWord = [] {
        std::array<bool, 256> ends{};
        for (const char c : std::string_view("\",:[]{} \t\r\n"))
            ends[static_cast<unsigned char>(c)] = true;
        return ends;
    }();
    bool isInText = false;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < json.size(); ++at) {
        if (isInText && json[at] == '\\') {
            ++at; // an escaped character does not end the string
            continue;
        }
        const bool ends = isInText ? json[at] == '"' : kEndsWord[static_cast<unsigned char>(json[at])];
        if (!ends) continue;
        if (at - begin > kLongest) return true;
        if (json[at] == '"') isInText = !isInText;
        begin = at + 1;
    }
    return json.size() - std::min(begin, json.size()) > kLongest;
}

} // namespace highwater::source
