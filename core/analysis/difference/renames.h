#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// What was called otherwise before: functions and modules, and processes, which are called as their modules. Any
/// thread once nothing is added any more.
class Renames {
  public:
    /// A line each: `module!old = module!new` of a function, `old.dll = new.dll` of a module; blank lines and lines
    /// that begin with # mean nothing. In a line with several `=` the one between blanks counts. A side that begins
    /// with
    /// `"` reaches to the next `"`, and is what stands between; `""` in it is one. Error (Usage): the first wrong line,
    /// by its number.
    static Result<Renames> parse(std::string_view text);

    /// One more. Error (Usage): why it is none, without its words.
    Result<void> add(std::string_view before, std::string_view after);
    struct Line {
        std::string before;
        std::string after;
        friend bool operator==(const Line&, const Line&) = default;
    };
    /// As they were added.
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    /// What parse() reads as the same renames.
    [[nodiscard]] std::string text() const;

    /// A line that parse() reads as this rename, with quotes where it needs them; neither side has line breaks.
    [[nodiscard]] static std::string lineOf(std::string_view before, std::string_view after);

    [[nodiscard]] bool isEmpty() const { return lines_.empty(); }
    /// Which of lines() gives a function (`module!function`) or a module another name: a function that has no line
    /// keeps its name in a renamed module. Nothing: none does.
    [[nodiscard]] std::optional<std::size_t> lineOfFunction(std::string_view label) const;
    [[nodiscard]] std::optional<std::size_t> lineOfModule(std::string_view name) const;
    /// The present name of a module or a process.
    [[nodiscard]] std::string moduleName(std::string_view name) const;
    /// `module!function` as it is called now.
    [[nodiscard]] std::string functionName(std::string_view label) const;

    /// What the module was called that is called so now; the name itself, if none was.
    [[nodiscard]] std::string formerModuleName(std::string_view name) const;

  private:
    std::vector<Line> lines_;
    using LineNumbers = std::map<std::string, std::size_t, std::less<>>;
    LineNumbers functions_; ///< by placeKey() of what was before
    LineNumbers modules_;   ///< by its name in small letters
};

/// By what a label, or the name of a module or a process, is compared: names of modules and processes in small letters
/// (`module!` of a label; all of a name, which has no `!`), functions as they are.
[[nodiscard]] std::string placeKey(std::string_view label);

} // namespace highwater::analysis
