#include "core/decode/records/system_config_record.h"

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

} // namespace highwater::decode
