#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace highwater::source {

/// Provides a path of the agent's library that is valid in LD_PRELOAD, where spaces and colons separate libraries. If
/// the path contains them, a symbolic link is created in a separate folder that only this user can enter, in the user's
/// data folder or in the session's runtime folder.
class AgentLibrary {
  public:
    /// Fails if no folder for the link can be created.
    static Result<AgentLibrary> make(const std::filesystem::path& library);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] const std::filesystem::path& preloadPath() const { return preloadPath_; }
    /// Removes the link. Call it when no process will load the library any more; until then running programs may start
    /// others.
    void removeLink();

  private:
    AgentLibrary(std::filesystem::path path, std::filesystem::path preloadPath, std::shared_ptr<const void> lock)
        : path_(std::move(path)), preloadPath_(std::move(preloadPath)), lock_(std::move(lock)) {}
    std::filesystem::path path_;
    std::filesystem::path preloadPath_;
    std::shared_ptr<const void> lock_; ///< lock on the link's folder while its recorder lives. Null: no link
};

/// Removes links whose recorder has ended and that no program would load any more. Returns their number. Any thread.
std::size_t removeStaleAgentLinks();

/// Finds the agent's library of a program: next to it, or, if only this user, root or the owner of the program can have
/// put it there, in the installation folder or in the build tree that contains the program. Empty: not found.
[[nodiscard]] std::filesystem::path agentLibraryFor(const std::filesystem::path& program);

} // namespace highwater::source
