#include "core/pipeline/crop/crop_stack_keys.h"

#include "core/base/byte_reader.h"
#include "core/decode/records/stack_record.h"
#include "core/event/opcodes.h"

#include <optional>

namespace highwater::pipeline {
namespace {

using etl::RawRecord;

std::optional<std::uint64_t> definedKey(const RawRecord& definition) {
    return ByteReader(definition.payloadSpan()).takePointer(definition.pointerBytes);
}

std::optional<std::uint64_t> referredKey(const RawRecord& reference) {
    ByteReader reader(reference.payloadSpan());
    reader.skip(decode::kStackReferenceBytes);
    return reader.takePointer(reference.pointerBytes);
}

} // namespace

bool isKeyDefinition(const RawRecord& record) {
    return record.kind == RawRecord::Kind::Classic && record.group == group::kStackWalk &&
           (record.opcode == stack_opcode::kKeyCreate || record.opcode == stack_opcode::kKeyDelete ||
            record.opcode == stack_opcode::kKeyRundown);
}

/// References only follow for a key that was created. Other definitions describe earlier references.
bool CropStackKeys::define(const RawRecord& definition) {
    const auto key = definedKey(definition);
    if (!key) return false;
    if (definition.opcode == stack_opcode::kKeyCreate) {
        const auto bytes = definition.payloadSpan();
        before_[*key] = {{bytes.begin(), bytes.end()}, definition.version, definition.pointerBytes};
    } else {
        before_.erase(*key);
    }
    return awaited_.erase(*key) > 0;
}

std::optional<RawRecord> CropStackKeys::useBefore(const RawRecord& reference) {
    const auto key = referredKey(reference);
    if (!key) return std::nullopt;
    const auto known = before_.find(*key);
    if (known != before_.end()) return recordOf(known->second, reference.ticks, reference.processor);
    awaited_.insert(*key);
    used_.insert(*key); // if the next definition is after the interval
    return std::nullopt;
}

void CropStackKeys::use(const RawRecord& reference) {
    if (reference.kind == RawRecord::Kind::Classic && reference.group == group::kStackWalk) {
        if (const auto key = referredKey(reference)) used_.insert(*key);
    }
    if (reference.extendedBytes == 0) return;
    decode::ExtendedStackReader reader(reference);
    while (const auto stack = reader.next()) {
        if (stack->isKey) used_.insert(stack->key);
    }
}

bool CropStackKeys::isFirstAfter(const RawRecord& definition) {
    const auto key = definedKey(definition);
    return key && used_.contains(*key) && definedAfter_.insert(*key).second;
}

RawRecord CropStackKeys::recordOf(const Definition& definition, std::int64_t ticks, std::uint16_t processor) {
    RawRecord record;
    record.ticks = ticks;
    record.payload = definition.payload.data();
    record.payloadBytes = static_cast<std::uint32_t>(definition.payload.size());
    record.processor = processor;
    record.version = definition.version;
    record.header = definition.pointerBytes == 4 ? etl::HeaderType::PerfInfo32 : etl::HeaderType::PerfInfo64;
    record.group = group::kStackWalk;
    record.opcode = stack_opcode::kKeyCreate;
    record.pointerBytes = definition.pointerBytes;
    return record;
}

std::vector<RawRecord> CropStackKeys::used(std::int64_t ticks, std::uint16_t processor) const {
    std::vector<RawRecord> records;
    for (const auto& [key, definition] : before_) {
        if (!used_.contains(key)) continue;
        records.push_back(recordOf(definition, ticks, processor));
    }
    return records;
}

} // namespace highwater::pipeline
