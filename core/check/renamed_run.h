#pragma once

#include "core/analysis/difference/renames.h"
#include "core/base/result.h"
#include "core/check/check_runs.h"

#include <set>
#include <string>
#include <vector>

namespace highwater::check {

/// Gives older runs the current names of programs, modules and functions. One thread.
class RunRenames {
  public:
    /// Functions and modules are compared by normalised name. Error (Usage): lines that give one of them two new names.
    [[nodiscard]] static Result<RunRenames> make(const analysis::Renames& renames);

    /// Stacks get the keys of the new names. Several stacks may then have the same key; they count together.
    void apply(CheckedRun& run);
    /// Lines that have not matched any run so far, as written in files.
    [[nodiscard]] std::vector<std::string> unusedLines() const;

  private:
    explicit RunRenames(const analysis::Renames& renames) : asTyped_(renames) {}
    [[nodiscard]] bool renameFrame(summary::Frame& frame);

    analysis::Renames asTyped_;     ///< for processes, whose names keep their versions
    analysis::Renames normalised_;  ///< for frames
    std::vector<std::size_t> line_; ///< line in asTyped_, by line of normalised_
    std::set<std::size_t> used_;    ///< lines of asTyped_
};

} // namespace highwater::check
