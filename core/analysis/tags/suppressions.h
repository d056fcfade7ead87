#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// Which leaks nobody wants to hear of, in the form of LeakSanitizer: leak:PATTERN a line, # begins a comment line. A
/// pattern is looked for anywhere in the name of a function, a module or a source file of a stack; * is any text, ^ at
/// its begin and $ at its end stand for the ends of the name. Cases differ. At most 50,000 patterns of all files are
/// used; a remark counts the others. Immutable once it is shared; any thread.
class Suppressions {
  public:
    /// The lines of a file behind those that are there. name: of the file, for the sentences.
    void add(std::string_view text, const std::string& name);

    [[nodiscard]] bool isEmpty() const { return patterns_.empty(); }
    /// Whether one of them matches the name of a function, a module or a source file. Not of an empty name.
    [[nodiscard]] bool matches(std::string_view name) const;
    /// Lines that are none, a sentence each, the first few of each file.
    [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }

  private:
    std::vector<std::string> patterns_; ///< of the whole name
    std::vector<std::string> remarks_;
};

} // namespace highwater::analysis
