#include "core/decode/records/remark_record.h"

#include "core/base/byte_reader.h"
#include "core/base/text.h"
#include "core/event/opcodes.h"

#include <string_view>

namespace highwater::decode {
namespace {

constexpr std::uint32_t kIsLocated = 2; ///< other flag: kRemarkIsBound
constexpr auto kLastEdge = static_cast<std::uint32_t>(ZoneEdge::HeaderEnd);

template <typename T>
void putValue(std::vector<std::byte>& payload, const T& value) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&value);
    payload.insert(payload.end(), bytes, bytes + sizeof(value));
}

void putText(std::vector<std::byte>& payload, std::string_view text) {
    const auto start = startOfText(text, kMostRemarkBytes);
    const auto* bytes = reinterpret_cast<const std::byte*>(start.data());
    payload.insert(payload.end(), bytes, bytes + start.size());
    payload.push_back(std::byte{0});
}

std::optional<RemarkPlace> takePlace(ByteReader& reader) {
    const auto first = reader.take<std::int64_t>();
    const auto last = reader.take<std::int64_t>();
    const auto count = reader.take<std::uint64_t>();
    const auto isCertain = reader.take<std::uint32_t>();
    const auto startEdge = reader.take<std::uint32_t>();
    const auto endEdge = reader.take<std::uint32_t>();
    if (!first || !last || !count || !isCertain || !startEdge || !endEdge) return std::nullopt;
    std::string what(startOfText(reader.takeNarrow(), kMostRemarkBytes));
    if (*startEdge > kLastEdge || *endEdge > kLastEdge || what.empty()) return std::nullopt;
    return RemarkPlace{*first,
                       *last,
                       *count,
                       *isCertain == 1,
                       static_cast<ZoneEdge>(*startEdge),
                       static_cast<ZoneEdge>(*endEdge),
                       std::move(what)};
}

} // namespace

std::vector<std::byte> encodeRemark(const Remark& remark) {
    std::vector<std::byte> payload;
    putValue(payload, (remark.isBound ? kRemarkIsBound : 0u) | (remark.place ? kIsLocated : 0u));
    putText(payload, remark.sentence);
    if (!remark.place) return payload;
    putValue(payload, remark.place->firstTicks);
    putValue(payload, remark.place->lastTicks);
    putValue(payload, remark.place->count);
    putValue(payload, std::uint32_t{remark.place->isStartCertain});
    putValue(payload, static_cast<std::uint32_t>(remark.place->startEdge));
    putValue(payload, static_cast<std::uint32_t>(remark.place->endEdge));
    putText(payload, remark.place->what);
    return payload;
}

std::optional<Remark> decodeRemark(const etl::RawRecord& record) {
    ByteReader reader(record.payloadSpan());
    const auto flags = reader.take<std::uint32_t>();
    if (!flags) return std::nullopt;
    Remark remark{std::string(startOfText(reader.takeNarrow(), kMostRemarkBytes)), (*flags & kRemarkIsBound) != 0};
    if ((*flags & kIsLocated) != 0) remark.place = takePlace(reader);
    return remark;
}

} // namespace highwater::decode
