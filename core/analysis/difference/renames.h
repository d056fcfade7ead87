#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Former and current names of functions, modules and processes, which are renamed like modules. Any thread after the
/// last add().
class Renames {
  public:
    /// Parses one rename per line: `module!old = module!new` for a function, `old.dll = new.dll` for a module. Blank
    /// lines and lines that start with # are ignored. In a line with several `=`, the one between blanks counts. A side
    /// that starts with `"` is quoted up to the next `"`; `""` inside is one quote. Error (Usage): the first wrong
    /// line, with its number.
    static Result<Renames> parse(std::string_view text);

    /// Adds a rename. Error (Usage): the reason, without the names.
    Result<void> add(std::string_view before, std::string_view after);
    struct Line {
        std::string before;
        std::string after;
        friend bool operator==(const Line&, const Line&) = default;
    };
    /// In the order in which they were added.
    [[nodiscard]] const std::vector<Line>& lines() const { return lines_; }
    /// A text that parse() reads as the same renames.
    [[nodiscard]] std::string text() const;

    /// A line that parse() reads as this rename, with quotes where necessary. Neither side contains line breaks.
    [[nodiscard]] static std::string lineOf(std::string_view before, std::string_view after);

    [[nodiscard]] bool isEmpty() const { return lines_.empty(); }
    /// The line in lines() that renames a function (`module!function`) or a module. A function without a line keeps its
    /// name in a renamed module. Nothing: not renamed.
    [[nodiscard]] std::optional<std::size_t> lineOfFunction(std::string_view label) const;
    [[nodiscard]] std::optional<std::size_t> lineOfModule(std::string_view name) const;
    /// The current name of a module or a process.
    [[nodiscard]] std::string moduleName(std::string_view name) const;
    /// The current name of `module!function`.
    [[nodiscard]] std::string functionName(std::string_view label) const;

    /// The former name of a module with this current name; the name itself if it was not renamed.
    [[nodiscard]] std::string formerModuleName(std::string_view name) const;

  private:
    std::vector<Line> lines_;
    using LineNumbers = std::map<std::string, std::size_t, std::less<>>;
    LineNumbers functions_; ///< by placeKey() of the former name
    LineNumbers modules_;   ///< by lowercase name
};

/// The key for comparing a label, or the name of a module or a process: names of modules and processes in lowercase
/// (`module!` of a label; the whole name, which has no `!`), functions unchanged.
[[nodiscard]] std::string placeKey(std::string_view label);

} // namespace highwater::analysis
