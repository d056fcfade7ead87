#include "core/decode/records/retained_range_record.h"

#include "core/base/byte_reader.h"

#include <cstring>

namespace highwater::decode {

std::vector<std::byte> encodeRetainedRange(const RetainedRange& window, std::int64_t startTicks) {
    const std::uint64_t fields[] = {static_cast<std::uint64_t>(startTicks), window.heap.rows, window.heap.bytes,
                                    window.virtualAlloc.rows, window.virtualAlloc.bytes};
    std::vector<std::byte> payload(sizeof(fields));
    std::memcpy(payload.data(), fields, sizeof(fields));
    return payload;
}

std::optional<RetainedRange> decodeRetainedRange(const etl::RawRecord& record, const Clock& clock) {
    ByteReader reader(record.payloadSpan());
    std::uint64_t fields[5];
    for (auto& field : fields) {
        const auto value = reader.take<std::uint64_t>();
        if (!value) return std::nullopt;
        field = *value;
    }
    RetainedRange window;
    window.start = clock.toTime(static_cast<std::int64_t>(fields[0]));
    window.heap = {fields[1], fields[2]};
    window.virtualAlloc = {fields[3], fields[4]};
    return window;
}

} // namespace highwater::decode
