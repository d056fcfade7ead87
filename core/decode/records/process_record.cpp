#include "core/decode/records/process_record.h"

#include "core/decode/records/record_fields.h"
#include "core/event/opcodes.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace highwater::decode {
namespace {

/// The start of the SID: after (pointers, bytes). Everything before it is fixed.
struct FixedPart {
    unsigned pointers;
    unsigned bytes;
};

// v0: pid P, parent P | v1, v2: key P, pid, parent, session, exit | v3: + DirectoryTableBase P | v4: + Flags u32
FixedPart fixedPart(std::uint16_t version) {
    switch (version) {
    case 0:
        return {2, 0};
    case 1:
    case 2:
        return {1, 16};
    case 3:
        return {2, 16};
    default:
        return {2, 20};
    }
}

// No SID: one u32 of 0. Otherwise TOKEN_USER (2 pointers), then revision u8, n u8, authority 6 bytes, n x u32.
bool skipSid(ByteReader& reader, unsigned pointerBytes) {
    const auto start = reader;
    const auto first = reader.take<std::uint32_t>();
    if (!first) return false;
    if (*first == 0) return true;
    reader = start;
    if (!reader.skip(2 * std::size_t{pointerBytes} + 1)) return false;
    const auto subAuthorities = reader.take<std::uint8_t>();
    return subAuthorities && reader.skip(6 + 4 * std::size_t{*subAuthorities});
}

void readFixedPart(const etl::RawRecord& record, const RecordFields& fields, ProcessEvent& event) {
    if (record.version == 0) {
        event.pid = static_cast<std::uint32_t>(fields.pointerAt(0));
        event.parentPid = static_cast<std::uint32_t>(fields.pointerAt(1));
        return;
    }
    event.pid = fields.u32At(1);
    event.parentPid = fields.u32At(1, 4);
    event.sessionId = fields.u32At(1, 8);
    event.exitStatus = fields.u32At(1, 12);
}

} // namespace

std::optional<ProcessEvent> decodeProcess(const etl::RawRecord& record) {
    const RecordFields fields(record);
    const auto fixed = fixedPart(record.version);
    if (!fields.holds(fixed.pointers, fixed.bytes)) return std::nullopt;
    ByteReader reader(fields.rest(fixed.pointers, fixed.bytes));
    if (!skipSid(reader, fields.pointerBytes())) return std::nullopt;
    ProcessEvent event;
    event.occasion = occasionOf(record.opcode);
    readFixedPart(record, fields, event);
    event.name = reader.takeNarrow();
    if (record.version >= 2) event.commandLine = reader.takeUtf16();
    return event;
}

std::optional<ProcessEvent> decodeProcessChange(const etl::RawRecord& record) {
    using namespace process_change;
    static constexpr std::pair<std::uint32_t, Occasion> kOccasions[] = {{kExecuted, Occasion::Executed},
                                                                        {kForked, Occasion::Forked},
                                                                        {kAttached, Occasion::Attached},
                                                                        {kNamed, Occasion::Named}};
    ByteReader reader(record.payloadSpan());
    const auto pid = reader.take<std::uint32_t>();
    const auto change = reader.take<std::uint32_t>();
    if (!pid || !change) return std::nullopt;
    const auto* known = std::ranges::find(kOccasions, *change, &std::pair<std::uint32_t, Occasion>::first);
    if (known == std::end(kOccasions)) return std::nullopt;
    ProcessEvent event;
    event.occasion = known->second;
    event.pid = *pid;
    event.name = reader.takeNarrow();
    event.commandLine = reader.takeNarrow();
    return event;
}

} // namespace highwater::decode
