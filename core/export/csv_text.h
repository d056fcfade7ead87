#pragma once

#include "core/base/text.h"

#include <string>
#include <string_view>

namespace highwater::exports {

/// Separates the frames of a stack in one field: "outer;inner".
inline constexpr char kFrameSeparator = ';';

/// A field of a CSV line (RFC 4180), quoted if necessary. Terminal control characters are replaced as in text.
[[nodiscard]] inline std::string csvField(std::string_view text) {
    auto field = printable(text);
    if (field.find_first_of(",\"") == std::string::npos) return field;
    std::string quoted = "\"";
    for (const char c : field) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + '"';
}

} // namespace highwater::exports
