#pragma once

#include "core/decode/stacks/stack_observer.h"
#include "core/etl/raw_record.h"
#include "core/event/event_sink.h"
#include "core/event/record_counts.h"
#include "core/event/recorded_system.h"
#include "core/event/trace_health.h"
#include "core/event/trace_notes.h"
#include "core/event/trace_properties.h"

#include <memory>
#include <span>

namespace highwater::decode {

/// Receives data of a trace other than its events, immediately and not in order with them.
class NoteObserver {
  public:
    virtual ~NoteObserver() = default;
    virtual void onMark(const Mark& mark) = 0;
    virtual void onMarkEdit(const MarkEdit& edit) = 0;
    virtual void onPrivateBytes(const PrivateBytesSample& sample) = 0;
};

struct DecoderOptions {
    /// The stream time that an event waits for its stack before it is delivered without one.
    std::int64_t stackPatienceNs = 500'000'000;
    StackObserver* stackObserver = nullptr;
    NoteObserver* noteObserver = nullptr;
};

/// Turns raw records (in time order) into events with their stacks (in time order), and counts unknown records.
/// Pipeline thread only.
class RecordDecoder {
  public:
    RecordDecoder(const TraceProperties& properties, EventSink& sink, TraceHealth& health, DecoderOptions options = {});
    ~RecordDecoder();
    RecordDecoder(const RecordDecoder&) = delete;
    RecordDecoder& operator=(const RecordDecoder&) = delete;

    /// Decodes a batch; ends with EventSink::onTimeReached.
    void decode(std::span<const etl::RawRecord> records);
    /// A realtime source has delivered all records before these ticks. The trace extends to them, and events that wait
    /// for a stack do not wait for the next record.
    void reach(std::int64_t ticks);
    /// Call at the end of the source. Delivers waiting events, counts unresolved stacks, and reports the end of the
    /// trace.
    void finish();

    [[nodiscard]] const RecordCounts& counts() const;
    /// Known properties of the computer on which the trace was recorded.
    [[nodiscard]] const RecordedSystem& system() const;
    /// One tick after the last record so far: the end of the whole trace.
    [[nodiscard]] TraceTime endTime() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::decode
