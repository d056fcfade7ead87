#include "core/decode/records/image_record.h"

#include "core/decode/records/record_fields.h"
#include "core/event/opcodes.h"

namespace highwater::decode {
namespace {

Occasion imageOccasion(std::uint8_t opcode) {
    switch (opcode) {
    case image_opcode::kUnload:
        return Occasion::End;
    case image_opcode::kRundownStart:
        return Occasion::RundownStart;
    case image_opcode::kRundownEnd:
        return Occasion::RundownEnd;
    default:
        return Occasion::Start;
    }
}

} // namespace

// v0: Base P, Size P, name | v1: + pid u32 before the name
// v2, v3: Base P, Size P, pid, CheckSum, TimeDateStamp, u32, DefaultBase P, 4 x u32, name
std::optional<ImageEvent> decodeImage(const etl::RawRecord& record) {
    const RecordFields fields(record);
    const unsigned pointers = record.version >= 2 ? 3 : 2;
    const unsigned bytes = record.version == 0 ? 0 : record.version == 1 ? 4 : 32;
    if (!fields.holds(pointers, bytes)) return std::nullopt;
    ImageEvent event;
    event.occasion = imageOccasion(record.opcode);
    event.base = fields.pointerAt(0);
    event.size = fields.pointerAt(1);
    event.pid = record.version == 0 ? record.pid : fields.u32At(2);
    if (record.version >= 2) event.timeDateStamp = fields.u32At(2, 8);
    event.path = ByteReader(fields.rest(pointers, bytes)).takeUtf16();
    return event;
}

} // namespace highwater::decode
