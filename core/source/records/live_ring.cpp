#include "core/source/records/live_ring.h"

#include <algorithm>
#include <cstring>

namespace highwater::source {

/// Header of an entry. Entries are never split; the rest at the end of the memory becomes a filler.
struct LiveRing::Entry {
    std::uint32_t bytes = 0; ///< size of the whole entry, a multiple of 8
    std::uint32_t payloadBytes = 0;
    std::int64_t ticks = 0;
    std::uint32_t pid = 0;
    std::uint32_t tid = 0;
    std::uint16_t processor = 0;
    std::uint16_t version = 0;
    etl::HeaderType header{};
    std::uint8_t group = 0;
    std::uint8_t opcode = 0;
    std::uint8_t shape = 0; ///< pointer size and kOfProvider; 0: a filler
};

/// Follows the Entry of a provider record; then come its payload and its extended items.
struct LiveRing::ProviderPart {
    const std::byte* provider = nullptr;
    std::uint32_t extendedBytes = 0;
    std::uint16_t eventId = 0;
    std::uint16_t padding = 0;
};

namespace {

constexpr std::size_t kAlign = 8;
/// Larger than any record of event tracing.
constexpr std::size_t kMostPayloadBytes = 0xFFFF;

constexpr std::uint8_t kOfProvider = 0x80;

std::size_t aligned(std::size_t bytes) { return (bytes + kAlign - 1) & ~(kAlign - 1); }

} // namespace

LiveRing::LiveRing(std::size_t bytes) : size_(bytes), memory_(std::make_unique_for_overwrite<std::byte[]>(bytes)) {}

bool LiveRing::put(const etl::RawRecord& record) {
    const bool isOfProvider = record.kind != etl::RawRecord::Kind::Classic;
    const auto extendedBytes = isOfProvider ? record.extendedBytes : 0;
    const auto bytes = sizeof(Entry) + (isOfProvider ? sizeof(ProviderPart) : 0) + aligned(record.payloadBytes) +
                       aligned(extendedBytes);
    const auto begin = writePosition_.load(std::memory_order_relaxed);
    const auto untilEnd = size_ - (begin & (size_ - 1));
    const auto filler = untilEnd < bytes ? untilEnd : 0;
    const auto fits = [&] { return begin + filler + bytes - knownReadPosition_ <= size_; };
    if (!fits()) knownReadPosition_ = readPosition_.load(std::memory_order_acquire);
    if (!fits() || record.payloadBytes > kMostPayloadBytes || extendedBytes > kMostPayloadBytes) {
        dropped_.fetch_add(1, std::memory_order_relaxed);
        return false;
    }
    if (filler >= sizeof(Entry)) {
        const Entry nothing;
        std::memcpy(at(begin), &nothing, sizeof(nothing));
    } // a shorter rest is recognized as a filler by its size
    Entry entry;
    entry.bytes = static_cast<std::uint32_t>(bytes);
    entry.payloadBytes = record.payloadBytes;
    entry.ticks = record.ticks;
    entry.pid = record.pid;
    entry.tid = record.tid;
    entry.processor = record.processor;
    entry.version = record.version;
    entry.header = record.header;
    entry.group = record.group;
    entry.opcode = record.opcode;
    entry.shape = static_cast<std::uint8_t>(record.pointerBytes | (isOfProvider ? kOfProvider : 0));
    auto* to = at(begin + filler);
    std::memcpy(to, &entry, sizeof(entry));
    to += sizeof(entry);
    if (isOfProvider) {
        const ProviderPart part{record.provider, extendedBytes, record.eventId};
        std::memcpy(to, &part, sizeof(part));
        to += sizeof(part);
        if (extendedBytes > 0) std::memcpy(to + aligned(record.payloadBytes), record.extended, extendedBytes);
    }
    if (record.payloadBytes > 0) std::memcpy(to, record.payload, record.payloadBytes);
    const auto newest = newestTicks_.load(std::memory_order_relaxed);
    const auto isFirst = accepted_.load(std::memory_order_relaxed) == 0;
    newestTicks_.store(isFirst ? record.ticks : std::max(newest, record.ticks), std::memory_order_relaxed);
    writePosition_.store(begin + filler + bytes, std::memory_order_release);
    accepted_.fetch_add(1, std::memory_order_release);
    return true;
}

/// Skips the rest at the end of the memory; false: the ring is empty.
bool LiveRing::skipFiller() {
    for (;;) {
        const auto position = readPosition_.load(std::memory_order_relaxed);
        if (position == knownWritePosition_) {
            knownWritePosition_ = writePosition_.load(std::memory_order_acquire);
            if (position == knownWritePosition_) return false;
        }
        const auto untilEnd = size_ - (position & (size_ - 1));
        if (untilEnd >= sizeof(Entry)) {
            Entry entry;
            std::memcpy(&entry, at(position), sizeof(entry));
            if (entry.shape != 0) return true;
        }
        readPosition_.store(position + untilEnd, std::memory_order_release);
    }
}

std::optional<std::int64_t> LiveRing::headTicks() {
    if (!skipFiller()) return std::nullopt;
    Entry entry;
    std::memcpy(&entry, at(readPosition_.load(std::memory_order_relaxed)), sizeof(entry));
    return entry.ticks;
}

etl::RawRecord LiveRing::head() const {
    const auto* from = at(readPosition_.load(std::memory_order_relaxed));
    Entry entry;
    std::memcpy(&entry, from, sizeof(entry));
    from += sizeof(entry);
    etl::RawRecord record;
    if ((entry.shape & kOfProvider) != 0) {
        ProviderPart part;
        std::memcpy(&part, from, sizeof(part));
        from += sizeof(part);
        record.kind = etl::RawRecord::Kind::Provider;
        record.provider = part.provider;
        record.eventId = part.eventId;
        record.extendedBytes = part.extendedBytes;
        if (part.extendedBytes > 0) record.extended = from + aligned(entry.payloadBytes);
    }
    record.ticks = entry.ticks;
    record.payload = from;
    record.payloadBytes = entry.payloadBytes;
    record.pid = entry.pid;
    record.tid = entry.tid;
    record.processor = entry.processor;
    record.version = entry.version;
    record.header = entry.header;
    record.group = entry.group;
    record.opcode = entry.opcode;
    record.pointerBytes = static_cast<std::uint8_t>(entry.shape & ~kOfProvider);
    return record;
}

void LiveRing::pop() {
    const auto position = readPosition_.load(std::memory_order_relaxed);
    Entry entry;
    std::memcpy(&entry, at(position), sizeof(entry));
    readPosition_.store(position + entry.bytes, std::memory_order_release);
}

std::optional<std::int64_t> LiveRing::newestTicks() const {
    if (accepted() == 0) return std::nullopt;
    return newestTicks_.load(std::memory_order_relaxed);
}

std::size_t LiveRing::bytesUsed() const {
    const auto read = readPosition_.load(std::memory_order_relaxed);
    const auto write = writePosition_.load(std::memory_order_acquire);
    return write > read ? static_cast<std::size_t>(write - read) : 0;
}

} // namespace highwater::source
