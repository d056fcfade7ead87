#include "core/export/explain/page_lines.h"

#include "core/base/text.h"

#include <algorithm>

namespace highwater::exports {
namespace {

constexpr std::size_t kNameColumn = 13;
constexpr std::string_view kLeftOut = "...";

bool continuesUtf8(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

std::size_t charactersIn(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return !continuesUtf8(c); }));
}

/// The start of character `number` in bytes.
std::size_t placeOf(std::string_view text, std::size_t number) {
    std::size_t place = 0;
    for (; place < text.size(); ++place) {
        if (continuesUtf8(text[place])) continue;
        if (number-- == 0) break;
    }
    return place;
}

} // namespace

std::string shortened(std::string_view text, std::size_t most) {
    const auto all = charactersIn(text);
    if (all <= most) return std::string(text);
    const auto kept = most > kLeftOut.size() ? most - kLeftOut.size() : 0;
    const auto behind = kept / 3;
    std::string whole(text.substr(0, placeOf(text, kept - behind)));
    whole += kLeftOut;
    return whole += text.substr(placeOf(text, all - behind));
}

void PageLines::add(std::string_view line) { text_ += shortened(printable(line), kWidth) + '\n'; }

void PageLines::addParagraph(std::size_t first, std::size_t indent, std::string_view text) {
    const auto clean = printable(text);
    std::string line(first, ' ');
    bool isEmpty = true;
    std::string_view rest = clean;
    while (!rest.empty()) {
        const auto end = std::min(rest.find(' '), rest.size());
        const auto word = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (!isEmpty && charactersIn(line) + 1 + charactersIn(word) > kWidth) {
            text_ += line + '\n';
            line = std::string(first + indent, ' ');
            isEmpty = true;
        }
        if (!isEmpty) line += ' ';
        line += shortened(word, kWidth - first - indent);
        isEmpty = false;
    }
    text_ += line + '\n';
}

void PageLines::addEntry(std::string_view name, std::string_view text) {
    std::string whole = "  " + std::string(name);
    whole.resize(std::max(whole.size() + 1, kNameColumn), ' ');
    const auto begin = text_.size();
    addParagraph(whole.size(), 0, text);
    text_.replace(begin, whole.size(), whole);
}

void PageLines::addCommand(const std::vector<std::string>& lines) {
    for (const auto& line : lines)
        text_ += line + '\n';
}

} // namespace highwater::exports
