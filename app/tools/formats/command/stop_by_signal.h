#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace highwater::cli {

/// While this object exists, Ctrl+C, the end of the terminal and SIGTERM stop the output instead of the program, so
/// that no partial file is left. Signals that the caller ignores (nohup) stay ignored. One at a time.
class StopBySignal {
  public:
    StopBySignal();
    ~StopBySignal();
    StopBySignal(const StopBySignal&) = delete;
    StopBySignal& operator=(const StopBySignal&) = delete;

    /// Requested to stop some milliseconds after the signal.
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  private:
    using Handler = void (*)(int);

    std::array<Handler, 3> before_{};
    std::stop_source stop_;
    std::jthread watch_;
};

} // namespace highwater::cli
