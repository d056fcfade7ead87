#pragma once

#include <string>
#include <string_view>

namespace highwater::cli {

/// A field of a CSV line (RFC 4180): quoted when it has to be.
[[nodiscard]] inline std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace highwater::cli
