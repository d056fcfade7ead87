#pragma once

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

/// What the recorder adds to the records of a source: marks, edits of marks, snapshots, and how much memory the target
/// has. Notes wait until the stream comes by and then get the time that it has reached, so that they fit into it on a
/// processor of their own. What was measured waits until the stream has reached the time when that was: a recorder that
/// lags behind would else compare it with what was there long before. Where nobody knows that time it gets the one that
/// the stream had reached before: it may be the end of the target that comes by. Any thread, but the two that add.
class RecordingNotes final : public RecordAddition {
  public:
    /// Before the first batch. `processor`: one that no record of the source has.
    void begin(const TraceProperties& properties, std::uint16_t processor);

    /// UTF-8; cut to what a list can show.
    void mark(const std::string& name);
    /// An empty name deletes it. `markTicks` as Mark has them.
    void editMark(std::int64_t markTicks, const std::string& name);
    /// Of all that is recorded. Its number: 1, 2, ... With `ticks` it waits until the stream has reached them, or has
    /// ended.
    std::uint32_t snapshot(SnapshotOrigin origin, std::optional<std::int64_t> ticks = {});
    /// After the end, of an instant that has passed: in the file when it is saved, never in the stream.
    void lateMark(std::int64_t ticks, const std::string& name);
    void lateSnapshot(std::uint32_t number, std::int64_t ticks);
    /// The last one of these ticks.
    void undoLateSnapshot(std::int64_t ticks);
    void privateBytes(std::uint32_t pid, const source::ProcessMemory& memory, std::optional<std::int64_t> ticks);

    /// Names of marks that no batch has taken yet: it is forgotten that they were asked for.
    [[nodiscard]] std::vector<std::string> takeWaitingMarks();

    /// Adds what waits to a batch of the source. The thread of the stream.
    void addTo(etl::RecordBatch& batch) override;

  private:
    struct Note {
        etl::RawRecord record; ///< without its time and payload
        std::vector<std::byte> payload;
        enum class Kind { Mark, Other, Measured } kind = Kind::Mark;
        std::optional<std::int64_t> ticks{}; ///< of what was measured, if that is known; else: not before
        std::string name{};                  ///< of a mark
    };
    void add(Note note);
    void addMeasured(std::vector<Note> measured, std::int64_t reachedBefore, etl::RecordBatch& batch);
    [[nodiscard]] etl::RawRecord recordOf(Note note, std::int64_t ticks, etl::RecordBatch& batch) const;

    std::mutex mutex_;
    std::vector<Note> waiting_;
    std::int64_t reached_ = 0;
    std::int64_t lastMark_ = 0;
    std::uint32_t lastSnapshot_ = 0;
    std::uint16_t processor_ = 0;
};

} // namespace highwater::pipeline
