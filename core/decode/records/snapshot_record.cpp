#include "core/decode/records/snapshot_record.h"

#include "core/base/byte_reader.h"

#include <algorithm>
#include <cstring>

namespace highwater::decode {

std::vector<std::byte> encodeSnapshot(const SnapshotTaken& taken) {
    const std::uint32_t fields[] = {taken.number, static_cast<std::uint32_t>(taken.origin), taken.pid};
    std::vector<std::byte> payload(sizeof(fields));
    std::memcpy(payload.data(), fields, sizeof(fields));
    return payload;
}

std::vector<std::byte> encodeLateSnapshot(const SnapshotTaken& taken, std::int64_t ticks) {
    auto payload = encodeSnapshot(taken);
    const auto end = payload.size();
    payload.resize(end + sizeof(ticks));
    std::memcpy(payload.data() + end, &ticks, sizeof(ticks));
    return payload;
}

std::optional<SnapshotRecord> decodeSnapshot(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto number = reader.take<std::uint32_t>();
    const auto origin = reader.take<std::uint32_t>();
    const auto pid = reader.take<std::uint32_t>();
    if (!number || !origin || !pid) return std::nullopt;
    // Unknown ones stay unknown: the store leaves the snapshot out and counts it.
    const auto known = std::min(*origin, static_cast<std::uint32_t>(SnapshotOrigin::Count_));
    const auto ticks = reader.take<std::int64_t>();
    const bool isLate = ticks.has_value();
    return SnapshotRecord{{*number, {}, *pid, static_cast<SnapshotOrigin>(known), false, isLate},
                          ticks.value_or(record.ticks)};
}

} // namespace highwater::decode
