#include "core/agent_linux/call_frame_program.h"
#include "core/agent_linux/call_frame_rules.h"

#include <dlfcn.h>

#include <cstring>

// In glibc since 2.35, lock-free and safe in signal handlers. Weak: with an older glibc every stack has one frame.
extern "C" int _dl_find_object(void* address, dl_find_object* result) noexcept __attribute__((weak));

namespace highwater::agent {

namespace {

struct FrameEntry { // description of one function
    FrameCommon common;
    FrameRow initial;
    FrameBytes program{nullptr, nullptr};
    std::uint64_t start = 0;
    std::uint64_t bytes = 0;
};

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

bool readCommon(const std::uint8_t* entry, FrameCommon& common, FrameRow& initial) {
    FrameBytes body = bodyOf(entry);
    if (body.take(4) != 0) return false; // not a common entry
    const std::uint64_t version = body.take(1);
    const auto* augmentation = reinterpret_cast<const char*>(body.at());
    body.skip(std::strlen(augmentation) + 1);
    common.codeAlignment = body.takeUleb();
    common.dataAlignment = body.takeSleb();
    // The return address is in another register.
    if ((version == 1 ? body.take(1) : body.takeUleb()) != 16) return false;
    if (*augmentation == 'z') {
        common.hasAugmentation = true;
        const std::uint64_t bytes = body.takeUleb();
        FrameBytes data(body.at(), body.at() + bytes);
        for (const char* letter = augmentation + 1; *letter != 0; ++letter) {
            if (*letter == 'R') common.pointerEncoding = static_cast<std::uint8_t>(data.take(1));
            if (*letter == 'S') common.isSignalFrame = true;
            if (*letter == 'L') data.skip(1);
            if (*letter == 'P') {
                const auto encoding = static_cast<std::uint8_t>(data.take(1));
                static_cast<void>(data.takePointer(encoding, 0));
            }
        }
        body.skip(bytes);
    } else if (*augmentation != 0) {
        return false;
    }
    return runFrameProgram(body, common, 0, ~std::uint64_t{0}, FrameRow{}, initial);
}

bool readEntry(const std::uint8_t* at, FrameEntry& entry) {
    FrameBytes body = bodyOf(at);
    const std::uint8_t* place = body.at();
    const std::uint64_t back = body.take(4);
    if (back == 0 || !readCommon(place - back, entry.common, entry.initial)) return false;
    entry.start = body.takePointer(entry.common.pointerEncoding, 0);
    entry.bytes = body.takePointer(entry.common.pointerEncoding & 0x0F, 0);
    if (entry.common.hasAugmentation) body.skip(body.takeUleb());
    entry.program = body;
    return true;
}

/// Reads "rbp + offset" (preceded by the length) and the rest after it.
bool readFramePointerPlus(const std::uint8_t* expression, std::int64_t& offset, const std::uint8_t*& rest,
                          const std::uint8_t*& end) {
    FrameBytes reader(expression, expression + 16);
    const std::uint64_t bytes = reader.takeUleb();
    end = reader.at() + bytes;
    if (bytes < 2 || bytes > 12 || reader.take(1) != 0x76) return false; // DW_OP_breg6
    offset = reader.takeSleb();
    rest = reader.at();
    return true;
}

/// The rule of a function that aligned its stack: the frame address is stored next to rbp, which points to the
/// caller's.
FrameRule ruleOfAligned(const FrameRow& row) {
    FrameRule rule{FrameRule::Kind::Stop, 0, 0};
    std::int64_t frameAt = 0;
    std::int64_t savedAt = 0;
    const std::uint8_t* rest = nullptr;
    const std::uint8_t* end = nullptr;
    if (!readFramePointerPlus(row.frameExpression, frameAt, rest, end)) return rule;
    if (rest + 1 != end || *rest != 0x06) return rule; // DW_OP_deref, and nothing after it
    if (row.framePointer != FrameRow::Place::Expression) return rule;
    if (!readFramePointerPlus(row.framePointerExpression, savedAt, rest, end) || rest != end || savedAt != 0)
        return rule;
    rule.kind = FrameRule::Kind::AtFramePointer;
    rule.frameOffset = static_cast<std::int32_t>(frameAt);
    return rule;
}

FrameRule ruleOf(const FrameRow& row) {
    const FrameRule stop{FrameRule::Kind::Stop, 0, 0};
    if (row.returnAddress == FrameRow::Place::Undefined) return {FrameRule::Kind::End, 0, 0};
    if (row.returnAddress != FrameRow::Place::Offset || row.returnAddressOffset != -8) return stop;
    if (row.frameIsExpression) return ruleOfAligned(row);
    if (row.frameRegister != 7 && row.frameRegister != 6) return stop;
    FrameRule rule;
    rule.kind = row.frameRegister == 7 ? FrameRule::Kind::StackPointer : FrameRule::Kind::FramePointer;
    rule.frameOffset = static_cast<std::int32_t>(row.frameOffset);
    if (row.framePointer == FrameRow::Place::Offset) {
        if (row.framePointerOffset >= 0) return stop;
        rule.savedBelow = static_cast<std::int32_t>(-row.framePointerOffset);
    } else if (row.framePointer != FrameRow::Place::Same && row.framePointer != FrameRow::Place::Undefined) {
        return stop;
    }
    return rule;
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
    if (entry.common.isSignalFrame) return {FrameRule::Kind::SignalFrame, 0, 0};
    FrameRow row = entry.initial;
    if (!runFrameProgram(entry.program, entry.common, entry.start, place, entry.initial, row))
        return {FrameRule::Kind::Stop, 0, 0};
    return ruleOf(row);
}

} // namespace highwater::agent
