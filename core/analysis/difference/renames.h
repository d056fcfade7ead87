#pragma once

#include "core/base/result.h"

#include <map>
#include <string>
#include <string_view>

namespace highwater::analysis {

/// What was called otherwise before: functions and modules, and processes, which are called as their modules. Immutable
/// after parse(); any thread.
class Renames {
  public:
    /// A line each: `module!old = module!new` of a function, `old.dll = new.dll` of a module; blank lines and lines
    /// that begin with # mean nothing. In a line with several `=` the one between blanks counts. Error (Usage): the
    /// first wrong line, by its number.
    static Result<Renames> parse(std::string_view text);

    [[nodiscard]] bool isEmpty() const { return functions_.empty() && modules_.empty(); }
    /// The present name of a module or a process.
    [[nodiscard]] std::string moduleName(std::string_view name) const;
    /// `module!function` as it is called now; a function that has no line keeps its name in a renamed module.
    [[nodiscard]] std::string functionName(std::string_view label) const;

  private:
    std::map<std::string, std::string, std::less<>> functions_; ///< by placeKey()
    std::map<std::string, std::string, std::less<>> modules_;   ///< by name in small letters
};

/// By what a label, or the name of a module or a process, is compared: names of modules and processes in small letters
/// (`module!` of a label; all of a name, which has no `!`), functions as they are.
[[nodiscard]] std::string placeKey(std::string_view label);

} // namespace highwater::analysis
