#pragma once

#include "core/event/memory_picture.h"
#include "core/event/resident_sample.h"
#include "core/event/snapshot_events.h"
#include "core/event/trace_properties.h"
#include "core/pipeline/trace_loader.h"
#include "core/source/contract/process_memory.h"

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// Adds the recorder's own records to those of a source: marks, edits of marks, snapshots, and memory samples of the
/// target. Notes wait for the next part of the stream and then get the time that it has reached, so that they fit into
/// it on a separate processor. Measured values wait until the stream has reached their time, or its end. Otherwise a
/// recorder that lags behind would compare them with earlier state. Values without a known time get the time that the
/// stream had reached before, because the next records may include the end of the target. Any thread, except for the
/// two functions that add.
class RecordingNotes final : public RecordAddition {
  public:
    /// Before the first batch. `processor`: a number that no record of the source has.
    void begin(const TraceProperties& properties, std::uint16_t processor);

    /// UTF-8; truncated to the length that a list can show.
    void mark(const std::string& name);
    /// An empty name deletes it. `markTicks` as in Mark.
    void editMark(std::int64_t markTicks, const std::string& name);
    /// A snapshot of all recorded processes. Returns its number: 1, 2, ... With `ticks` it waits until the stream has
    /// reached them or has ended.
    std::uint32_t snapshot(SnapshotOrigin origin, std::optional<std::int64_t> ticks = {});
    /// After the end, for an earlier instant: in the file when it is saved, never in the stream.
    void lateMark(std::int64_t ticks, const std::string& name);
    void lateSnapshot(std::uint32_t number, std::int64_t ticks);
    /// The last one with these ticks.
    void undoLateSnapshot(std::int64_t ticks);
    void privateBytes(std::uint32_t pid, const source::ProcessMemory& memory, std::optional<std::int64_t> ticks);
    /// A sample of resident memory. Returns the size of its records; 0 if it is too large for them.
    std::uint64_t resident(const ResidentSample& sample, std::optional<std::int64_t> ticks);
    /// A picture of memory. Returns the size of its records; 0 if it is too large for them.
    std::uint64_t picture(const MemoryPicture& picture, std::int64_t ticks);
    /// A sentence for the trace health; no data is missing.
    void remark(const std::string& sentence);

    /// Names of marks that no batch has included yet. The requests are removed.
    [[nodiscard]] std::vector<std::string> takeWaitingMarks();

    /// Adds waiting records to a batch of the source. Called on the stream's thread.
    void addTo(etl::RecordBatch& batch) override;

  private:
    struct Note {
        etl::RawRecord record; ///< without its time and payload
        std::vector<std::byte> payload;
        enum class Kind { Mark, Other, Measured } kind = Kind::Mark;
        std::optional<std::int64_t> ticks{}; ///< time of a measured value, if known; otherwise: not before
        std::string name{};                  ///< name of a mark
        std::vector<std::vector<std::byte>> more{}; ///< payloads of further records, which directly follow the first
    };
    void add(Note note);
    /// Returns the size of the payloads.
    std::uint64_t addParts(const etl::RawRecord& record, std::vector<std::vector<std::byte>> payloads, Note::Kind kind,
                           std::optional<std::int64_t> ticks);
    void addMeasured(std::vector<Note> measured, std::int64_t reachedBefore, etl::RecordBatch& batch);
    [[nodiscard]] std::vector<etl::RawRecord> recordsOf(Note note, std::int64_t ticks, etl::RecordBatch& batch) const;

    std::mutex mutex_;
    std::vector<Note> waiting_;
    std::int64_t reached_ = 0;
    std::int64_t lastMark_ = 0;
    std::uint32_t lastSnapshot_ = 0;
    std::uint32_t lastResident_ = 0;
    std::uint32_t lastPicture_ = 0;
    std::uint16_t processor_ = 0;
};

} // namespace highwater::pipeline
