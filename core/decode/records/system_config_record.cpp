#include "core/decode/records/system_config_record.h"

#include <algorithm>

namespace highwater::decode {

// NtPath UTF-16Z | DosPath UTF-16Z
std::optional<VolumeMappingEvent> decodeVolumeMapping(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    VolumeMappingEvent event;
    event.ntPath = reader.takeUtf16();
    if (event.ntPath.empty() || reader.remaining() < 2) return std::nullopt;
    event.dosPath = reader.takeUtf16();
    // A path without its end could be the prefix of another one and would map the wrong files.
    const auto* end = record.payload + reader.offset();
    if (loadUnchecked<std::uint16_t>(end - 2) != 0) return std::nullopt;
    return event;
}

std::optional<RecordedSystem> decodeProcessors(const etl::RawRecord& record) {
    constexpr std::size_t kNameAt = 20, kNameBytes = 256 * 2;
    constexpr std::uint32_t kMostProcessors = 0xFFFF;
    const auto payload = record.payloadSpan();
    ByteReader numbers(payload);
    if (!numbers.skip(sizeof(std::uint32_t))) return std::nullopt;
    const auto processors = numbers.take<std::uint32_t>();
    if (!processors) return std::nullopt;
    RecordedSystem system;
    if (*processors <= kMostProcessors) system.processors = *processors;
    if (payload.size() > kNameAt)
        system.computer =
            ByteReader(payload.subspan(kNameAt, std::min(kNameBytes, payload.size() - kNameAt))).takeUtf16();
    return system;
}

} // namespace highwater::decode
