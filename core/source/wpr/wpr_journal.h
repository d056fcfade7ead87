#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace highwater::source {

/// What has been changed in the system through wpr and is not taken back yet, as the file has it.
struct WprLeftovers {
    std::uint32_t owner = 0;                        ///< pid of the Highwater that did it; 0: there is nothing
    std::vector<std::vector<std::string>> commands; ///< that take it back, the newest first
};

/// A file that names the commands that take back what was done, before it is done: after a crash the next Highwater
/// reads it. One recording at a time has it; one thread.
class WprJournal {
  public:
    explicit WprJournal(std::filesystem::path file) : file_(std::move(file)) {}

    /// Writes the file anew with these; none: deletes it.
    Result<void> write(const WprLeftovers& leftovers);
    /// What the file says; nothing if there is none. Lines that this class did not write are passed over: commands
    /// that begin with other words than these are never run.
    [[nodiscard]] WprLeftovers read() const;
    [[nodiscard]] const std::filesystem::path& file() const { return file_; }

  private:
    std::filesystem::path file_;
};

} // namespace highwater::source
