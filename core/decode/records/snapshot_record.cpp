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

std::optional<SnapshotTaken> decodeSnapshot(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto number = reader.take<std::uint32_t>();
    const auto origin = reader.take<std::uint32_t>();
    const auto pid = reader.take<std::uint32_t>();
    if (!number || !origin || !pid) return std::nullopt;
    // One that is unknown stays so: the store leaves the snapshot out and counts it.
    const auto known = std::min(*origin, static_cast<std::uint32_t>(SnapshotOrigin::Count_));
    return SnapshotTaken{*number, {}, *pid, static_cast<SnapshotOrigin>(known), false};
}

} // namespace highwater::decode
