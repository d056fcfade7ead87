#pragma once

#include "core/log/log_settings.h"

namespace highwater {

/// The log of a program, from its construction to its destruction; only then are lines written or heard. One at a time.
/// A file that cannot be written is not an error: listeners still get the lines, and logPlace() contains the reason.
/// Constructed and destroyed by one thread; the destructor waits until the lines are written.
class LogSession {
  public:
    explicit LogSession(const LogSettings& settings);
    ~LogSession();
    LogSession(const LogSession&) = delete;
    LogSession& operator=(const LogSession&) = delete;
};

} // namespace highwater
