#pragma once

#include "core/source/contract/snapshot_recording.h"
#include "core/source/wpr/wpr_journal.h"
#include "core/source/wpr/wpr_runner.h"

#include <functional>

namespace highwater::source {

/// Drives wpr.exe: enables the stack database in each process, starts the recording, takes snapshots, saves the trace
/// and undoes all changes. Before each step that changes the system, the command that undoes it is written to the
/// journal. These commands run on every exit path, in reverse order, and by takeBackLeftovers() after a crash. Only a
/// recording that this class started is ever canceled.
class WprSnapshots final : public SnapshotRecording {
  public:
    /// The runner must outlive the result. `owner`: the pid of this process.
    static Result<std::unique_ptr<SnapshotRecording>> start(WprRunner& runner, WprJournal journal, std::uint32_t owner,
                                                            const SnapshotPlan& plan);
    ~WprSnapshots() override;
    WprSnapshots(const WprSnapshots&) = delete;
    WprSnapshots& operator=(const WprSnapshots&) = delete;

    Result<void> takeSnapshot() override;
    Result<std::vector<std::string>> stop(const std::filesystem::path& output) override;

  private:
    using Command = std::vector<std::string>;
    WprSnapshots(WprRunner& runner, WprJournal journal, std::uint32_t owner, SnapshotPlan plan);

    Result<void> begin();
    Result<void> checkVersion();
    Result<void> change(const Command& command, const Command& undoing, std::chrono::seconds limit);
    Result<void> run(const Command& command, std::chrono::seconds limit);
    std::vector<std::string> takeBack();
    void forget(const Command& undoing);

    WprRunner& runner_;
    WprJournal journal_;
    SnapshotPlan plan_;
    WprLeftovers undo_; ///< the newest first, as in the journal
};

/// Checks a plan: one to eight pids or a name, a period of at least 5 s. The error is a sentence.
[[nodiscard]] Result<void> checkPlan(const SnapshotPlan& plan);

/// Undoes the changes of a recording whose Highwater is not running any more. Returns sentences about changes that were
/// undone, and about those that could not be undone and will be retried next time.
[[nodiscard]] std::vector<std::string> takeBackLeftovers(WprRunner& runner, WprJournal& journal,
                                                         const std::function<bool(std::uint32_t pid)>& isRunning);

} // namespace highwater::source
