#include "core/check/xml_text.h"

#include "core/base/text.h"

namespace highwater::check {
namespace {

void append(std::string_view line, std::string& out) {
    for (const char c : printable(line)) {
        switch (c) {
        case '&':
            out += "&amp;";
            break;
        case '<':
            out += "&lt;";
            break;
        case '>':
            out += "&gt;";
            break;
        case '"':
            out += "&quot;";
            break;
        default:
            out += c;
        }
    }
}

} // namespace

std::string xmlText(std::string_view text) {
    std::string out;
    while (true) {
        const auto end = text.find('\n');
        append(text.substr(0, end), out);
        if (end == std::string_view::npos) return out;
        out += "&#10;"; // attribute normalization would turn a plain line end into a blank
        text.remove_prefix(end + 1);
    }
}

} // namespace highwater::check
