#include "core/agent_linux/call_frame_entry.h"

#include <cstring>

namespace highwater::agent {

namespace {

/// Reads "rbp + offset" (preceded by the length) and the rest after it.
bool readFramePointerPlus(const std::uint8_t* expression, std::int64_t& offset, const std::uint8_t*& rest,
                          const std::uint8_t*& end) {
    FrameBytes reader(expression, expression + kFrameSlack);
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
        constexpr std::int64_t kFarthest = -(std::int64_t{1} << 31);
        if (row.framePointerOffset >= 0 || row.framePointerOffset <= kFarthest) return stop;
        rule.savedBelow = static_cast<std::int32_t>(-row.framePointerOffset);
    } else if (row.framePointer != FrameRow::Place::Same && row.framePointer != FrameRow::Place::Undefined) {
        return stop;
    }
    return rule;
}

} // namespace

bool readCommonEntry(FrameBytes body, FrameEntry& entry) {
    auto& common = entry.common;
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
        FrameBytes data = body.takePart(body.takeUleb());
        for (const char* letter = augmentation + 1; *letter != 0; ++letter) {
            if (*letter == 'R') common.pointerEncoding = static_cast<std::uint8_t>(data.take(1));
            if (*letter == 'S') common.isSignalFrame = true;
            if (*letter == 'L') data.skip(1);
            if (*letter == 'P') {
                const auto encoding = static_cast<std::uint8_t>(data.take(1));
                static_cast<void>(data.takePointer(encoding, 0));
            }
        }
    } else if (*augmentation != 0) {
        return false;
    }
    return runFrameProgram(body, common, 0, ~std::uint64_t{0}, FrameRow{}, entry.initial);
}

bool readFunctionEntry(FrameBytes body, FrameEntry& entry) {
    entry.start = body.takePointer(entry.common.pointerEncoding, 0);
    entry.bytes = body.takePointer(entry.common.pointerEncoding & 0x0F, 0);
    if (entry.common.hasAugmentation) body.skip(body.takeUleb());
    entry.program = body;
    return true;
}

FrameRule frameRuleAt(const FrameEntry& entry, std::uint64_t place, FrameRow& row) {
    if (entry.common.isSignalFrame) return {FrameRule::Kind::SignalFrame, 0, 0};
    row = entry.initial;
    if (!runFrameProgram(entry.program, entry.common, entry.start, place, entry.initial, row))
        return {FrameRule::Kind::Stop, 0, 0};
    return ruleOf(row);
}

} // namespace highwater::agent
