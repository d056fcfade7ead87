#include "core/formats/report/report_text.h"

#include "core/base/text.h"

namespace highwater::formats {

std::string htmlText(std::string_view text) {
    std::string escaped;
    for (const auto c : printable(text)) {
        switch (c) {
        case '&':
            escaped += "&amp;";
            break;
        case '<':
            escaped += "&lt;";
            break;
        case '>':
            escaped += "&gt;";
            break;
        case '"':
            escaped += "&quot;";
            break;
        case '\'':
            escaped += "&#39;";
            break;
        default:
            escaped += c;
        }
    }
    return escaped;
}

} // namespace highwater::formats
