#include "core/analysis/difference/renames.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace highwater::analysis {
namespace {

/// Limits the work because each sign is tried as the divider of a line.
constexpr std::size_t kLongestRename = 16'384;

using Sides = std::pair<std::string, std::string>;

std::string quoted(std::string_view text) {
    std::string quoted = "\"";
    for (const auto letter : text)
        quoted.append(letter == '"' ? 2 : 1, letter);
    return quoted + '"';
}

/// Removes the quoted text at the start of `text` and returns its content. Nothing: no closing quote.
std::optional<std::string> takeQuoted(std::string_view& text) {
    std::string inner;
    for (std::size_t i = 1; i < text.size(); ++i) {
        if (text[i] == '"' && (++i == text.size() || text[i] != '"')) {
            text.remove_prefix(i);
            return inner;
        }
        inner += text[i];
    }
    return std::nullopt;
}

/// A whole side. Nothing: a quote is not closed, or is closed too early.
std::optional<std::string> sideOf(std::string_view text) {
    text = trimmed(text);
    if (!text.starts_with('"')) return std::string(text);
    auto inner = takeQuoted(text);
    return text.empty() ? inner : std::nullopt;
}

std::optional<Sides> divideAt(std::string_view line, std::size_t sign) {
    auto before = sideOf(line.substr(0, sign));
    auto after = sideOf(line.substr(sign + 1));
    if (!before || !after) return std::nullopt;
    return Sides{*std::move(before), *std::move(after)};
}

/// The only occurrence of `text` in `line`; npos: none, or several.
std::size_t onlyPlaceOf(std::string_view text, std::string_view line) {
    const auto place = line.find(text);
    return place == std::string_view::npos || line.find(text, place + 1) != std::string_view::npos
               ? std::string_view::npos
               : place;
}

/// Names of C++ operators contain the sign. Quotes, or blanks on both sides, identify the divider.
std::optional<Sides> divided(std::string_view line) {
    if (line.starts_with('"')) {
        auto rest = line;
        if (!takeQuoted(rest)) return std::nullopt;
        rest = trimmed(rest);
        if (!rest.starts_with('=')) return std::nullopt;
        return divideAt(line, static_cast<std::size_t>(rest.data() - line.data()));
    }
    for (auto sign = line.find('='); sign != std::string_view::npos; sign = line.find('=', sign + 1)) {
        if (!trimmed(line.substr(sign + 1)).starts_with('"')) continue;
        if (auto sides = divideAt(line, sign)) return sides;
    }
    constexpr std::string_view kWide = " = ";
    if (line.find(kWide) != std::string_view::npos) {
        const auto wide = onlyPlaceOf(kWide, line);
        return wide == std::string_view::npos ? std::nullopt : divideAt(line, wide + 1);
    }
    const auto narrow = onlyPlaceOf("=", line);
    return narrow == std::string_view::npos ? std::nullopt : divideAt(line, narrow);
}

/// A module name, or a module and a function.
bool isPlace(std::string_view text) {
    const auto mark = text.find('!');
    return !text.empty() && mark != 0 && mark != text.size() - 1;
}

Error wrongLine(std::size_t number, std::string_view line, std::string_view why) {
    return {ErrorKind::Usage, fmt::format("Line {} of the renames: {}: {}", number, why, line)};
}

} // namespace

std::string placeKey(std::string_view label) {
    const auto mark = label.find('!');
    if (mark == std::string_view::npos) return lowered(label);
    return lowered(label.substr(0, mark)).append(label.substr(mark));
}

Result<Renames> Renames::parse(std::string_view text) {
    Renames renames;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const auto end = std::min(text.find('\n'), text.size());
        const auto line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') continue;
        if (line.size() > kLongestRename)
            return wrongLine(number, startOfText(line, 60), "the line is too long to be a rename");
        const auto sides = divided(line);
        if (!sides) return wrongLine(number, line, "expected old = new");
        if (const auto added = renames.add(sides->first, sides->second); !added.hasValue())
            return wrongLine(number, line, added.error().message);
    }
    return renames;
}

Result<void> Renames::add(std::string_view before, std::string_view after) {
    const auto refusal = [](const char* why) { return Error{ErrorKind::Usage, why}; };
    if (!isPlace(before) || !isPlace(after)) return refusal("expected a module or module!function");
    const bool isFunction = before.find('!') != std::string_view::npos;
    if (isFunction != (after.find('!') != std::string_view::npos))
        return refusal("one side is a function and the other is a module");
    if (before.find('\n') != std::string_view::npos || after.find('\n') != std::string_view::npos)
        return refusal("a name cannot contain a line break");
    auto& names = isFunction ? functions_ : modules_;
    if (!names.try_emplace(placeKey(before), lines_.size()).second)
        return refusal("the name on the left is already renamed");
    lines_.push_back({std::string(before), std::string(after)});
    return {};
}

std::string Renames::lineOf(std::string_view before, std::string_view after) {
    auto line = fmt::format("{} = {}", before, after);
    if (!line.starts_with('#') && divided(line) == Sides{before, after}) return line;
    return fmt::format("{} = {}", quoted(before), quoted(after));
}

std::string Renames::text() const {
    std::string text;
    for (const auto& line : lines_)
        text += lineOf(line.before, line.after) + '\n';
    return text;
}

std::string Renames::formerModuleName(std::string_view name) const {
    const auto found = std::find_if(modules_.begin(), modules_.end(), [&](const auto& known) {
        return equalsIgnoringCase(lines_[known.second].after, name);
    });
    return found == modules_.end() ? std::string(name) : found->first;
}

std::optional<std::size_t> Renames::lineOfModule(std::string_view name) const {
    const auto found = modules_.find(lowered(name));
    return found == modules_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> Renames::lineOfFunction(std::string_view label) const {
    if (const auto found = functions_.find(placeKey(label)); found != functions_.end()) return found->second;
    const auto mark = label.find('!');
    return mark == std::string_view::npos ? std::nullopt : lineOfModule(label.substr(0, mark));
}

std::string Renames::moduleName(std::string_view name) const {
    const auto line = lineOfModule(name);
    return line ? lines_[*line].after : std::string(name);
}

std::string Renames::functionName(std::string_view label) const {
    const auto line = lineOfFunction(label);
    if (!line) return std::string(label);
    const auto& [before, after] = lines_[*line];
    const bool isOfFunction = before.find('!') != std::string::npos;
    return isOfFunction ? after : after + std::string(label.substr(label.find('!')));
}

} // namespace highwater::analysis
