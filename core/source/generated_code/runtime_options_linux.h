#pragma once

#include "core/source/generated_code/code_names.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace highwater::source {

/// What a program has to be started with for its runtime to tell the names of functions that it generates.
struct RuntimeOptions {
    Runtime runtime = Runtime::Unknown; ///< of the program; Unknown: none that is known, or it tells by itself already
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<std::string> arguments;     ///< before the program's own
    [[nodiscard]] std::string text() const; ///< "NODE_OPTIONS=--perf-basic-prof ..."
};

/// The runtime that a program, or the interpreter of a script, is. `find` says where a name lies, as the shell does.
using FindProgram = std::function<std::filesystem::path(const std::string& name)>;
[[nodiscard]] Runtime runtimeOfProgram(const std::filesystem::path& program, const FindProgram& find);

/// `valueOf` says what a variable has otherwise; "": nothing. It is added to, and left alone if it has our option.
[[nodiscard]] RuntimeOptions runtimeOptions(Runtime runtime,
                                            const std::function<std::string(const std::string& name)>& valueOf);

} // namespace highwater::source
