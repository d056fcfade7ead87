#include "core/agent_linux/call_frame_entry.h"
#include "core/agent_linux/call_frame_rules.h"

#include <dlfcn.h>

#include <cstring>

// In glibc since 2.35, lock-free and safe in signal handlers. Weak: with an older glibc every stack has one frame.
extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept __attribute__((weak));

namespace highwater::agent {

namespace {

/// Looks up the address in the sorted table of .eh_frame_hdr; null: not found.
const std::uint8_t* findEntry(const std::uint8_t* header, std::uint64_t place) {
    const auto base = reinterpret_cast<std::uint64_t>(header);
    FrameBytes reader(header, header + 64);
    const std::uint64_t encodings = reader.take(4);                           // version, pointer, count, table
    if ((encodings & 0xFF) != 1 || (encodings >> 24) != 0x3B) return nullptr; // linkers create no other encodings
    static_cast<void>(reader.takePointer(static_cast<std::uint8_t>(encodings >> 8), base));
    const std::uint64_t count = reader.takePointer(static_cast<std::uint8_t>(encodings >> 16), base);
    struct Row {
        std::int32_t start, entry;
    };
    const auto* rows = reinterpret_cast<const Row*>(reader.at());
    std::uint64_t low = 0;
    for (std::uint64_t high = count; low < high;) {
        const std::uint64_t middle = (low + high) / 2;
        if (base + static_cast<std::uint64_t>(std::int64_t{rows[middle].start}) <= place)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 ? nullptr : header + rows[low - 1].entry;
}

FrameBytes bodyOf(const std::uint8_t* entry) {
    std::uint32_t bytes = 0;
    std::memcpy(&bytes, entry, 4);
    return {entry + 4, entry + 4 + (bytes == 0xFFFFFFFFu ? 0 : bytes)};
}

bool readEntry(const std::uint8_t* at, FrameEntry& entry) {
    FrameBytes body = bodyOf(at);
    const std::uint8_t* place = body.at();
    const std::uint64_t back = body.take(4);
    return back != 0 && readCommonEntry(bodyOf(place - back), entry) && readFunctionEntry(body, entry);
}

} // namespace

FrameRule readFrameRule(std::uint64_t place) {
    const FrameRule guess{FrameRule::Kind::Guess, 0, 0};
    dl_find_object found{};
    if (_dl_find_object == nullptr || _dl_find_object(reinterpret_cast<void*>(place), &found) != 0 ||
        found.dlfo_eh_frame == nullptr)
        return guess;
    const std::uint8_t* at = findEntry(static_cast<const std::uint8_t*>(found.dlfo_eh_frame), place);
    FrameEntry entry;
    if (at == nullptr || !readEntry(at, entry) || place - entry.start >= entry.bytes) return guess;
    FrameRow row;
    return frameRuleAt(entry, place, row);
}

} // namespace highwater::agent
