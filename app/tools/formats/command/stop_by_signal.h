#pragma once

#include <array>
#include <stop_token>
#include <thread>

namespace highwater::cli {

/// Ctrl+C, the end of the terminal and a polite kill stop what is written, not this program, as long as the object
/// lives: then nobody leaves half a file behind. What the caller was started to ignore (nohup) stays ignored. One at a
/// time.
class StopBySignal {
  public:
    StopBySignal();
    ~StopBySignal();
    StopBySignal(const StopBySignal&) = delete;
    StopBySignal& operator=(const StopBySignal&) = delete;

    /// Is asked to stop some milliseconds after the signal.
    [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

  private:
    using Handler = void (*)(int);

    std::array<Handler, 3> before_{};
    std::stop_source stop_;
    std::jthread watch_;
};

} // namespace highwater::cli
