#include "core/analysis/difference/renames.h"

#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace highwater::analysis {
namespace {

using Sides = std::pair<std::string_view, std::string_view>;

/// Operators of C++ have the sign in their names: blanks on both sides tell which one divides.
std::optional<Sides> divided(std::string_view line) {
    constexpr std::string_view kWide = " = ";
    const auto wide = line.find(kWide);
    if (wide != std::string_view::npos) {
        if (line.find(kWide, wide + 1) != std::string_view::npos) return std::nullopt;
        return Sides{trimmed(line.substr(0, wide)), trimmed(line.substr(wide + kWide.size()))};
    }
    const auto narrow = line.find('=');
    if (narrow == std::string_view::npos || line.find('=', narrow + 1) != std::string_view::npos) return std::nullopt;
    return Sides{trimmed(line.substr(0, narrow)), trimmed(line.substr(narrow + 1))};
}

/// A name of a module, or a module and a function.
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
        const auto sides = divided(line);
        if (!sides) return wrongLine(number, line, "not old = new");
        if (const auto added = renames.add(sides->first, sides->second); !added.hasValue())
            return wrongLine(number, line, added.error().message);
    }
    return renames;
}

Result<void> Renames::add(std::string_view before, std::string_view after) {
    const auto refusal = [](const char* why) { return Error{ErrorKind::Usage, why}; };
    if (!isPlace(before) || !isPlace(after)) return refusal("not a module, and not module!function");
    const bool isFunction = before.find('!') != std::string_view::npos;
    if (isFunction != (after.find('!') != std::string_view::npos))
        return refusal("a function on one side and a module on the other");
    // Others would be read otherwise than they were meant, or not at all.
    const auto line = fmt::format("{} = {}", before, after);
    if (divided(line) != Sides{before, after} || line.front() == '#' || line.find('\n') != std::string::npos)
        return refusal("names with \" = \" between blanks, or that begin with #, have no line");
    auto& names = isFunction ? functions_ : modules_;
    if (!names.try_emplace(placeKey(before), after).second) return refusal("what is on the left was renamed before");
    lines_.push_back({std::string(before), std::string(after)});
    return {};
}

std::string Renames::text() const {
    std::string text;
    for (const auto& line : lines_)
        text += line.before + " = " + line.after + '\n';
    return text;
}

std::string Renames::formerModuleName(std::string_view name) const {
    const auto found = std::find_if(modules_.begin(), modules_.end(),
                                    [&](const auto& known) { return equalsIgnoringCase(known.second, name); });
    return found == modules_.end() ? std::string(name) : found->first;
}

std::string Renames::moduleName(std::string_view name) const {
    const auto found = modules_.find(lowered(name));
    return found == modules_.end() ? std::string(name) : found->second;
}

std::string Renames::functionName(std::string_view label) const {
    if (isEmpty()) return std::string(label);
    if (const auto found = functions_.find(placeKey(label)); found != functions_.end()) return found->second;
    const auto mark = label.find('!');
    if (mark == std::string_view::npos) return std::string(label);
    return moduleName(label.substr(0, mark)).append(label.substr(mark));
}

} // namespace highwater::analysis
