#pragma once

#include "core/base/byte_reader.h"
#include "core/base/guid.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace highwater::etl {

/// Header types of docs/etl-format.md 2; the value is the byte in the file.
enum class HeaderType : std::uint8_t {
    System32 = 1,
    System64 = 2,
    Compact32 = 3,
    Compact64 = 4,
    Full32 = 10,
    Instance32 = 11,
    Timed = 12,
    Error = 13,
    Wnode = 14,
    Message = 15,
    PerfInfo32 = 16,
    PerfInfo64 = 17,
    Event32 = 18,
    Event64 = 19,
    Full64 = 20,
    Instance64 = 21,
};
/// "SYSTEM64", "FULL32", "EVENT64", ... as `info` prints them.
[[nodiscard]] const char* name(HeaderType type);

inline constexpr std::uint32_t kNoId = 0xFFFFFFFFu; ///< pid or tid that is not in the record

/// One record in ETW's own form, which every source delivers and every file contains. Its spans point into memory that
/// its RecordBatch keeps alive (the mapped file, a decompressed buffer).
struct RawRecord {
    enum class Kind : std::uint8_t {
        Classic,  ///< identified by group + opcode (also FULL and classic EVENT records of a class with a group)
        Provider, ///< identified by provider GUID + eventId/opcode
        Message,  ///< WPP message or ERROR record: counted only
    };

    std::int64_t ticks = 0; ///< in the unit of the trace's clock; records without a time have that of the previous one
    const std::byte* payload = nullptr;
    const std::byte* extended = nullptr; ///< extended data items as in files (docs/etl-format.md 2.1); null if none
    const std::byte* provider = nullptr; ///< the 16 bytes of the GUID, unaligned; null for records without one
    std::uint32_t payloadBytes = 0;
    std::uint32_t extendedBytes = 0;
    std::uint32_t pid = kNoId;
    std::uint32_t tid = kNoId;
    std::uint16_t processor = 0;
    std::uint16_t version = 0;
    std::uint16_t eventId = 0; ///< for EVENT records
    Kind kind = Kind::Classic;
    HeaderType header = HeaderType::System64;
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint8_t pointerBytes = 8; ///< in this record's payload: 4 or 8, mixed within a trace

    [[nodiscard]] ByteSpan payloadSpan() const { return {payload, payloadBytes}; }
    [[nodiscard]] ByteSpan extendedSpan() const { return {extended, extendedBytes}; }
    [[nodiscard]] Guid providerGuid() const { return provider ? loadUnchecked<Guid>(provider) : Guid{}; }
};

/// Records in time order, with the memory that they point into. Movable between threads; recycle() keeps the capacity.
struct RecordBatch {
    std::vector<RawRecord> records;
    std::vector<std::shared_ptr<const void>> memory; ///< keeps the spans valid
    std::uint64_t bytesRead = 0;                     ///< position of the source, for progress
    /// For realtime sources: all records before these ticks have been delivered, so that time advances while nothing
    /// happens. 0: the time is that of the records.
    std::int64_t reachedTicks = 0;

    void recycle() {
        records.clear();
        memory.clear();
        reachedTicks = 0;
    }
};

/// Receives records as they arrive, in time order. Called on one thread, the source's.
class RecordSink {
  public:
    virtual ~RecordSink() = default;
    /// The sink may move the batch away; the caller clears and refills the object.
    virtual void onBatch(RecordBatch& batch) = 0;
};

} // namespace highwater::etl
