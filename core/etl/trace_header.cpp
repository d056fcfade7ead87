#include "core/etl/trace_header.h"

#include "core/base/text.h"
#include "core/etl/time_zone.h"

#include <algorithm>

namespace highwater::etl {
namespace {

constexpr std::uint32_t kSystemHeaderBytes = 32;

/// Offsets that depend on the pointer size of the record: two pointers come before the time zone.
struct Places {
    explicit Places(std::uint32_t pointerBytes)
        : timeZoneAt(56 + 2 * pointerBytes),
          bootAt((timeZoneAt + kTimeZoneBytes + 7) & ~std::size_t{7}),
          namesAt(bootAt + 32) {}
    std::size_t timeZoneAt;
    std::size_t bootAt;
    std::size_t namesAt;
};

} // namespace

std::optional<TraceHeader> parseTraceHeader(const RawRecord& record) {
    if (record.kind != RawRecord::Kind::Classic || record.group != 0 || record.opcode != 0) return std::nullopt;
    const Places places(record.pointerBytes);
    const auto payload = record.payloadSpan();
    if (payload.size() < places.namesAt) return std::nullopt;
    const auto u32 = [&payload](std::size_t at) { return loadUnchecked<std::uint32_t>(payload.data() + at); };
    const auto i64 = [&payload](std::size_t at) { return loadUnchecked<std::int64_t>(payload.data() + at); };
    TraceHeader header;
    header.bufferBytes = u32(0);
    header.osMajor = std::to_integer<std::uint8_t>(payload[4]);
    header.osMinor = std::to_integer<std::uint8_t>(payload[5]);
    header.osBuild = u32(8);
    header.processors = u32(12);
    header.endFileTime = i64(16);
    header.logMode = u32(32);
    header.buffersWritten = u32(36);
    header.pointerBytes = u32(44) == 4 ? 4 : 8;
    header.eventsLost = u32(48);
    header.cpuSpeedMhz = u32(52);
    header.bootFileTime = i64(places.bootAt);
    header.performanceFrequency = i64(places.bootAt + 8);
    header.startFileTime = i64(places.bootAt + 16);
    header.biasMinutes = biasAt(payload.subspan(places.timeZoneAt).first<kTimeZoneBytes>(), header.startFileTime);
    header.clockType = u32(places.bootAt + 24);
    header.buffersLost = u32(places.bootAt + 28);
    header.ticks = record.ticks;
    ByteReader names(payload.subspan(places.namesAt));
    header.sessionName = names.takeUtf16();
    header.fileName = names.takeUtf16();
    return header;
}

std::vector<std::byte> encodeTraceHeader(const TraceHeader& header) {
    const Places places(header.pointerBytes);
    std::vector<std::byte> out(kSystemHeaderBytes + places.namesAt, std::byte{0});
    const auto put = [&out](std::size_t at, auto value) { std::memcpy(out.data() + at, &value, sizeof(value)); };
    const auto putField = [&put](std::size_t at, auto value) { put(kSystemHeaderBytes + at, value); };
    const auto type = header.pointerBytes == 4 ? HeaderType::System32 : HeaderType::System64;
    const bool compressed = (header.logMode & log_mode::kCompressed) != 0;
    put(0, std::uint32_t{0xC0000002u} | (static_cast<std::uint32_t>(type) << 16));
    put(16, header.ticks);
    putField(0, header.bufferBytes);
    putField(4, header.osMajor);
    putField(5, header.osMinor);
    putField(6, static_cast<std::uint16_t>(compressed ? 0x0002 : 0x0501)); // log format 2.0 or 1.5
    putField(8, header.osBuild);
    putField(12, header.processors);
    putField(16, header.endFileTime);
    putField(24, std::uint32_t{156250}); // timer resolution, 100 ns
    putField(32, header.logMode);
    putField(36, header.buffersWritten);
    putField(40, std::uint32_t{1}); // initial number of buffers
    putField(44, header.pointerBytes);
    putField(48, header.eventsLost);
    putField(52, header.cpuSpeedMhz);
    putField(places.timeZoneAt, header.biasMinutes);
    putField(places.bootAt, header.bootFileTime);
    putField(places.bootAt + 8, header.performanceFrequency);
    putField(places.bootAt + 16, header.startFileTime);
    putField(places.bootAt + 24, header.clockType);
    putField(places.bootAt + 28, header.buffersLost);
    appendUtf16(out, header.sessionName);
    appendUtf16(out, header.fileName);
    put(4, static_cast<std::uint16_t>(out.size()));
    return out;
}

ClockKind clockOf(const TraceHeader& header) {
    if (header.clockType == 2) return ClockKind::SystemTime;
    return header.clockType == 3 ? ClockKind::CpuCycle : ClockKind::Qpc;
}

bool hasClockFrequency(const TraceHeader& header) {
    const auto clock = clockOf(header);
    if (clock == ClockKind::SystemTime || header.performanceFrequency > 0) return true;
    return clock == ClockKind::CpuCycle && header.cpuSpeedMhz != 0;
}

std::int64_t ticksPerSecondOf(const TraceHeader& header) {
    constexpr std::int64_t kFileTimeTicksPerSecond = 10'000'000;
    switch (clockOf(header)) {
    case ClockKind::SystemTime:
        return kFileTimeTicksPerSecond;
    case ClockKind::CpuCycle:
        if (header.cpuSpeedMhz != 0) return std::int64_t{header.cpuSpeedMhz} * 1'000'000;
        break;
    case ClockKind::Qpc:
        break;
    }
    return header.performanceFrequency > 0 ? header.performanceFrequency : kFileTimeTicksPerSecond;
}

} // namespace highwater::etl
