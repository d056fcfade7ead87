#pragma once

#include "core/base/result.h"
#include "core/base/seeded_hash.h"
#include "core/decode/records/stack_record.h"
#include "core/etl/etl_writer.h"
#include "core/etl/raw_record.h"
#include "core/event/trace_properties.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace highwater::pipeline {

/// Losses of the recording system; the header of a trace contains both.
struct RecordingLosses {
    std::uint64_t events = 0;
    std::uint64_t buffers = 0;
};

/// Writes the records of a recording into a valid .etl as they arrive (docs/etl-format.md 11). Stacks are written as
/// references to keys (StackWalk opcodes 37, 38). Their frames are written before their first use (opcode 34) and again
/// when the file is finished (opcode 36, as Windows does). A file that is cut off anywhere can therefore be resolved,
/// and a stack that is used a million times costs 40 bytes each time.
///
/// Heap records of the Linux agent (COMPACT headers) are written in the shortest possible form: without their Source,
/// which is always 0, and, if one thread has several in a row, in PERFINFO form after a context switch record that
/// contains process and thread. An allocation with its stack and its free then takes 112 bytes. Records of Windows keep
/// their form.
///
/// After an output error nothing more is written. Flushed data stays readable, and the header of the file contains the
/// time from which data is missing, and the reason. One thread.
class Spool {
  public:
    /// Writes the header immediately. `output` must outlive this object.
    static Result<std::unique_ptr<Spool>> create(etl::ByteOutput& output, const TraceProperties& properties,
                                                 etl::Compression compression,
                                                 etl::Packing packing = etl::Packing::AtOnce);

    /// A processor number that no record of the source has, for records that are added by the recorder.
    [[nodiscard]] static std::uint16_t ownProcessor(const TraceProperties& properties);

    /// Records in time order, as delivered by a source.
    Result<void> write(std::span<const etl::RawRecord> records);
    /// Passes all data to the system, so that it survives the end of this program. Sync the output against power
    /// failures. If buffers are compressed in the background, this takes another flush after
    /// etl::WriterOptions::packingPatience.
    Result<void> flush();
    /// The same without another flush.
    Result<void> flushAll();
    /// Flushes and completes the header as if the recording ended with its last record. Writing may continue
    /// afterwards. For a file that was cut off, returns the error again, and the header contains the number of events
    /// since then.
    Result<void> finish(const RecordingLosses& lost);

    /// Whether flush() has something to write.
    [[nodiscard]] bool hasUnflushed() const { return hasUnflushed_ || writer_->isPacking(); }
    /// Buffers that were not compressed in time.
    [[nodiscard]] std::uint64_t buffersLeftPlain() const { return writer_->buffersLeftPlain(); }
    [[nodiscard]] std::uint64_t bytesWritten() const { return output_.size(); }
    /// The reason why nothing more is written.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// Memory events that are missing in the file because of the error: those that came later or were in buffers.
    [[nodiscard]] std::uint64_t eventsAfterError() const { return eventsAfterError_; }

  private:
    using KeyNumber = std::uint32_t;
    struct KnownStack {
        std::uint64_t firstFrame = 0; ///< index into frames_
        std::uint32_t frameCount = 0;
        std::uint32_t finishOfUse = 0; ///< it must be defined again when the file is finished at that time
        std::uint64_t definedOn =
            0; ///< processors (number modulo 64) whose records contain its frames since the last finish
    };
    /// The thread that writes on a processor.
    struct Thread {
        std::uint32_t pid = etl::kNoId;
        std::uint32_t tid = etl::kNoId;
        bool operator==(const Thread&) const = default;
    };
    struct Running {
        Thread written;         ///< from the last context switch record
        Thread latest;          ///< thread of the last record
        std::uint32_t left = 0; ///< records until it is written again
    };
    /// A key that the source recently defined and used.
    struct RecentKey {
        std::uint64_t key = 0;
        std::optional<KeyNumber> number; ///< nothing: the slot is unused
    };
    /// Finds stacks by their frames.
    struct StackHash {
        using is_transparent = void;
        const Spool* spool;
        std::size_t operator()(KeyNumber stack) const noexcept { return (*this)(spool->framesOf(stack)); }
        std::size_t operator()(std::span<const Address> frames) const noexcept;
    };
    struct StackEqual {
        using is_transparent = void;
        const Spool* spool;
        bool operator()(KeyNumber a, KeyNumber b) const { return a == b; }
        bool operator()(std::span<const Address> frames, KeyNumber stack) const;
        bool operator()(KeyNumber stack, std::span<const Address> frames) const { return (*this)(frames, stack); }
    };

    Spool(etl::ByteOutput& output, const TraceProperties& properties);

    Result<void> writeOne(const etl::RawRecord& record);
    Result<void> writeShortened(const etl::RawRecord& record);
    Result<bool> isThreadWritten(const etl::RawRecord& record);
    Result<void> writeSwitch(const etl::RawRecord& record);
    Result<void> writeStackWalk(const etl::RawRecord& record);
    Result<void> writeOwnKey(const etl::RawRecord& record);
    Result<void> writeReference(const etl::RawRecord& like, std::uint8_t opcode, KeyNumber stack);
    void takeKey(const etl::RawRecord& record);
    [[nodiscard]] std::optional<KeyNumber> numberOfSourceKey(std::uint64_t key);
    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const;
    Result<void> defineForUse(const etl::RawRecord& use, KeyNumber stack);
    Result<void> writeDefinition(KeyNumber stack, std::uint8_t opcode, std::int64_t ticks, std::uint16_t processor);
    Result<void> writeDefinitions();
    KeyNumber numberOf(std::span<const Address> frames);
    [[nodiscard]] std::span<const Address> framesOf(KeyNumber stack) const {
        const auto& known = stacks_[stack];
        return {frames_.data() + known.firstFrame, known.frameCount};
    }
    Result<void> flushBy(Result<void> (etl::EtlWriter::*by)());
    Result<void> keepError(Result<void> result);
    Result<void> endCutOff(const RecordingLosses& lost);
    void countAfterError(std::span<const etl::RawRecord> records);
    void noteGap(const etl::RawRecord& record);
    [[nodiscard]] RecordingLosses withMissing(RecordingLosses lost) const;
    [[nodiscard]] std::int64_t endFileTime() const;

    etl::ByteOutput& output_;
    std::unique_ptr<etl::EtlWriter> writer_;
    decode::FrameReader reader_;
    std::vector<Address> frames_;
    std::vector<KnownStack> stacks_;
    tsl::robin_map<KeyNumber, KeyNumber, StackHash, StackEqual> numbers_;
    tsl::robin_map<std::uint64_t, KeyNumber, SeededHash>
        ofSourceKey_;                   ///< keys that the source defined before their use
    std::vector<RecentKey> recentKeys_; ///< frequently used ones of those: one slot each
    std::vector<KeyNumber> used_;       ///< since the last finish
    std::vector<Running> running_;      ///< by processor, since the last flush
    std::uint32_t finishes_ = 1;
    TraceProperties properties_;
    std::int64_t lastTicks_ = 0;
    std::uint64_t eventsInGaps_ = 0; ///< according to gap records
    std::uint64_t eventsAfterError_ = 0;
    std::int64_t finishedTicks_ = 0; ///< time of the definitions of the last finish
    std::uint16_t definitionProcessor_ = 0;
    bool hasUnflushed_ = false;
    std::optional<Error> error_;
};

} // namespace highwater::pipeline
