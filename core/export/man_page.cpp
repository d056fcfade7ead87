#include "core/export/man_page.h"

#include <fmt/format.h>

#include <cctype>
#include <string_view>

namespace highwater::exports {
namespace {

/// Escapes text for roff: backslashes and hyphens are special, as are dots and quotes at the start of a line.
std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool beginsLine = out.empty() || out.back() == '\n';
        if (beginsLine && (c == '.' || c == '\'')) out += "\\&";
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else
            out += c;
    }
    return out;
}

/// Escapes text for an argument of a macro.
std::string macroArgument(std::string_view text) {
    std::string out = "\"";
    for (const char c : escaped(text))
        out += c == '"' ? std::string("\\(dq") : std::string(1, c);
    return out + '"';
}

std::string upper(std::string text) {
    for (auto& c : text)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

void addSection(std::string& out, const ManSection& section) {
    out += fmt::format("{} {}\n", section.isBelow ? ".SS" : ".SH",
                       macroArgument(section.isBelow ? section.title : upper(section.title)));
    if (!section.text.empty()) out += escaped(section.text) + '\n';
    for (const auto& entry : section.entries)
        out += fmt::format(".TP\n.B {}\n{}\n", macroArgument(entry.term), escaped(entry.meaning));
    for (const auto& example : section.examples)
        out += fmt::format(".PP\n{}\n.PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n", escaped(example.question),
                           escaped(example.command));
}

} // namespace

std::string manSource(const ManPage& page) {
    // Not justified, because long words in examples would leave wide gaps.
    auto out = fmt::format(".TH {} 1 {} {} {}\n.ad l\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n", macroArgument(upper(page.name)), "\"\"",
                           macroArgument("Highwater " + page.version), macroArgument("User Commands"), escaped(page.name),
                           escaped(page.summary));
    const auto* separator = "";
    for (const auto& line : page.synopsis) {
        out += fmt::format("{}.B {}\n", separator, macroArgument(line));
        separator = ".br\n";
    }
    for (const auto& section : page.sections)
        addSection(out, section);
    return out;
}

} // namespace highwater::exports
