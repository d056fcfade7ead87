#include "app/cli/recording_signals.h"

#include <atomic>

namespace highwater::cli {
namespace {

std::atomic<int> interrupts{0}, snapshotsAsked{0}, processorLimits{0};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler may touch it");

void interrupt(int signal) {
    std::signal(signal, interrupt); // Windows calls the handler only once and would end the program at the next Ctrl+C
    ++interrupts;
}

} // namespace

RecordingSignals::RecordingSignals() {
    interrupts = 0;
    for (std::size_t i = 0; i < kEnding.size(); ++i) {
        before_[i] = std::signal(kEnding[i], interrupt);
        if (before_[i] == SIG_IGN) std::signal(kEnding[i], SIG_IGN); // nohup
    }
#ifdef SIGUSR1
    snapshotsAsked = 0;
    beforeSnapshot_ = std::signal(SIGUSR1, [](int) { ++snapshotsAsked; });
#endif
#ifdef SIGXCPU
    processorLimits = 0;
    beforeLimit_ = std::signal(SIGXCPU, [](int) { ++processorLimits; });
#endif
}

RecordingSignals::~RecordingSignals() {
    for (std::size_t i = 0; i < kEnding.size(); ++i)
        std::signal(kEnding[i], before_[i]);
#ifdef SIGUSR1
    std::signal(SIGUSR1, beforeSnapshot_);
#endif
#ifdef SIGXCPU
    std::signal(SIGXCPU, beforeLimit_);
#endif
}

int interruptsSoFar() { return interrupts; }
bool isProcessorTimeUsed() { return processorLimits > 0; }
int takeSnapshotRequests() { return snapshotsAsked.exchange(0); }

} // namespace highwater::cli
