#pragma once

#include "core/source/contract/snapshot_recording.h"
#include "core/source/wpr/wpr_journal.h"
#include "core/source/wpr/wpr_runner.h"

#include <functional>

namespace highwater::source {

/// Drives wpr.exe: enables the database of stacks in each process, starts the recording, asks for snapshots, saves, and
/// takes back. Before each step that changes the system, the command that takes it back is written into the journal; it
/// is run on every way out, in the reverse order, and by takeBackLeftovers() after a crash. A recording of somebody
/// else is never cancelled: only one whose start was ours.
class WprSnapshots final : public SnapshotRecording {
  public:
    /// The runner must outlive it. `owner`: the pid of this process.
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

/// Whether a plan makes sense: one to eight pids or a name, a period of at least 5 s. Error: a sentence.
[[nodiscard]] Result<void> checkPlan(const SnapshotPlan& plan);

/// Takes back what a recording has left whose Highwater does not run any more. Sentences: what was, and what could not
/// be and is tried again the next time.
[[nodiscard]] std::vector<std::string> takeBackLeftovers(WprRunner& runner, WprJournal& journal,
                                                         const std::function<bool(std::uint32_t pid)>& isRunning);

} // namespace highwater::source
