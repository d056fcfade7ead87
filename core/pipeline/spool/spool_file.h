#pragma once

#include "core/base/result.h"
#include "core/etl/etl_writer.h"
#include "core/event/trace_properties.h"
#include "core/pipeline/spool/carry_over.h"
#include "core/pipeline/spool/file_sync.h"
#include "core/pipeline/spool/metadata_records.h"
#include "core/pipeline/spool/next_spool.h"
#include "core/pipeline/spool/spool_errors.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>

namespace highwater::pipeline {

/// The file of a recording: its path, ownership and writer, and the next file if only the newest part is kept. It is
/// deleted with the object unless it was moved away or left.
///
/// One thread writes; another may save at the same time. The writer holds the mutex during disk access, so frequently
/// queried values (counts, errors) do not use it.
class SpoolFile {
  public:
    struct Options {
        std::filesystem::path place; ///< its folder exists, and contains no such file except `output`
        /// The file, for callers that checked whether it can be written. Null: open() creates it.
        std::shared_ptr<etl::ByteOutput> output = nullptr;
        SpoolPacking packing{};
        std::chrono::milliseconds syncEvery{1000};
        bool keepsNewest = false; ///< beginNext() will be called
    };

    explicit SpoolFile(Options options);
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    /// Once, before anything else. Failures of this and all following functions are in errors().
    void open(const TraceProperties& properties);
    void write(std::span<const etl::RawRecord> records);
    /// Written data survives the end of this program; data that is compressed in the background does after another
    /// flush.
    void flush();
    /// The same immediately, when no more data follows.
    void flushAll();
    /// Starts a file that will replace this one, with everything written from now on. `eventsInGaps`: events missing in
    /// gaps that it does not contain.
    void beginNext(std::int64_t startTicks, std::uint64_t eventsInGaps);
    /// The next file replaces this one. If it fails, it is discarded and the current file continues to grow. Returns
    /// false if it must be tried later because the file is being read.
    bool continueInNext(const CarryOver& state);
    /// Data to be written was lost. The next file would silently lack it, and is discarded.
    void giveUpNext(const Error& why);
    /// The next file is no longer wanted.
    void dropNext();

    /// Keeps the file in its place during its lifetime, so that it can be copied. (On Windows the next file could not
    /// even replace it.)
    class Reading {
      public:
        explicit Reading(SpoolFile& file) : file_(file) { set(true); }
        ~Reading() { set(false); }
        Reading(const Reading&) = delete;
        Reading& operator=(const Reading&) = delete;

      private:
        void set(bool isRead);
        SpoolFile& file_;
    };
    /// Completes the current file and waits for the disk. Returns the size of the complete trace. Writing may continue.
    std::uint64_t complete(const RecordingLosses& lost);
    /// For a recording that has ended, after complete(): compresses the buffers that were not compressed while they
    /// were written, and closes the file for that. If the disk has no room for it, the file stays as it is, which is
    /// also a complete trace.
    void packRest();
    /// For a recording that has ended: closes the file and renames it, which is the cheap way to save it. Returns false
    /// and keeps the file if it is not ours any more or the target is on another disk.
    bool moveTo(const std::filesystem::path& path);
    /// Closes the file and does not delete it. Returns its path; nothing if this object has no file.
    std::optional<std::filesystem::path> leave();
    /// It was written, and is not open any more.
    [[nodiscard]] bool isClosed() const;
    /// Its path, even after it was moved.
    [[nodiscard]] std::filesystem::path place() const;

    // Any thread; these do not wait for a disk.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t nextBytes() const { return nextBytes_.load(std::memory_order_relaxed); }
    /// Memory events that are missing in a file that an error cut off: after its end, or not written before.
    [[nodiscard]] std::uint64_t eventsAfterCut() const { return afterCut_.load(std::memory_order_relaxed); }
    /// Events in gaps that are older than the file.
    [[nodiscard]] std::uint64_t eventsInOlderGaps() const { return olderGaps_.load(std::memory_order_relaxed); }
    [[nodiscard]] SpoolErrors::Report errors() const { return errors_.report(); }

  private:
    Result<void> openFirst(const TraceProperties& properties);
    bool putNextInPlace(NextSpool& next, const CarryOver& state);
    void adopt(OpenSpool file);
    void close();
    void note(const Result<void>& result);

    Options options_;
    SpoolErrors errors_;
    std::atomic<std::uint64_t> bytes_{0};
    std::atomic<std::uint64_t> nextBytes_{0};
    std::atomic<std::uint64_t> afterCut_{0};
    std::atomic<std::uint64_t> olderGaps_{0};
    mutable std::mutex mutex_; ///< guards all members below except sync_
    TraceProperties properties_;
    OpenSpool file_;
    std::filesystem::path place_;
    bool isOurs_; ///< the file exists and is deleted with the object
    bool isRead_ = false;
    std::unique_ptr<NextSpool> next_;
    std::uint64_t gapsBeforeNext_ = 0;
    MetadataRecords facts_;
    FileSync sync_; ///< last because it reports errors
};

} // namespace highwater::pipeline
