#include "app/cli/options/unknown_option.h"

#include "core/base/edit_distance.h"
#include "core/base/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

namespace highwater::cli {
namespace {

constexpr std::size_t kMostShown = 64;

std::vector<std::string> namesOf(const CLI::App& command) {
    std::vector<std::string> names;
    for (const auto* option : command.get_options()) {
        for (const auto& name : option->get_lnames())
            names.push_back("--" + name);
        for (const auto& name : option->get_snames())
            names.push_back("-" + name);
    }
    return names;
}

/// Returns "--range" for "--range=-5:10"; empty if it is not an option. A number ("-5") is not one because only the
/// program can interpret it.
std::string_view optionIn(std::string_view argument) {
    if (argument.size() < 3 || !argument.starts_with("--")) return {};
    return argument.substr(0, argument.find('='));
}

/// Of the long options.
std::string proposals(std::vector<std::string> names, std::string_view typed) {
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("--"); });
    return didYouMean(names, typed);
}

const CLI::Option* optionOf(const CLI::App& command, const std::string& argument) {
    return argument.size() > 1 && argument.starts_with('-') ? command.get_option_no_throw(argument) : nullptr;
}

} // namespace

std::string didYouMean(const std::vector<std::string>& names, std::string_view typed) {
    const auto letters = [](std::string_view name) {
        return name.substr(std::min(name.find_first_not_of('-'), name.size()), kMostShown);
    };
    const auto word = lowered(letters(typed));
    auto nearest = std::max<std::size_t>(1, word.size() / 3);
    std::vector<std::string> near;
    for (const auto& name : names) {
        const auto distance = editDistance(letters(name), word);
        if (distance > nearest) continue;
        if (distance < nearest) near.clear();
        nearest = distance;
        near.push_back(name);
    }
    return near.empty() ? std::string() : fmt::format(" Did you mean {}?", fmt::join(near, " or "));
}

std::optional<std::string> unknownOption(const CLI::App& command, const std::vector<std::string>& arguments) {
    const auto names = namesOf(command);
    for (const auto& argument : arguments) {
        const auto option = optionIn(argument);
        if (option.empty() || std::find(names.begin(), names.end(), option) != names.end()) continue;
        return fmt::format("Unknown option {}.{}", startOfText(option, kMostShown), proposals(names, option));
    }
    return std::nullopt;
}

std::optional<std::string> optionWithoutValue(const CLI::App& command, const std::vector<std::string>& arguments) {
    for (std::size_t i = 0; i < arguments.size() && arguments[i] != "--"; ++i) {
        const auto* option = optionOf(command, arguments[i]);
        if (!option || option->get_items_expected_min() == 0) continue;
        if (i + 1 == arguments.size() || optionOf(command, arguments[i + 1]))
            return fmt::format("{} has no value.", arguments[i]);
    }
    return std::nullopt;
}

} // namespace highwater::cli
