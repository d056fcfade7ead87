#pragma once

#include "core/base/result.h"
#include "core/fleet/contract/fleet_question.h"
#include "core/summary/windows_of_time.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace highwater::cli {

/// The words of `fleet` as what they mean. Errors are of kind Usage and say what would be right.

/// "build=8123", ... with a value that may be empty; each name once.
[[nodiscard]] Result<std::vector<std::pair<std::string, std::string>>> parseLabels(std::span<const std::string> words);
/// Those called build, machine and scenario are facts of their own.
void applyLabels(const std::vector<std::pair<std::string, std::string>>& labels, summary::RunFacts& facts);
/// "marks", "60", "marks,60"; "": the whole alone.
[[nodiscard]] Result<summary::WindowOptions> parseWindows(std::string_view text);
/// "inuse_space", "alloc_objects", ...: as pprof calls them.
[[nodiscard]] Result<fleet::Measure> parseMeasure(std::string_view word);
[[nodiscard]] std::span<const std::string_view> measureWords();
[[nodiscard]] std::string_view measureWord(fleet::Measure measure);
/// 32 hexadecimal digits.
[[nodiscard]] Result<summary::StackKey> parseStackKey(std::string_view text);
/// Whether it could be the id of a run: the same.
[[nodiscard]] Result<void> checkRunId(std::string_view text);

} // namespace highwater::cli
