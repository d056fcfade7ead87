#pragma once

#include "core/base/result.h"
#include "core/etl/raw_record.h"
#include "core/pipeline/spool/spool.h"
#include "core/pipeline/spool/spool_file.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace highwater::pipeline {

/// Puts what was recorded under the name that the user gave. Any thread, one at a time; these block.
class RecordingSaver {
  public:
    /// What a save needs to know of the recording.
    struct Moment {
        RecordingLosses lost{};
        bool hasEnded = false; ///< nothing is written any more
    };
    /// Adds records that came after the end to a batch.
    using AddLate = std::function<void(etl::RecordBatch&)>;

    /// Events that the file lacks by now because the disk could not keep up.
    using EventsInGaps = std::function<std::uint64_t()>;

    /// The file outlives it.
    RecordingSaver(SpoolFile& file, etl::Compression compression, EventsInGaps eventsInGaps)
        : file_(file), compression_(compression), eventsInGaps_(std::move(eventsInGaps)) {}

    /// While the recording goes on, too, and as often as wanted. The sentence says what the file lacks; empty: nothing.
    Result<std::string> save(const std::filesystem::path& path, const Moment& moment, const AddLate& addLate);
    /// After the recording has ended: its file is completed and not deleted. Where it is; nothing if there is none.
    std::optional<std::filesystem::path> leave(const RecordingLosses& lost);

  private:
    Result<std::string> saveNow(const std::filesystem::path& path, const Moment& moment, const AddLate& addLate);
    Result<void> saveFile(const std::filesystem::path& path, const Moment& moment);
    Result<void> saveAnew(const std::filesystem::path& path, const RecordingLosses& lost);
    [[nodiscard]] std::string whatIsMissing() const;

    SpoolFile& file_;
    etl::Compression compression_;
    EventsInGaps eventsInGaps_;
    std::mutex mutex_;      ///< held while one saves
    etl::RecordBatch late_; ///< added after the end, and not in the file yet
};

} // namespace highwater::pipeline
