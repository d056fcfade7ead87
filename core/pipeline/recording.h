#pragma once

#include "core/base/result.h"
#include "core/etl/etl_writer.h"
#include "core/pipeline/trace_loader.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace highwater::pipeline {

struct RecordingOptions {
    /// Where the records go while they come; deleted with the object unless it was saved. Its folder must exist.
    std::filesystem::path spool;
    etl::Compression compression = etl::Compression::Xpress;
    std::chrono::milliseconds flushEvery{1000};
};

/// How a recording stands, from moment to moment.
struct RecordingStatus {
    std::uint64_t records = 0;
    std::uint64_t bytes = 0; ///< in the spool
    /// Why nothing more is written to the spool (disk full). The recording goes on in memory; what was flushed can be
    /// saved.
    std::optional<Error> spoolError;
};

/// Records from a realtime source: into memory as TraceLoader does, and into a valid .etl beside it, buffer by buffer,
/// on a thread of its own. If this program dies, the spool opens up to its last flush.
///
/// The constructor starts. All functions may be called by any thread; save() blocks, call it from a worker.
class Recording {
  public:
    using OpenSource = std::function<Result<std::unique_ptr<source::RecordSource>>(TraceHealth& health)>;

    Recording(OpenSource open, RecordingOptions options);
    /// Stops, waits, and deletes what was not saved.
    ~Recording();
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;

    /// The growing trace, and why it Failed to start. Finished when the recording has ended.
    [[nodiscard]] const TraceLoader& trace() const { return *loader_; }
    [[nodiscard]] RecordingStatus status() const;

    /// Ends the recording soon; what was recorded until now is kept.
    void stop() { loader_->cancel(); }
    void wait();

    /// Puts the trace as it is now under this name; while the recording goes on, too, and as often as wanted. Replaces
    /// a file that is there, but only when all is written. The sentence says what the file lacks; empty: nothing.
    Result<std::string> save(const std::filesystem::path& path);

  private:
    class SpoolThread;

    RecordingOptions options_;
    std::unique_ptr<SpoolThread> spool_;
    std::unique_ptr<TraceLoader> loader_; ///< last: it uses the others
};

} // namespace highwater::pipeline
