#include "core/etl/record_header.h"

#include "core/etl/class_guids.h"

#include <algorithm>
#include <array>
#include <utility>

namespace highwater::etl {
namespace {

/// Families of headers with the same parser.
enum class Form : std::uint8_t { None, System, PerfInfo, Full, Event, Message, Opaque };

struct Layout {
    Form form = Form::None;
    std::uint8_t timeAt = 0; ///< 0: the time is not at a fixed offset
    std::uint8_t headerBytes = 0;
    std::uint8_t pointerBytes = 8;
};

constexpr std::array<Layout, 32> makeLayouts() {
    std::array<Layout, 32> layouts{};
    const auto set = [&layouts](HeaderType type, Layout layout) { layouts[static_cast<std::size_t>(type)] = layout; };
    set(HeaderType::System32, {Form::System, 16, 32, 4});
    set(HeaderType::System64, {Form::System, 16, 32, 8});
    set(HeaderType::Compact32, {Form::System, 16, 24, 4});
    set(HeaderType::Compact64, {Form::System, 16, 24, 8});
    set(HeaderType::PerfInfo32, {Form::PerfInfo, 8, 16, 4});
    set(HeaderType::PerfInfo64, {Form::PerfInfo, 8, 16, 8});
    set(HeaderType::Full32, {Form::Full, 16, 48, 4});
    set(HeaderType::Full64, {Form::Full, 16, 48, 8});
    set(HeaderType::Instance32, {Form::Full, 16, 72, 4});
    set(HeaderType::Instance64, {Form::Full, 16, 72, 8});
    set(HeaderType::Event32, {Form::Event, 16, 80, 4});
    set(HeaderType::Event64, {Form::Event, 16, 80, 8});
    set(HeaderType::Timed, {Form::Opaque, 0, 8, 8});
    set(HeaderType::Error, {Form::Opaque, 0, 8, 8});
    set(HeaderType::Wnode, {Form::Opaque, 0, 8, 8});
    return layouts;
}
constexpr auto kLayouts = makeLayouts();
constexpr Layout kMessageLayout{Form::Message, 0, 8, 8};

constexpr std::uint32_t kFilling = 0xFFFFFFFFu;

/// Prefetch distance in memory; hardware prefetchers stop at the end of a page.
constexpr std::size_t kPrefetchBytes = 2048;
/// The same if the bytes are already in a near cache.
constexpr std::size_t kPrefetchParsedBytes = 512;

/// Any address is allowed because it is only a hint.
inline void prefetchBehind([[maybe_unused]] const std::byte* at, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__)
    __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(at) + bytes));
#endif
}

/// The layout for the first dword of a record; Form::None if there is none.
inline const Layout& layoutOf(std::uint32_t word) {
    static constexpr Layout kNone{};
    const auto flags = word >> 24;
    if ((flags & 0xC0u) == 0xC0u) return kLayouts[std::min<std::uint32_t>((word >> 16) & 0xFFu, 31)];
    return (flags & 0xD0u) == 0x90u ? kMessageLayout : kNone;
}

/// Offsets of the optional fields of a message, which follow each other; 0 if absent.
struct MessageFields {
    std::uint32_t guidAt = 0, timeAt = 0, idsAt = 0, payloadAt = 8;
};

MessageFields messageFields(std::uint16_t options) {
    MessageFields fields;
    auto& at = fields.payloadAt;
    if (options & message_option::kSequence) at += 4;
    if (options & message_option::kGuid) {
        fields.guidAt = at;
        at += 16;
    } else if (options & message_option::kComponent) {
        at += 4;
    }
    if (options & (message_option::kTime | message_option::kPerformanceTime)) {
        fields.timeAt = at;
        at += 8;
    }
    if (options & message_option::kIds) {
        fields.idsAt = at;
        at += 8;
    }
    return fields;
}

struct Measure {
    std::uint32_t bytes = 0; ///< 0 if there is no record
    std::uint32_t timeAt = 0;
};

/// Header families with their size in the second dword. A branch and not a look-up, so that the walk from record to
/// record waits for only one load because the processor predicts the branch.
inline bool hasSizeAtFour(std::uint32_t type) {
    return type <= static_cast<std::uint32_t>(HeaderType::Compact64) ||
           (type & ~1u) == static_cast<std::uint32_t>(HeaderType::PerfInfo32);
}

/// Size of the record at `at` and offset of its time; `available` is at least 8.
inline Measure measure(const std::byte* at, std::size_t available) {
    const auto start = loadUnchecked<std::uint64_t>(at);
    const auto word = static_cast<std::uint32_t>(start);
    const auto& layout = layoutOf(word);
    std::uint32_t bytes = word & 0xFFFFu;
    if ((word >> 30) == 3 && hasSizeAtFour((word >> 16) & 0xFFu)) [[likely]] {
        bytes = static_cast<std::uint32_t>(start >> 32) & 0xFFFFu;
    }
    if (layout.form == Form::None || bytes < layout.headerBytes || bytes > available) return {};
    if (layout.form != Form::Message) return {bytes, layout.timeAt};
    const auto fields = messageFields(loadUnchecked<std::uint16_t>(at + 6));
    if (fields.payloadAt > bytes) return {};
    return {bytes, fields.timeAt};
}

void setPayload(RawRecord& record, const std::byte* at, std::uint32_t payloadAt, std::uint32_t bytes) {
    record.payload = at + payloadAt;
    record.payloadBytes = bytes - payloadAt;
}

/// Counters between header and payload: bit 15 of the version = one PEBS index, bits 8-10 = number of PMC counters.
bool setSystemPayload(RawRecord& record, const std::byte* at, std::uint32_t headerBytes, std::uint32_t bytes,
                      std::uint16_t version) {
    const std::uint32_t counters = (version >> 15) + ((version >> 8) & 7u);
    const auto payloadAt = headerBytes + counters * 8;
    setPayload(record, at, std::min(payloadAt, bytes), bytes);
    return payloadAt <= bytes;
}

bool parseSystem(const std::byte* at, std::uint32_t bytes, const Layout& layout, RawRecord& record) {
    const auto version = loadUnchecked<std::uint16_t>(at);
    record.version = version & 0xFFu;
    record.opcode = loadUnchecked<std::uint8_t>(at + 6);
    record.group = loadUnchecked<std::uint8_t>(at + 7);
    if (layout.form == Form::System) {
        record.tid = loadUnchecked<std::uint32_t>(at + 8);
        record.pid = loadUnchecked<std::uint32_t>(at + 12);
    }
    return setSystemPayload(record, at, layout.headerBytes, bytes, version);
}

/// A class with a group is classic with any header form. Any other GUID is a separate provider.
void setProvider(RawRecord& record, const std::byte* guid) {
    record.provider = guid;
    const auto group = groupOfClass(loadUnchecked<Guid>(guid));
    record.kind = group ? RawRecord::Kind::Classic : RawRecord::Kind::Provider;
    record.group = group.value_or(0);
}

bool parseFull(const std::byte* at, std::uint32_t bytes, const Layout& layout, RawRecord& record) {
    record.opcode = loadUnchecked<std::uint8_t>(at + 4);
    record.version = loadUnchecked<std::uint16_t>(at + 6);
    record.tid = loadUnchecked<std::uint32_t>(at + 8);
    record.pid = loadUnchecked<std::uint32_t>(at + 12);
    setProvider(record, at + 24);
    setPayload(record, at, layout.headerBytes, bytes);
    return true;
}

bool parseEvent(const std::byte* at, std::uint32_t bytes, const Layout& layout, RawRecord& record) {
    record.tid = loadUnchecked<std::uint32_t>(at + 8);
    record.pid = loadUnchecked<std::uint32_t>(at + 12);
    record.eventId = loadUnchecked<std::uint16_t>(at + 40);
    record.version = loadUnchecked<std::uint8_t>(at + 42);
    record.opcode = loadUnchecked<std::uint8_t>(at + 45);
    setProvider(record, at + 24);
    if ((loadUnchecked<std::uint16_t>(at + 4) & event_flag::kExtended) == 0) {
        setPayload(record, at, layout.headerBytes, bytes);
        return true;
    }
    const auto itemsBytes = extendedItemsBytes({at + layout.headerBytes, bytes - layout.headerBytes});
    if (!itemsBytes) {
        setPayload(record, at, bytes, bytes);
        return false;
    }
    record.extended = at + layout.headerBytes;
    record.extendedBytes = static_cast<std::uint32_t>(*itemsBytes);
    setPayload(record, at, layout.headerBytes + record.extendedBytes, bytes);
    return true;
}

bool parseMessage(const std::byte* at, std::uint32_t bytes, RawRecord& record) {
    const auto fields = messageFields(loadUnchecked<std::uint16_t>(at + 6));
    record.kind = RawRecord::Kind::Message;
    record.eventId = loadUnchecked<std::uint16_t>(at + 4);
    if (fields.guidAt != 0) record.provider = at + fields.guidAt;
    if (fields.idsAt != 0) {
        record.tid = loadUnchecked<std::uint32_t>(at + fields.idsAt);
        record.pid = loadUnchecked<std::uint32_t>(at + fields.idsAt + 4);
    }
    setPayload(record, at, fields.payloadAt, bytes);
    return true;
}

/// Fills `record` from a measured record. False if its contents do not fit.
inline bool parse(const std::byte* at, std::uint32_t bytes, RawRecord& record) {
    const auto word = loadUnchecked<std::uint32_t>(at);
    const auto& layout = layoutOf(word);
    record.header = layout.form == Form::Message ? HeaderType::Message : static_cast<HeaderType>((word >> 16) & 0xFFu);
    record.pointerBytes = layout.pointerBytes;
    switch (layout.form) {
    case Form::System:
    case Form::PerfInfo:
        return parseSystem(at, bytes, layout, record);
    case Form::Full:
        return parseFull(at, bytes, layout, record);
    case Form::Event:
        return parseEvent(at, bytes, layout, record);
    case Form::Message:
        return parseMessage(at, bytes, record);
    case Form::Opaque:
    case Form::None:
        break;
    }
    record.kind = RawRecord::Kind::Message;
    setPayload(record, at, layout.headerBytes, bytes);
    return true;
}

} // namespace

const char* name(HeaderType type) {
    switch (type) {
    case HeaderType::System32:
        return "SYSTEM32";
    case HeaderType::System64:
        return "SYSTEM64";
    case HeaderType::Compact32:
        return "COMPACT32";
    case HeaderType::Compact64:
        return "COMPACT64";
    case HeaderType::Full32:
        return "FULL32";
    case HeaderType::Instance32:
        return "INSTANCE32";
    case HeaderType::Timed:
        return "TIMED";
    case HeaderType::Error:
        return "ERROR";
    case HeaderType::Wnode:
        return "WNODE";
    case HeaderType::Message:
        return "MESSAGE";
    case HeaderType::PerfInfo32:
        return "PERFINFO32";
    case HeaderType::PerfInfo64:
        return "PERFINFO64";
    case HeaderType::Event32:
        return "EVENT32";
    case HeaderType::Event64:
        return "EVENT64";
    case HeaderType::Full64:
        return "FULL64";
    case HeaderType::Instance64:
        return "INSTANCE64";
    }
    return "UNKNOWN";
}

std::uint32_t headerBytes(HeaderType type) {
    const auto bytes = kLayouts[static_cast<std::size_t>(type) & 31u].headerBytes;
    return bytes != 0 ? bytes : kMessageLayout.headerBytes;
}

RecordListing listRecords(ByteSpan image, std::size_t begin, std::int64_t fallbackTicks,
                          std::vector<RecordExtent>& records) {
    const auto first = records.size();
    RecordListing listing;
    std::int64_t ticks = fallbackTicks;
    std::size_t at = begin;
    while (at < image.size() && image.size() - at >= 8) {
        const auto* record = image.data() + at;
        prefetchBehind(record, kPrefetchBytes);
        if (loadUnchecked<std::uint32_t>(record) == kFilling) {
            listing.end = WalkEnd::Filling;
            break;
        }
        const auto [bytes, timeAt] = measure(record, image.size() - at);
        if (bytes == 0) {
            listing.end = WalkEnd::Damaged;
            break;
        }
        if (timeAt != 0) {
            const auto before = std::exchange(ticks, loadUnchecked<std::int64_t>(record + timeAt));
            if (listing.hasTimes) [[likely]] {
                listing.isInOrder = listing.isInOrder && ticks >= before;
            } else {
                for (auto i = first; i < records.size(); ++i)
                    records[i].ticks = ticks;
                listing.hasTimes = true;
            }
        }
        records.push_back({ticks, static_cast<std::uint32_t>(at), bytes});
        at += (bytes + 7u) & ~7u;
    }
    return listing;
}

bool hasRecordBehind(ByteSpan buffer, std::size_t end) {
    const auto at = (end + 7u) & ~std::size_t{7};
    if (at >= buffer.size() || buffer.size() - at < 8) return false;
    return loadUnchecked<std::uint32_t>(buffer.data() + at) != kFilling &&
           measure(buffer.data() + at, buffer.size() - at).bytes != 0;
}

std::optional<std::int64_t> firstTicks(ByteSpan image, std::size_t begin) {
    // Measured against more bytes than are here: the record may be truncated, its header must not be.
    for (std::size_t at = begin; at < image.size() && image.size() - at >= 24;) {
        const auto* record = image.data() + at;
        if (loadUnchecked<std::uint32_t>(record) == kFilling) break;
        const auto [bytes, timeAt] = measure(record, 0x10000);
        if (bytes == 0) break;
        if (timeAt != 0 && image.size() - at >= timeAt + 8u) return loadUnchecked<std::int64_t>(record + timeAt);
        at += (bytes + 7u) & ~7u;
    }
    return std::nullopt;
}

std::size_t parseRecords(const std::byte* image, std::span<const RecordExtent> extents, std::uint16_t processor,
                         std::vector<RawRecord>& out) {
    std::size_t odd = 0;
    for (const auto& extent : extents) {
        prefetchBehind(image + extent.offset, kPrefetchParsedBytes);
        auto& record = out.emplace_back();
        record.ticks = extent.ticks;
        record.processor = processor;
        if (!parse(image + extent.offset, extent.bytes, record)) ++odd;
    }
    return odd;
}

std::optional<RawRecord> parseRecord(ByteSpan bytes) {
    if (bytes.size() < 8) return std::nullopt;
    const auto [size, timeAt] = measure(bytes.data(), bytes.size());
    if (size == 0) return std::nullopt;
    RawRecord record;
    if (!parse(bytes.data(), size, record)) return std::nullopt;
    if (timeAt != 0) record.ticks = loadUnchecked<std::int64_t>(bytes.data() + timeAt);
    return record;
}

std::optional<std::size_t> extendedItemsBytes(ByteSpan bytes) {
    for (std::size_t at = 0; bytes.size() - at >= 8;) {
        const auto itemBytes = loadUnchecked<std::uint16_t>(bytes.data() + at);
        const auto linkage = loadUnchecked<std::uint16_t>(bytes.data() + at + 4);
        const auto dataBytes = loadUnchecked<std::uint16_t>(bytes.data() + at + 6);
        if (itemBytes < 8u + dataBytes || itemBytes > bytes.size() - at) return std::nullopt;
        at += itemBytes;
        if ((linkage & 1u) == 0) return at;
    }
    return std::nullopt;
}

} // namespace highwater::etl
