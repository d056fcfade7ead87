#include "core/log/log_file.h"

#include "core/base/text.h"
#include "core/files/output_file.h"
#include "core/files/private_folder.h"
#include "core/log/log_text.h"

#include <fmt/format.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include <atomic>

namespace highwater {
namespace {

/// "2026-11-23 02:21:49.123 4242 warning loss      2 buffers missing."
constexpr const char* kPattern = "%Y-%m-%d %H:%M:%S.%e %P %-7l %v";

spdlog::level::level_enum spdlogLevel(LogLevel level) {
    switch (level) {
    case LogLevel::Debug:
        return spdlog::level::debug;
    case LogLevel::Information:
        return spdlog::level::info;
    case LogLevel::Warning:
        return spdlog::level::warn;
    case LogLevel::Error:
        return spdlog::level::err;
    case LogLevel::Off:
        break;
    }
    return spdlog::level::off;
}

/// A path that no other running program writes to, and the lock that reserves it.
struct LogPlaceLock {
    std::filesystem::path file;
    std::unique_ptr<OutputFile> lock;
};

/// Other kinds of files could block the opener (a pipe) or lead to another file (a link).
bool isOrdinary(const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::symlink_status(path, error);
    return !std::filesystem::exists(status) || std::filesystem::is_regular_file(status);
}

Result<LogPlaceLock> lockPlace(const std::filesystem::path& folder) {
    std::string problem;
    for (int number = 1; number <= LogFile::kMostPrograms; ++number) {
        const auto name = number == 1 ? std::string("highwater") : fmt::format("highwater-{}", number);
        const auto file = folder / (name + ".log");
        const auto lockFile = folder / (name + ".lock");
        if (!isOrdinary(file) || !isOrdinary(lockFile)) {
            problem = fmt::format("Cannot write {}: it is not a regular file.", utf8(file));
            continue;
        }
        auto lock = OutputFile::create(lockFile);
        if (lock.hasValue()) return LogPlaceLock{file, std::move(lock).value()};
        problem = lock.error().message;
    }
    return Error{ErrorKind::Io, problem};
}

/// spdlog creates files with the user's umask, so this file is created before.
void makePrivateFile(const spdlog::filename_t& name) { (void)OutputFile::createNew(name).hasValue(); }

} // namespace

struct LogFile::Impl {
    LogPlaceLock place;
    Failed failed;
    std::atomic_flag hasFailed;
    std::shared_ptr<spdlog::details::thread_pool> threads; ///< one thread; ends, after writing waiting lines, before
                                                           ///< the lock is released
    std::shared_ptr<spdlog::async_logger> logger;
};

LogFile::LogFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

/// Waiting lines are written before the thread ends.
LogFile::~LogFile() { impl_->threads.reset(); }

Result<std::unique_ptr<LogFile>> LogFile::open(const std::filesystem::path& folder, Failed failed) {
    std::error_code error;
    if (!makePrivateFolder(folder, error))
        return Error{ErrorKind::Io, fmt::format("Cannot create {}: {}.", utf8(folder), error.message())};
    closeToOthers(folder);
    auto place = TRY(lockPlace(folder));
    auto impl = std::make_unique<Impl>();
    impl->place = std::move(place);
    impl->failed = std::move(failed);
    try { // spdlog reports errors by exceptions, which end here
        spdlog::file_event_handlers handlers;
        handlers.before_open = makePrivateFile;
        auto sink = std::make_shared<spdlog::sinks::rotating_file_sink_mt>(impl->place.file.native(), kMostBytes,
                                                                           kFiles - 1, false, handlers);
        sink->set_pattern(kPattern);
        impl->threads = std::make_shared<spdlog::details::thread_pool>(kMostWaiting, 1);
        impl->logger = std::make_shared<spdlog::async_logger>("highwater", std::move(sink), impl->threads,
                                                              spdlog::async_overflow_policy::overrun_oldest);
    } catch (const std::exception& problem) {
        return Error{ErrorKind::Io, problem.what()};
    }
    impl->logger->set_level(spdlog::level::trace); // all lines passed to it must be written
    impl->logger->flush_on(spdlog::level::trace);  // keeps all lines of a program that is killed
    impl->logger->set_error_handler([&told = impl->hasFailed, raw = impl.get()](const std::string& problem) {
        if (!told.test_and_set()) raw->failed(problem);
    });
    return std::unique_ptr<LogFile>(new LogFile(std::move(impl)));
}

void LogFile::write(const LogLine& line) {
    const auto text = fmt::format("{:<9} {}", wordOf(line.area), line.sentence);
    impl_->logger->log(line.time, spdlog::source_loc{}, spdlogLevel(line.level), spdlog::string_view_t(text));
}

const std::filesystem::path& LogFile::path() const { return impl_->place.file; }

} // namespace highwater
