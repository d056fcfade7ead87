#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace highwater::source {

/// Changes to the system through wpr that have not been undone, as stored in the file.
struct WprLeftovers {
    std::uint32_t owner = 0;                        ///< pid of the Highwater that made the changes; 0: there are none
    std::vector<std::vector<std::string>> commands; ///< commands that undo them, the newest first
};

/// A file with commands that undo changes. They are written before each change, so that the next Highwater can undo it
/// after a crash. One recording at a time uses the file; one thread.
class WprJournal {
  public:
    explicit WprJournal(std::filesystem::path file) : file_(std::move(file)) {}

    /// Replaces the contents of the file. Deletes the file if `leftovers` has no commands.
    Result<void> write(const WprLeftovers& leftovers);
    /// Reads the file; empty if there is none. Skips lines that this class did not write, so that commands that start
    /// with other words are never run.
    [[nodiscard]] WprLeftovers read() const;
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  private:
    std::filesystem::path file_;
};

} // namespace highwater::source
