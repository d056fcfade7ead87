#include "app/cli/traces/loaded_trace.h"

#include "core/formats/facts/export_facts.h"
#include "core/log/log.h"
#include "core/pipeline/index/trace_index_cache.h"
#include "core/store/trace_store.h"
#include "core/symbols/places/symbol_path.h"

#include <algorithm>

namespace highwater::cli {

namespace {

bool isIndexWanted = true;

/// Only the window writes indexes; a command would delay its caller.
std::shared_ptr<pipeline::TraceIndexCache> writtenIndexes() {
    const auto cache = symbols::userCacheFolder(symbols::systemEnvironment());
    if (!isIndexWanted || !cache) return nullptr;
    return std::make_shared<pipeline::TraceIndexCache>(
        pipeline::TraceIndexCache::Options{.folder = *cache / pipeline::kTraceIndexFolder, .writes = false});
}

} // namespace

void useIndexes(bool uses) { isIndexWanted = uses; }

namespace {

Result<LoadedTrace> load(const std::vector<std::string>& paths, store::BlockRows blocks) {
    pipeline::TraceLoader loader({paths.begin(), paths.end()}, writtenIndexes(), blocks);
    loader.wait();
    if (const auto error = loader.error()) return *error;
    const auto rows = loader.latest();
    return LoadedTrace{rows, loader.facts(), loader.notes(), std::max(rows->heap.rows, loader.heapAllocations())};
}

} // namespace

Result<LoadedTrace> loadTrace(const std::vector<std::string>& paths) { return load(paths, store::BlockRows::Kept); }

Result<LoadedTrace> loadTraceCounted(const std::vector<std::string>& paths) {
    return load(paths, store::BlockRows::Counted);
}

Result<std::optional<exports::WallClock>> wallClock(bool isAsked, std::string_view format,
                                                    const TraceProperties& properties) {
    if (!isAsked) return std::optional<exports::WallClock>();
    if (format == "json" || format == "ndjson")
        return Error{ErrorKind::Usage, "--wall-clock works only with text and CSV, because times in JSON are seconds."};
    auto clock = exports::WallClock::of(properties);
    if (!clock)
        return Error{ErrorKind::Usage,
                     "Wall-clock times are not available because the trace does not contain its recording time."};
    return clock;
}

ExitCode printDataLoss(const HealthReport& health, bool isStrict, const Console& console) {
    for (const auto& sentence : formats::sentencesOf(health))
        console.say(sentence);
    return isStrict && health.totalsAreBounds() ? ExitCode::DataMissing : ExitCode::Done;
}

ExitCode fail(const Error& error, const Console& console) {
    if (error.kind == ErrorKind::Usage)
        console.sayLines(error.message); // may point at an error in a query
    else
        console.say(error.message);
    log(LogLevel::Error, LogArea::Message, error.message);
    return error.kind == ErrorKind::Usage ? ExitCode::WrongUsage : ExitCode::CannotRead;
}

} // namespace highwater::cli
