#include "core/decode/records/missing_record.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "core/event/opcodes.h"

#include <cstring>

namespace highwater::decode {
namespace {

constexpr std::uint32_t kEndFlag = 1;

template <typename T>
void putField(std::vector<std::byte>& payload, const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    payload.insert(payload.end(), bytes, bytes + sizeof(value));
}

} // namespace

std::vector<std::byte> encodeMissing(const MissingPart& part) {
    std::vector<std::byte> payload;
    putField(payload, part.firstTicks);
    putField(payload, part.lastTicks);
    putField(payload, part.events);
    putField(payload, part.isEnd ? kEndFlag : std::uint32_t{0});
    for (const char letter : startOfText(part.reason, kMostReasonBytes))
        putField(payload, letter);
    putField(payload, '\0');
    return payload;
}

std::optional<MissingPart> decodeMissing(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto first = reader.take<std::int64_t>();
    const auto last = reader.take<std::int64_t>();
    const auto events = reader.take<std::uint64_t>();
    const auto flags = reader.take<std::uint32_t>();
    if (!first || !last || !events || !flags) return std::nullopt;
    const auto reason = reader.takeNarrow();
    return MissingPart{*first, *last, *events, (*flags & kEndFlag) != 0,
                       std::string(startOfText(reason, kMostReasonBytes))};
}

bool isMissingRecord(const etl::RawRecord& record) {
    return record.kind == etl::RawRecord::Kind::Provider && record.opcode == highwater_opcode::kMissing &&
           record.providerGuid() == kHighwaterProvider;
}

etl::RawRecord missingRecord(std::int64_t ticks, std::uint16_t processor, ByteSpan payload) {
    etl::RawRecord record;
    record.kind = etl::RawRecord::Kind::Provider;
    record.header = etl::HeaderType::Full64;
    record.provider = reinterpret_cast<const std::byte*>(&kHighwaterProvider);
    record.opcode = highwater_opcode::kMissing;
    record.pid = record.tid = 0;
    record.processor = processor;
    record.ticks = ticks;
    record.payload = payload.data();
    record.payloadBytes = static_cast<std::uint32_t>(payload.size());
    return record;
}

} // namespace highwater::decode
