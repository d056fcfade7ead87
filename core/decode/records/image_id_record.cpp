#include "core/decode/records/image_id_record.h"

#include "core/decode/records/record_fields.h"

namespace highwater::decode {

// Base P | ImageSize P | pid u32 | TimeDateStamp u32 | OriginalFileName UTF-16Z
std::optional<ImageIdentityEvent> decodeImageIdImage(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(2, 8)) return std::nullopt;
    ImageIdentityEvent event;
    event.base = fields.pointerAt(0);
    event.identity.imageSize = static_cast<std::uint32_t>(fields.pointerAt(1));
    event.pid = fields.u32At(2);
    event.identity.timeDateStamp = fields.u32At(2, 4);
    return event;
}

// Base P | pid u32 | GUID | Age u32 | PdbName 8-bit Z
std::optional<ImageIdentityEvent> decodeImageIdRsds(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(1, 24)) return std::nullopt;
    ImageIdentityEvent event;
    event.base = fields.pointerAt(0);
    event.pid = fields.u32At(1);
    event.identity.pdbGuid = fields.valueAt<Guid>(1, 4);
    event.identity.pdbAge = fields.u32At(1, 20);
    event.identity.pdbName = ByteReader(fields.rest(1, 24)).takeNarrow();
    return event;
}

} // namespace highwater::decode
