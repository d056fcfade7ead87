#include "core/formats/report/report_text.h"

#include "core/export/shell_words.h"

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

void writeReportCommand(const std::vector<std::string>& command, std::ostream& out) {
    constexpr std::size_t kWidth = 110;
    const auto lines = exports::shellLines(command, kWidth, exports::ownShell());
    if (!lines.hasValue()) {
        out << "<p>" << htmlText(lines.error().message) << "</p>\n";
        return;
    }
    out << "<pre>";
    for (const auto& line : lines.value())
        out << htmlText(line) << '\n';
    out << "</pre>\n";
}

} // namespace highwater::formats
