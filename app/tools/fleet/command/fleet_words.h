#pragma once

#include "core/base/result.h"
#include "core/fleet/contract/fleet_question.h"
#include "core/summary/windows_of_time.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::cli {

/// Parses arguments of `fleet`. Errors have the kind Usage and name the valid input.

/// Parses "build=8123", ...; values may be empty, and each name may occur once.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> parseLabels(std::span<const std::string> words);
/// Stores build, machine and scenario as separate facts.
void applyLabels(const std::vector<std::pair<std::string, std::string>>& labels, summary::RunFacts& facts);
/// Parses "marks", "60", "marks,60"; "": only the whole run.
[[nodiscard]] Result<summary::WindowOptions> parseWindows(std::string_view text);
/// "inuse_space", "alloc_objects", ...: the names used by pprof; and "rss_peak", "held".
[[nodiscard]] Result<fleet::Measure> parseMeasure(std::string_view word);
[[nodiscard]] std::span<const std::string_view> measureWords();
[[nodiscard]] std::string_view measureWord(fleet::Measure measure);
/// "3 stacks" or "3 processes", depending on the rows of the measure.
[[nodiscard]] std::string countedRows(std::size_t count, fleet::Measure measure);
/// Parses 32 hexadecimal digits.
[[nodiscard]] Result<summary::StackKey> parseStackKey(std::string_view text);
/// Checks that the text has the form of a run id, also 32 hexadecimal digits.
[[nodiscard]] Result<void> checkRunId(std::string_view text);

} // namespace highwater::cli
