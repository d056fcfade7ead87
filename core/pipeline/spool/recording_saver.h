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

/// Saves the recording under the name that the user chose. Any thread, one at a time; these functions block.
class RecordingSaver {
  public:
    /// The state of the recording that a save needs.
    struct Moment {
        RecordingLosses lost{};
        bool hasEnded = false; ///< nothing more is written
    };
    /// Adds records that arrived after the end to a batch.
    using AddLate = std::function<void(etl::RecordBatch&)>;

    /// Events that are missing in the file so far because the disk could not keep up.
    using EventsInGaps = std::function<std::uint64_t()>;

    /// The file must outlive this object.
    RecordingSaver(SpoolFile& file, etl::Compression compression, EventsInGaps eventsInGaps)
        : file_(file), compression_(compression), eventsInGaps_(std::move(eventsInGaps)) {}

    /// Also works during the recording, and any number of times. Returns a sentence about data missing in the file, or
    /// an empty string.
    Result<std::string> save(const std::filesystem::path& path, const Moment& moment, const AddLate& addLate);
    /// Call after the recording has ended: completes its file and does not delete it. Returns its path; nothing if
    /// there is none.
    std::optional<std::filesystem::path> leave(const RecordingLosses& lost);

  private:
    Result<std::string> saveNow(const std::filesystem::path& path, const Moment& moment, const AddLate& addLate);
    Result<void> saveFile(const std::filesystem::path& path, const Moment& moment);
    Result<void> saveAnew(const std::filesystem::path& path, const RecordingLosses& lost);
    [[nodiscard]] std::string whatIsMissing() const;

    SpoolFile& file_;
    etl::Compression compression_;
    EventsInGaps eventsInGaps_;
    std::mutex mutex_;      ///< held during a save
    etl::RecordBatch late_; ///< added after the end, and not in the file yet
};

} // namespace highwater::pipeline
