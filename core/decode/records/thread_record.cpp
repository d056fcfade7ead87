#include "core/decode/records/thread_record.h"

#include "core/decode/records/process_record.h"
#include "core/decode/records/record_fields.h"

namespace highwater::decode {

// pid u32 | tid u32 (v0: tid, pid) | v3: 7 pointers | SubProcessTag u32 | 4 x u8 | name UTF-16Z (new systems)
std::optional<ThreadEvent> decodeThread(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(0, 8)) return std::nullopt;
    ThreadEvent event;
    event.occasion = occasionOf(record.opcode);
    event.pid = fields.u32At(0, record.version == 0 ? 4 : 0);
    event.tid = fields.u32At(0, record.version == 0 ? 0 : 4);
    if (record.version >= 2 && fields.holds(4, 8)) {
        event.stackBase = fields.pointerAt(2, 8);
        event.stackLimit = fields.pointerAt(3, 8);
    }
    if (record.version < 3) return event;
    if (!fields.holds(7, 16)) return std::nullopt;
    event.name = ByteReader(fields.rest(7, 16)).takeUtf16();
    return event;
}

// pid u32 | tid u32 | name UTF-16Z
std::optional<ThreadEvent> decodeThreadName(const etl::RawRecord& record) {
    const RecordFields fields(record);
    if (!fields.holds(0, 8)) return std::nullopt;
    ThreadEvent event;
    event.occasion = Occasion::Named;
    event.pid = fields.u32At(0, 0);
    event.tid = fields.u32At(0, 4);
    event.name = ByteReader(fields.rest(0, 8)).takeUtf16();
    return event;
}

} // namespace highwater::decode
