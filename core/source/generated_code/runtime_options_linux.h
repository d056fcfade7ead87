#pragma once

#include "core/source/generated_code/code_names.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// Options that make the runtime of a program report the names of generated functions.
struct RuntimeOptions {
    Runtime runtime = Runtime::Unknown; ///< runtime of the program; Unknown: not known, or it reports names anyway
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<std::string> arguments;     ///< placed before the program's own
    [[nodiscard]] std::string text() const; ///< "NODE_OPTIONS=--perf-basic-prof ..."
};

/// The runtime of a program, or of the interpreter of a script. `find` looks up a name like the shell.
using FindProgram = std::function<std::filesystem::path(const std::string& name)>;
[[nodiscard]] Runtime runtimeOfProgram(const std::filesystem::path& program, const FindProgram& find);

/// `valueOf` returns the current value of a variable, or "". The value is extended, or left alone if it has our option.
[[nodiscard]] RuntimeOptions runtimeOptions(Runtime runtime,
                                            const std::function<std::string(const std::string& name)>& valueOf);

} // namespace highwater::source
