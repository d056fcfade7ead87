#include "app/cli/arguments/snapshot_arguments.h"

#include "app/cli/arguments/query_arguments.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace highwater::cli {
namespace {

/// Parses a number from 1; 0 if invalid.
std::uint32_t numberIn(std::string_view text) {
    std::uint32_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    return problem == std::errc() && end == text.data() + text.size() ? number : 0;
}

} // namespace

Result<analysis::SharedInstants> parseInstants(const std::vector<std::string>& texts, TimeRange whole) {
    auto instants = std::make_shared<std::vector<TraceTime>>();
    for (const auto& text : texts) {
        const auto time = parseSeconds(trimmed(text));
        if (!time)
            return Error{ErrorKind::Usage,
                         fmt::format("--snapshot expects a time in seconds, such as 2.5 (not \"{}\").", text)};
        if (*time < whole.start || *time > whole.end)
            return Error{ErrorKind::Usage,
                         whole.end == kNever
                             ? fmt::format("The snapshot at {} s is before the start of the trace.", text)
                             : fmt::format("The snapshot at {} s is outside the trace, which covers {} s to {} s.",
                                           text, secondsText(whole.start), secondsText(whole.end))};
        instants->push_back(*time);
    }
    if (instants->size() > kMostSnapshots)
        return Error{ErrorKind::Usage, fmt::format("--snapshot can be given at most {} times.", kMostSnapshots)};
    return analysis::SharedInstants(std::move(instants));
}

Result<std::pair<std::uint32_t, std::uint32_t>> parseSnapshotPair(std::string_view text) {
    const auto colon = std::min(text.find(':'), text.size());
    const auto before = numberIn(trimmed(text.substr(0, colon)));
    const auto after = numberIn(trimmed(text.substr(std::min(colon + 1, text.size()))));
    if (before == 0 || after == 0)
        return Error{
            ErrorKind::Usage,
            fmt::format("--snapshots expects BEFORE:AFTER, two snapshot numbers, such as 8:9 (not \"{}\").", text)};
    if (before == after) return Error{ErrorKind::Usage, "--snapshots requires two different snapshots."};
    return std::pair(before, after);
}

Result<void> checkInstance(std::uint32_t number, const std::vector<analysis::Instance>& instances) {
    const auto isIt = [number](const auto& instance) { return instance.number == number; };
    if (std::any_of(instances.begin(), instances.end(), isIt)) return {};
    const auto there = instances.empty()       ? std::string("the trace has none")
                       : instances.size() == 1 ? fmt::format("the trace has only snapshot {}", instances.front().number)
                                               : fmt::format("the trace has {}, numbered {} to {}", instances.size(),
                                                             instances.front().number, instances.back().number);
    return Error{ErrorKind::Usage, fmt::format("Snapshot {} does not exist: {}.", number, there)};
}

} // namespace highwater::cli
