#include "core/pipeline/index/trace_index_cache.h"

#include "core/base/text.h"
#include "core/files/private_folder.h"
#include "core/log/log.h"
#include "core/pipeline/index/trace_index_key.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

namespace highwater::pipeline {
namespace {

using Clock = std::filesystem::file_time_type::clock;

constexpr const char* kIndexEnding = ".index";
constexpr const char* kUnfinishedEnding = ".index-part";
constexpr std::chrono::hours kUnusedFor{24 * 60};            ///< an unused index is removed after this time
constexpr std::uint64_t kLeaveFree = std::uint64_t{1} << 30; ///< left on the disk for other uses

std::vector<std::string> textOf(const std::vector<std::filesystem::path>& paths) {
    std::vector<std::string> names;
    for (const auto& path : paths)
        names.push_back(utf8(path));
    return names;
}

void logIndex(LogLevel level, const std::string& sentence) { log(level, LogArea::Open, sentence); }

} // namespace

std::filesystem::path TraceIndexCache::pathOf(const std::vector<std::filesystem::path>& paths) const {
    return options_.folder / (traceIndexName(paths) + kIndexEnding);
}

std::string TraceIndexCache::keyOf(const std::vector<std::filesystem::path>& paths) const {
    std::error_code error;
    const bool hasIndex = std::filesystem::exists(pathOf(paths), error);
    const bool getsIndex = options_.writes && bytesOfFiles(paths) >= options_.leastTraceBytes;
    return hasIndex || getsIndex ? traceIndexKey(paths) : std::string();
}

std::optional<IndexedTrace> TraceIndexCache::find(const std::string& key,
                                                  const std::vector<std::filesystem::path>& paths) const {
    if (key.empty()) return std::nullopt;
    const auto path = pathOf(paths);
    const auto file = openPrivateFile(path);
    if (!file.hasValue()) {
        if (file.error().kind != ErrorKind::NotFound) logIndex(LogLevel::Warning, file.error().message);
        return std::nullopt;
    }
    auto trace = readTraceIndex(file.value(), key, textOf(paths));
    if (!trace) {
        logIndex(LogLevel::Information, fmt::format("{} is not used because it is damaged, the trace has changed, or "
                                                    "another version of Highwater wrote it.",
                                                    utf8(path)));
        return std::nullopt;
    }
    std::error_code error;
    std::filesystem::last_write_time(path, Clock::now(), error); // recently used, so it is removed last
    return trace;
}

/// An index is not kept if it has less data than the files, or if another load may have another result.
bool TraceIndexCache::isWorthKeeping(const IndexedTrace& trace) const {
    if (!trace.facts.properties.closed) return false; // it may still grow
    if (trace.trace->health[Loss::RowsDropped] > 0) return false;
    const auto bytes = traceIndexBytes(trace);
    std::error_code error;
    const auto space = std::filesystem::space(options_.folder, error);
    if (bytes <= options_.limitBytes / 2 && !error && space.available >= bytes + kLeaveFree) return true;
    logIndex(LogLevel::Information,
             fmt::format("No index of {} was written to {} because it would take {}.",
                         trace.facts.properties.paths.front(), utf8(options_.folder), bytesText(bytes)));
    return false;
}

void TraceIndexCache::save(const std::string& key, const std::vector<std::filesystem::path>& paths,
                           const IndexedTrace& trace, const std::stop_token& stop) {
    if (!options_.writes || key.empty()) return;
    std::error_code error;
    if (!makePrivateFolder(options_.folder, error)) {
        logIndex(LogLevel::Warning, fmt::format("Cannot create {}.", utf8(options_.folder)));
        return;
    }
    closeToOthers(options_.folder);
    if (!isWorthKeeping(trace) || traceIndexKey(paths) != key) return;
    const auto path = pathOf(paths);
    const auto begun = std::chrono::steady_clock::now();
    if (const auto written = write(path, key, paths, trace, stop); !written.hasValue()) {
        const bool isWish = written.error().kind == ErrorKind::Cancelled;
        logIndex(isWish ? LogLevel::Information : LogLevel::Warning, written.error().message);
        return;
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
    logIndex(LogLevel::Information,
             fmt::format("Wrote an index of {} in {:.3f} s: {}, {}.", trace.facts.properties.paths.front(),
                         took.count(), bytesText(std::filesystem::file_size(path, error)), utf8(path)));
    const std::lock_guard lock(mutex_);
    removeOldest();
}

Result<void> TraceIndexCache::write(const std::filesystem::path& path, const std::string& key,
                                    const std::vector<std::filesystem::path>& paths, const IndexedTrace& trace,
                                    const std::stop_token& stop) const {
    std::random_device random;
    auto part = path;
    part.replace_extension(fmt::format(".{:08x}{:08x}{}", random(), random(), kUnfinishedEnding));
    Result<void> outcome;
    {
        const auto file = OutputFile::createNew(part);
        outcome = file.hasValue() ? writeTraceIndex(*file.value(), key, textOf(paths), trace, stop)
                                  : Result<void>(file.error());
    }
    std::error_code error;
    if (outcome.hasValue()) std::filesystem::rename(part, path, error);
    if (error) outcome = Error{ErrorKind::Io, fmt::format("Cannot write {}: {}.", utf8(path), error.message())};
    if (!outcome.hasValue()) std::filesystem::remove(part, error);
    return outcome;
}

/// Also removes indexes that were not used for a long time, and leftovers of killed instances.
void TraceIndexCache::removeOldest() const {
    struct Kept {
        std::filesystem::file_time_type used;
        std::uint64_t bytes;
        std::filesystem::path path;
    };
    std::vector<Kept> kept;
    std::uint64_t total = 0;
    const auto now = Clock::now();
    std::error_code error;
    for (std::filesystem::directory_iterator it(options_.folder, error), end; !error && it != end;
         it.increment(error)) {
        std::error_code unreadable; // another Highwater may remove it at the same time
        const auto bytes = it->file_size(unreadable);
        const auto used = it->last_write_time(unreadable);
        if (unreadable) continue;
        const auto ending = it->path().extension();
        const bool isLeft = ending == kUnfinishedEnding && !OutputFile::isBeingWritten(it->path());
        if (isLeft || (ending == kIndexEnding && used < now - kUnusedFor)) {
            std::filesystem::remove(it->path(), unreadable);
        } else if (ending == kIndexEnding) {
            kept.push_back({used, bytes, it->path()});
            total += bytes;
        }
    }
    std::ranges::sort(kept, {}, &Kept::used);
    for (const auto& one : kept) {
        if (total <= options_.limitBytes) return;
        std::filesystem::remove(one.path, error);
        total -= one.bytes;
    }
}

} // namespace highwater::pipeline
