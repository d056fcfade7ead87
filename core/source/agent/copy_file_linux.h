#pragma once

#include "core/agent_linux/trial/copy_answer.h"
#include "core/files/owned_file_linux.h"

#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// The file of the copy of a process that can be read, owned by the requester, which does not trust the contents: see
/// CopyAnswer. The copy ends with this object, or with this program. One thread.
class CopyFile {
  public:
    CopyFile();

    /// False: the system refused the memory, or the lock.
    [[nodiscard]] bool isOpen() const { return isReady_; }
    /// As seen by processes of this user.
    [[nodiscard]] std::string path() const;
    [[nodiscard]] std::optional<agent::CopyAnswer> answer() const;
    /// At most kMostCopiedThreads.
    [[nodiscard]] std::vector<agent::CopyThreadRecord> threads() const;

  private:
    OwnedFile file_;
    bool isReady_;
};

} // namespace highwater::source
