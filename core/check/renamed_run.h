#pragma once

#include "core/analysis/difference/renames.h"
#include "core/base/result.h"
#include "core/check/check_runs.h"

#include <set>
#include <string>
#include <vector>

namespace highwater::check {

/// Gives runs of before the names that programs, modules and functions have now. One thread.
class RunRenames {
  public:
    /// Functions and modules are compared by their normalised names. Error (Usage): lines that say of one of these that
    /// it is called two ways now.
    [[nodiscard]] static Result<RunRenames> make(const analysis::Renames& renames);

    /// Stacks get the keys that they have by these names: some may be there twice then, and count together.
    void apply(CheckedRun& run);
    /// Lines that no run so far has anything of, as they are written in files.
    [[nodiscard]] std::vector<std::string> unusedLines() const;

  private:
    explicit RunRenames(const analysis::Renames& renames) : asTyped_(renames) {}
    [[nodiscard]] bool renameFrame(summary::Frame& frame);

    analysis::Renames asTyped_;     ///< of processes, which keep their versions
    analysis::Renames normalised_;  ///< of frames
    std::vector<std::size_t> line_; ///< of asTyped_, by line of normalised_
    std::set<std::size_t> used_;    ///< lines of asTyped_
};

} // namespace highwater::check
