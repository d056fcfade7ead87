#include "core/decode/records/stack_record.h"

#include <algorithm>
#include <cstring>

namespace highwater::decode {
namespace {

bool isKernelFrame(Address frame, unsigned pointerBytes) {
    return pointerBytes == 8 ? (frame >> 63) != 0 : frame >= 0x80000000u;
}

// u16 ItemSize | u16 ExtType | u16 Linkage | u16 DataSize | DataSize bytes | padding up to ItemSize
struct ItemHeader {
    std::uint16_t itemBytes;
    std::uint16_t type;
    std::uint16_t linkage;
    std::uint16_t dataBytes;
};
static_assert(sizeof(ItemHeader) == 8);

namespace item_type {
constexpr std::uint16_t kStack32 = 5, kStack64 = 6, kStackKey32 = 17, kStackKey64 = 18;
}

// u64 MatchId | frames, or: u64 MatchId | key P
std::optional<ExtendedStack> decodeStackItem(std::uint16_t type, ByteSpan content) {
    const bool isStack = type == item_type::kStack32 || type == item_type::kStack64;
    const bool isKey = type == item_type::kStackKey32 || type == item_type::kStackKey64;
    if (!isStack && !isKey) return std::nullopt;
    ByteReader reader(content);
    ExtendedStack stack;
    stack.pointerBytes = type == item_type::kStack32 || type == item_type::kStackKey32 ? 4 : 8;
    stack.isKey = isKey;
    const auto matchId = reader.take<std::uint64_t>();
    if (!matchId) return std::nullopt;
    stack.matchId = *matchId;
    if (isStack) {
        stack.frames = content.subspan(reader.offset());
        return stack;
    }
    const auto key = reader.takePointer(stack.pointerBytes);
    if (!key) return std::nullopt;
    stack.key = *key;
    return stack;
}

} // namespace

FrameRun FrameReader::read(ByteSpan bytes, unsigned pointerBytes) {
    FrameRun run;
    run.frames = widen(bytes, pointerBytes);
    if (run.frames.empty()) return run;
    run.startsInKernel = isKernelFrame(run.frames.front(), pointerBytes);
    run.endsInUser = !isKernelFrame(run.frames.back(), pointerBytes);
    return run;
}

std::span<const Address> FrameReader::widen(ByteSpan bytes, unsigned pointerBytes) {
    const std::size_t count = bytes.size() / pointerBytes;
    if (count == 0) return {};
    if (pointerBytes == 8) {
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(Address) == 0) {
            return {reinterpret_cast<const Address*>(bytes.data()), count};
        }
        widened_.resize(std::max(widened_.size(), count));
        std::memcpy(widened_.data(), bytes.data(), count * sizeof(Address));
        return {widened_.data(), count};
    }
    widened_.resize(std::max(widened_.size(), count));
    for (std::size_t i = 0; i < count; ++i) {
        widened_[i] = loadUnchecked<std::uint32_t>(bytes.data() + 4 * i);
    }
    return {widened_.data(), count};
}

std::optional<StackReference> decodeStackReference(const etl::RawRecord& record) {
    if (record.payloadBytes < kStackReferenceBytes) return std::nullopt;
    StackReference reference;
    reference.eventTicks = loadUnchecked<std::int64_t>(record.payload);
    reference.pid = loadUnchecked<std::uint32_t>(record.payload + 8);
    reference.tid = ThreadId{loadUnchecked<std::uint32_t>(record.payload + 12)};
    reference.recordTicks = record.ticks;
    reference.processor = record.processor;
    return reference;
}

std::optional<ExtendedStack> ExtendedStackReader::next() {
    while (items_.size() >= sizeof(ItemHeader)) {
        const auto header = loadUnchecked<ItemHeader>(items_.data());
        if (header.itemBytes < sizeof(ItemHeader) || header.itemBytes > items_.size()) break;
        const auto room = static_cast<std::size_t>(header.itemBytes) - sizeof(ItemHeader);
        const auto content = items_.subspan(sizeof(ItemHeader), std::min<std::size_t>(room, header.dataBytes));
        items_ = (header.linkage & 1) != 0 ? items_.subspan(header.itemBytes) : ByteSpan{};
        if (auto stack = decodeStackItem(header.type, content)) return stack;
    }
    items_ = {};
    return std::nullopt;
}

} // namespace highwater::decode
