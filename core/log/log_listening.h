#pragma once

#include "core/log/log_line.h"

#include <cstdint>
#include <functional>

namespace highwater {

/// Receives the lines of the log during its lifetime: first the stored ones, then each new one. The logging thread
/// calls `take`, one thread at a time; it must be fast, must not throw, and must not log. Any thread; the destructor
/// waits for a call in progress.
class LogListening {
  public:
    explicit LogListening(std::function<void(const LogLine& line)> take);
    ~LogListening();
    LogListening(const LogListening&) = delete;
    LogListening& operator=(const LogListening&) = delete;

  private:
    std::uint64_t number_;
};

} // namespace highwater
