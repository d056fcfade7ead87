#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Suppressed leaks as in LeakSanitizer's files: leak:PATTERN per line, # starts a comment line. A pattern matches
/// anywhere in the name of a function, a module or a source file of a stack; * is any text, ^ at its start and $ at its
/// end anchor it. Case-sensitive. At most 50,000 patterns of all files are used; a remark counts the others. Immutable
/// once it is shared; any thread.
class Suppressions {
  public:
    /// Appends the lines of a file. name: of the file, for the sentences.
    void add(std::string_view text, const std::string& name);

    [[nodiscard]] bool isEmpty() const { return patterns_.empty(); }
    /// Whether a pattern matches the name of a function, a module or a source file. False for an empty name.
    [[nodiscard]] bool matches(std::string_view name) const;
    /// Invalid lines, one sentence each, the first few of each file.
    [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

  private:
    std::vector<std::string> patterns_; ///< for the whole name
    std::vector<std::string> remarks_;
};

} // namespace highwater::analysis
