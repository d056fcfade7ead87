#pragma once

#include <array>
#include <csignal>

namespace highwater::cli {

/// While this object exists, Ctrl+C, SIGTERM, the end of the terminal and the processor time limit (SIGXCPU) stop the
/// recording, not this program. SIGUSR1 requests a snapshot. One object at a time.
class RecordingSignals {
  public:
    RecordingSignals();
    ~RecordingSignals();
    RecordingSignals(const RecordingSignals&) = delete;
    RecordingSignals& operator=(const RecordingSignals&) = delete;

  private:
#ifdef SIGHUP
    static constexpr std::array kEnding{SIGINT, SIGTERM, SIGHUP};
#else
    static constexpr std::array kEnding{SIGINT, SIGTERM};
#endif
    std::array<void (*)(int), kEnding.size()> before_{};
    void (*beforeSnapshot_)(int) = SIG_DFL;
    void (*beforeLimit_)(int) = SIG_DFL;
};

/// Since the newest RecordingSignals object was created. Any thread.
[[nodiscard]] int interruptsSoFar();
[[nodiscard]] inline bool isInterrupted() { return interruptsSoFar() > 0; }
[[nodiscard]] bool isProcessorTimeUsed();
/// Number of snapshots that were requested since the last call.
[[nodiscard]] int takeSnapshotRequests();

} // namespace highwater::cli
