#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace highwater::source {

/// The agent's library under a path that LD_PRELOAD can name: spaces and colons separate libraries there. One that lies
/// in such a folder gets a symbolic link in a folder of its own, below the user's data (or what lives as long as the
/// session), that only this user can enter.
class AgentLibrary {
  public:
    /// Errors: no folder for the link can be made.
    static Result<AgentLibrary> make(const std::filesystem::path& library);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::filesystem::path& preloadPath() const { return preloadPath_; }
    /// Nobody will load it any more. Without this the link stays: what still runs may start programs.
    void removeLink();

  private:
    AgentLibrary(std::filesystem::path path, std::filesystem::path preloadPath, std::shared_ptr<const void> lock)
        : path_(std::move(path)), preloadPath_(std::move(preloadPath)), lock_(std::move(lock)) {}
    std::filesystem::path path_;
    std::filesystem::path preloadPath_;
    std::shared_ptr<const void> lock_; ///< on the link's folder: its recorder lives. Null: there is no link
};

/// Removes the links whose recorder is gone, and that no program would load any more. How many. Any thread.
std::size_t removeStaleAgentLinks();

/// The agent's library of a program: beside it; or where it is installed or in the build tree that the program lies in,
/// if nobody can have put it there but we, root and the owner of the program. Empty: there is none.
[[nodiscard]] std::filesystem::path agentLibraryFor(const std::filesystem::path& program);

} // namespace highwater::source
