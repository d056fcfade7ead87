#pragma once

#include "tests/fixtures/exercise2.h"
#include "tests/support/json_compare.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::tests {

using Json = nlohmann::json;

/// Process in the Exercise 2 trace.
inline constexpr auto kProcess = "MemoryTestApp.exe (4242)";
inline constexpr std::int64_t kMB = 1048576;

[[nodiscard]] inline bool has(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

/// Output of a command.
struct Answer {
    int exitCode = -1;
    std::string answers;
    std::string messages;

    /// The answer as JSON; a discarded value if it is not JSON.
    [[nodiscard]] Json json() const { return Json::parse(answers, nullptr, false); }
};

/// Runs the command in this process.
[[nodiscard]] Answer runCli(const std::vector<std::string>& arguments);
/// Runs highwater-cli itself.
[[nodiscard]] Answer runCliProgram(const std::vector<std::string>& arguments);
/// Runs another program the same way.
[[nodiscard]] Answer runProgram(const std::string& program, const std::vector<std::string>& arguments);

/// A file in a folder that goes with the test program.
[[nodiscard]] std::string temporaryPath(std::string_view name);
/// The Exercise 2 trace in this shape; written once.
[[nodiscard]] std::string exercise2File(std::string_view shapeName);

/// A row of JSON "rows" by its key; null if there is none.
[[nodiscard]] Json rowWithKey(const Json& rows, std::string_view key);
/// The row at the end of a path of keys, from the whole answer.
[[nodiscard]] Json rowAt(const Json& answer, std::initializer_list<std::string_view> path);
/// The keys from here down while there is only one child: a stack without forks.
[[nodiscard]] std::vector<std::string> chainBelow(const Json& row);
/// The number of these losses in the answer.
[[nodiscard]] std::uint64_t lossOf(const Json& answer, std::string_view what);

} // namespace highwater::tests
