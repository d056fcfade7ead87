#include "app/tools/fleet/command/fleet_words.h"

#include "app/cli/arguments/query_arguments.h"
#include "core/base/counted.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace highwater::cli {
namespace {

using fleet::Measure;

/// In the order of Measure.
constexpr std::array<std::string_view, 10> kMeasureWords{"inuse_space", "inuse_objects", "alloc_space", "alloc_objects",
                                                         "freed",       "peak",          "impacting",   "slope",
                                                         "rss_peak",    "held"};

Error wrongWord(std::string message) { return {ErrorKind::Usage, std::move(message)}; }

constexpr std::size_t kLongestLabel = 200;

/// Counts characters, not bytes.
std::size_t lengthOf(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

Result<std::vector<std::pair<std::string, std::string>>> parseLabels(std::span<const std::string> words) {
    std::vector<std::pair<std::string, std::string>> labels;
    for (const auto& word : words) {
        const auto mark = word.find('=');
        auto name = word.substr(0, mark);
        if (mark == std::string::npos || name.empty())
            return wrongWord(fmt::format("\"{}\" is not a label. Write NAME=VALUE, such as build=8123.", word));
        if (lengthOf(word) > kLongestLabel)
            return wrongWord(fmt::format("The label \"{}\" is too long. Name and value can have at most {} characters.",
                                         printable(name.substr(0, 40)), kLongestLabel));
        const bool isTwice =
            std::any_of(labels.begin(), labels.end(), [&](const auto& known) { return known.first == name; });
        if (isTwice) return wrongWord(fmt::format("The label \"{}\" is given twice.", name));
        labels.emplace_back(std::move(name), word.substr(mark + 1));
    }
    return labels;
}

void applyLabels(const std::vector<std::pair<std::string, std::string>>& labels, summary::RunFacts& facts) {
    for (const auto& [name, value] : labels) {
        if (name == "build")
            facts.build = value;
        else if (name == "machine")
            facts.machine = value;
        else if (name == "scenario")
            facts.scenario = value;
        else
            facts.labels.emplace_back(name, value);
    }
}

Result<summary::WindowOptions> parseWindows(std::string_view text) {
    summary::WindowOptions options;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        const auto word = trimmed(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
        if (word == "marks") {
            options.betweenMarks = true;
            continue;
        }
        const auto seconds = parseSeconds(word);
        if (!seconds || seconds->ns <= 0)
            return wrongWord(
                fmt::format("--windows must be marks, a number of seconds, or both (marks,60), not \"{}\".", word));
        options.sliceNs = seconds->ns;
    }
    return options;
}

std::span<const std::string_view> measureWords() { return kMeasureWords; }

std::string_view measureWord(Measure measure) { return kMeasureWords[static_cast<std::size_t>(measure)]; }

Result<Measure> parseMeasure(std::string_view word) {
    const auto found = std::find(kMeasureWords.begin(), kMeasureWords.end(), word);
    if (found == kMeasureWords.end())
        return wrongWord(fmt::format("Unknown measure \"{}\". Measures: {}.", word, fmt::join(kMeasureWords, ", ")));
    return static_cast<Measure>(found - kMeasureWords.begin());
}

std::string countedRows(std::size_t count, Measure measure) {
    return isOfProcesses(measure) ? thousands(count) + (count == 1 ? " process" : " processes")
                                  : counted(count, "stack");
}

Result<summary::StackKey> parseStackKey(std::string_view text) {
    const auto wrong = [&] {
        return wrongWord(fmt::format(
            "\"{}\" is not a stack key. --stack expects the 32 hexadecimal digits printed by the other queries.",
            text));
    };
    if (text.size() != 32) return wrong();
    std::array<std::uint64_t, 2> halves{};
    for (std::size_t i = 0; i < 2; ++i) {
        const auto* begin = text.data() + 16 * i;
        const auto [end, error] = std::from_chars(begin, begin + 16, halves[i], 16);
        if (error != std::errc() || end != begin + 16) return wrong();
    }
    return summary::StackKey{halves[0], halves[1]};
}

Result<void> checkRunId(std::string_view text) {
    if (text.size() == 32 && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos) return {};
    return wrongWord(
        fmt::format("\"{}\" is not a run id. Write the 32 hexadecimal digits printed by fleet runs.", printable(text)));
}

} // namespace highwater::cli
