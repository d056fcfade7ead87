#include "core/pipeline/spool/metadata_records.h"

#include "core/decode/records/missing_record.h"
#include "core/event/opcodes.h"
#include "core/pipeline/spool/memory_record.h"

namespace highwater::pipeline {
namespace {

using etl::RawRecord;

constexpr std::size_t kPayloadAlignment = 8; ///< aligned frames are not copied again

bool isLossMark(const RawRecord& record) {
    const auto provider = record.providerGuid();
    if (provider == kHighwaterProvider) return record.opcode == highwater_opcode::kLossPlace;
    return provider == kLostEventProvider;
}

/// Describes an instant before the window: a snapshot, whose outstanding allocations are no longer known, a sample, or
/// a picture.
bool isOfInstant(const RawRecord& record) {
    return (record.opcode == highwater_opcode::kSnapshot || record.opcode == highwater_opcode::kResident ||
            record.opcode == highwater_opcode::kPicture) &&
           record.providerGuid() == kHighwaterProvider;
}

bool isFact(const RawRecord& record) {
    // Earlier losses are in the header of the file. Data missing in an older file was in memory and is carried over
    // from there.
    if (decode::isMissingRecord(record)) return false;
    if (record.kind == RawRecord::Kind::Provider) return !isLossMark(record) && !isOfInstant(record);
    if (record.kind != RawRecord::Kind::Classic) return false;
    switch (record.group) {
    case group::kProcess:
    case group::kImage:
    case group::kConfig:
        return true;
    case group::kThread:
        return record.opcode == lifetime_opcode::kStart || record.opcode == lifetime_opcode::kRundownStart ||
               record.opcode == lifetime_opcode::kRundownEnd || record.opcode == thread_opcode::kSetName;
    case group::kPerfInfo:
        return record.opcode == perf_info_opcode::kMark;
    case group::kStackWalk:
        return record.opcode == stack_opcode::kKeyCreate;
    default:
        return false;
    }
}

} // namespace

std::size_t MetadataRecords::keep(const std::byte* bytes, std::size_t count) {
    bytes_.resize((bytes_.size() + kPayloadAlignment - 1) / kPayloadAlignment * kPayloadAlignment);
    const auto place = bytes_.size();
    bytes_.insert(bytes_.end(), bytes, bytes + count);
    return place;
}

void MetadataRecords::take(std::span<const RawRecord> records) {
    for (const auto& record : records) {
        if (!isFact(record)) continue;
        Fact fact;
        fact.record = record;
        fact.record.extended = nullptr; // stacks of such records are not about memory
        fact.record.extendedBytes = 0;
        fact.payload = keep(record.payload, record.payloadBytes);
        if (record.provider != nullptr) fact.provider = keep(record.provider, sizeof(Guid));
        facts_.push_back(fact);
    }
}

std::vector<RawRecord> MetadataRecords::records() const {
    std::vector<RawRecord> records;
    records.reserve(facts_.size());
    for (const auto& fact : facts_) {
        auto record = fact.record;
        record.payload = bytes_.data() + fact.payload;
        record.provider = fact.provider == kNone ? nullptr : bytes_.data() + fact.provider;
        records.push_back(record);
    }
    return records;
}

} // namespace highwater::pipeline
