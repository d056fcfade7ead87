#pragma once

#include "core/log/log_file.h"
#include "core/log/log_line.h"
#include "core/log/log_place.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

namespace highwater {

/// State shared by the files of this folder: the one log of the process.
struct LogState {
    std::atomic<LogLevel> least{LogLevel::Off};
    std::mutex mutex; ///< guards all below
    std::deque<LogLine> kept;
    std::map<std::uint64_t, std::function<void(const LogLine& line)>> listeners;
    std::uint64_t lastListener = 0;
    std::unique_ptr<LogFile> file;
    LogPlace place;
};

/// Created on first use and never destroyed because threads may log while the program ends.
[[nodiscard]] LogState& logState();

/// Passes a line to all listeners. Under the lock.
void notifyListeners(LogState& state, const LogLine& line);

} // namespace highwater
