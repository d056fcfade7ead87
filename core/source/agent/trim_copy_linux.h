#pragma once

#include "core/agent_linux/trial/trim_answer.h"
#include "core/event/trial/trim_trial.h"
#include "core/files/owned_file_linux.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace highwater::source {

/// The answers of other allocators in the copy, as far as it has come. `end`: why it goes no further, if it has not
/// finished.
[[nodiscard]] std::vector<AllocatorTrial> allocatorTrials(const agent::TrimAnswer& answer, AllocatorTrial::End end);

/// The file to which the copy of a process writes the results of malloc_trim. Owned by the requester, which does not
/// trust the contents. One thread.
class TrimAnswerFile {
  public:
    TrimAnswerFile();

    [[nodiscard]] bool isOpen() const { return file_.isOpen(); }
    /// As seen by processes of this user.
    [[nodiscard]] std::string path() const;
    /// Before each trial.
    void clear() const;
    /// As far as the copy has come; nothing if it has not measured anything yet.
    [[nodiscard]] std::optional<agent::TrimAnswer> answer() const;

  private:
    OwnedFile file_;
};

} // namespace highwater::source
