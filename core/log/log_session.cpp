#include "core/log/log_session.h"

#include "core/log/log.h"
#include "core/log/log_state.h"
#include "core/log/log_text.h"

#include <fmt/format.h>

#include <cassert>

namespace highwater {
namespace {

/// The file is no longer used, and listeners are informed.
void noteFailure(const std::string& problem) {
    auto& state = logState();
    const std::lock_guard lock(state.mutex);
    state.place.problem = loggable(problem);
    notifyListeners(state, {std::chrono::system_clock::now(), LogLevel::Error, LogArea::Program,
                            fmt::format("Logging to the file stopped because {}", state.place.problem)});
}

} // namespace

LogSession::LogSession(const LogSettings& settings) {
    auto& state = logState();
    LogPlace place;
    std::unique_ptr<LogFile> file;
    if (settings.level != LogLevel::Off && !settings.folder.empty()) {
        auto opened = LogFile::open(settings.folder, noteFailure);
        if (opened.hasValue()) {
            file = std::move(opened).value();
            place.file = file->path();
        } else {
            place.problem = loggable(opened.error().message);
        }
    }
    const auto problem = place.problem;
    {
        const std::lock_guard lock(state.mutex);
        assert(state.least == LogLevel::Off && "there is one log at a time");
        state.kept.clear();
        state.file = std::move(file);
        state.place = std::move(place);
        state.place.isOn = settings.level != LogLevel::Off;
        state.least = settings.level;
    }
    if (!settings.remark.empty()) log(LogLevel::Warning, LogArea::Program, settings.remark);
    if (!problem.empty()) log(LogLevel::Warning, LogArea::Program, fmt::format("No log file is written: {}", problem));
}

LogSession::~LogSession() {
    auto& state = logState();
    std::unique_ptr<LogFile> file; // destroyed outside the lock because its thread may report something
    {
        const std::lock_guard lock(state.mutex);
        state.least = LogLevel::Off;
        file = std::move(state.file);
    }
    file.reset();
    const std::lock_guard lock(state.mutex);
    state.place = {};
    state.kept.clear();
}

} // namespace highwater
