#pragma once

#include "core/log/log_line.h"

#include <cstdint>
#include <functional>

namespace highwater {

/// Gets the lines of the log as long as it lives: those that are kept, then each new one. `take` is called by the
/// thread that logs, by one at a time; it must be quick, must not throw, and must not log. Any thread; the destructor
/// waits for a call that is under way.
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
