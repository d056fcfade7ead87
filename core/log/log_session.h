#pragma once

#include "core/log/log_settings.h"

namespace highwater {

/// The log of a program, from its construction to its end: only meanwhile do lines go anywhere. One at a time. A file
/// that cannot be written is no reason to fail: whoever listens still gets the lines, and logPlace() says why.
/// Made and destroyed by one thread; the end waits until the lines are written.
class LogSession {
  public:
    explicit LogSession(const LogSettings& settings);
    ~LogSession();
    LogSession(const LogSession&) = delete;
    LogSession& operator=(const LogSession&) = delete;
};

} // namespace highwater
