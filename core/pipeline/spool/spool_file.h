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

/// The file of a recording: where it lies, whose it is, what is written to it, and the one that takes its place where
/// only the newest part is kept. It is deleted with the object unless it was moved away or left.
///
/// One thread writes; another may save meanwhile. Whoever writes holds the mutex as long as the disk takes, so what is
/// asked from moment to moment (counts, errors) does without it.
class SpoolFile {
  public:
    struct Options {
        std::filesystem::path place; ///< its folder exists, and nothing is there but `output`
        /// The file, by who wanted to know that it can be written. Null: it is made by open().
        std::shared_ptr<etl::ByteOutput> output = nullptr;
        SpoolPacking packing{};
        std::chrono::milliseconds syncEvery{1000};
        bool keepsNewest = false; ///< beginNext() will be called
    };

    explicit SpoolFile(Options options);
    ~SpoolFile();
    SpoolFile(const SpoolFile&) = delete;
    SpoolFile& operator=(const SpoolFile&) = delete;

    /// Once, before anything else. What fails is in errors(), here and in all that follows.
    void open(const TraceProperties& properties);
    void write(std::span<const etl::RawRecord> records);
    /// What was written survives the end of this program; what is compressed aside after another flush.
    void flush();
    /// The same at once: nothing more comes.
    void flushAll();
    /// A file that will take the place of this one, with what is written from now on. `eventsInGaps`: missing in gaps
    /// that it does not tell of.
    void beginNext(std::int64_t startTicks, std::uint64_t eventsInGaps);
    /// It takes the place; one that fails is given up, and the file that is there goes on growing. False: not now,
    /// somebody reads the file.
    bool goOnInNext(const CarryOver& state);
    /// Something that was to be written is lost. The next file would lack it without a word, and is given up.
    void giveUpNext(const Error& why);
    /// No next file is wanted any more.
    void dropNext();

    /// As long as it lives the file keeps its place: who copies it must not go on in the next one. (Windows would not
    /// even let that one take the place.)
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
    /// Completes the file as it is now, and waits for the disk. How much of it is a whole trace. It may go on.
    std::uint64_t complete(const RecordingLosses& lost);
    /// Of a recording that has ended, after complete(): compresses what there was no time for while it was written, and
    /// closes the file for that. Where the disk has no room for that it stays as it is, which is a whole trace, too.
    void packRest();
    /// Closes it and puts it under another name, of a recording that has ended; the cheap way to save it. False: it is
    /// not ours any more, or the place is on another disk; it stays.
    bool moveTo(const std::filesystem::path& path);
    /// Closes it and does not delete it. Where it is; nothing if there is none that is ours.
    std::optional<std::filesystem::path> leave();
    /// It was written, and is not open any more.
    [[nodiscard]] bool isClosed() const;
    /// Wherever it was moved to.
    [[nodiscard]] std::filesystem::path place() const;

    // Any thread; these wait for no disk.
    [[nodiscard]] std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::uint64_t nextBytes() const { return nextBytes_.load(std::memory_order_relaxed); }
    /// Events of memory that a file which an error cut off does not have: behind its end, or not written before.
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
    mutable std::mutex mutex_; ///< guards all below but sync_
    TraceProperties properties_;
    OpenSpool file_;
    std::filesystem::path place_;
    bool isOurs_; ///< the file is there, and deleted with the object
    bool isRead_ = false;
    std::unique_ptr<NextSpool> next_;
    std::uint64_t gapsBeforeNext_ = 0;
    MetadataRecords facts_;
    FileSync sync_; ///< last: reports errors
};

} // namespace highwater::pipeline
