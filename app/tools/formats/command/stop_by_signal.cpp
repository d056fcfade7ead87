#include "app/tools/formats/command/stop_by_signal.h"

#include <atomic>
#include <chrono>
#include <csignal>

namespace highwater::cli {
namespace {

std::atomic<bool> isStopAsked{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

#ifdef SIGHUP
constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
#else
constexpr std::array kSignals{SIGINT, SIGTERM};
#endif

void askToStop(int) { isStopAsked = true; }

} // namespace

/// A signal handler can do very little, so a thread polls its flag.
StopBySignal::StopBySignal() {
    isStopAsked = false;
    watch_ = std::jthread([this](const std::stop_token& ends) {
        constexpr std::chrono::milliseconds kLook{10};
        while (!ends.stop_requested()) {
            if (isStopAsked) stop_.request_stop();
            std::this_thread::sleep_for(kLook);
        }
    });
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        before_[i] = std::signal(kSignals[i], askToStop);
        if (before_[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
    }
}

StopBySignal::~StopBySignal() {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
        std::signal(kSignals[i], before_[i]);
}

} // namespace highwater::cli
