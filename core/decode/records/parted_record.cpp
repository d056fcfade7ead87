#include "core/decode/records/parted_record.h"

#include "core/base/byte_reader.h"
#include "core/base/varint.h"

#include <cstring>
#include <span>

namespace highwater::decode {
namespace {

constexpr std::size_t kHeaderBytes = 4 * sizeof(std::uint32_t);
constexpr std::size_t kMostBytesOfPart = kMostPartBytes - kHeaderBytes;

void putWord(std::vector<std::byte>& out, std::uint32_t word) {
    const auto at = out.size();
    out.resize(at + sizeof(word));
    std::memcpy(out.data() + at, &word, sizeof(word));
}

/// The fixed fields of a payload.
struct Header {
    std::uint32_t pid = 0, number = 0, part = 0, parts = 0;
};

std::optional<Header> headerOf(ByteReader& reader, std::size_t mostBytes) {
    const auto pid = reader.take<std::uint32_t>();
    const auto number = reader.take<std::uint32_t>();
    const auto part = reader.take<std::uint32_t>();
    const auto parts = reader.take<std::uint32_t>();
    if (!pid || !number || !part || !parts || *part >= *parts || *parts > mostBytes / kMostBytesOfPart + 1)
        return std::nullopt;
    return Header{*pid, *number, *part, *parts};
}

} // namespace

std::vector<std::vector<std::byte>> encodeParts(std::uint32_t pid, std::uint32_t number, std::string_view bytes) {
    const auto parts = static_cast<std::uint32_t>((bytes.size() + kMostBytesOfPart - 1) / kMostBytesOfPart);
    std::vector<std::vector<std::byte>> payloads(parts);
    for (std::uint32_t part = 0; part < parts; ++part) {
        auto& payload = payloads[part];
        const auto piece = bytes.substr(part * kMostBytesOfPart, kMostBytesOfPart);
        payload.reserve(kHeaderBytes + piece.size());
        for (const auto word : {pid, number, part, parts})
            putWord(payload, word);
        const auto* from = reinterpret_cast<const std::byte*>(piece.data());
        payload.insert(payload.end(), from, from + piece.size());
    }
    return payloads;
}

RecordParts::Outcome RecordParts::take(const etl::RawRecord& record, TraceTime time) {
    ByteReader reader(record.payloadSpan());
    const auto header = headerOf(reader, mostBytes_);
    const auto key = header ? std::optional(Key{time, header->pid, header->number}) : std::nullopt;
    const bool isNext = open_ && open_ == key && header->part == next_ && header->parts == parts_;
    Outcome outcome{std::nullopt, isNext ? 0 : finish()};
    if (!isNext) {
        if (key && key == closed_) return outcome;
        if (!key || header->part != 0) {
            if (outcome.dropped == 0) outcome.dropped = 1;
            closed_ = key;
            return outcome;
        }
        open_ = key;
        parts_ = header->parts;
    }
    const auto part = *reader.takeBytes(reader.remaining());
    bytes_.append(reinterpret_cast<const char*>(part.data()), part.size());
    if (++next_ < parts_) return outcome;
    outcome.whole = Whole{header->pid, std::move(bytes_)};
    (void)finish();
    return outcome;
}

std::uint32_t RecordParts::finish() {
    const bool wasOpen = open_.has_value();
    if (wasOpen) closed_ = std::exchange(open_, std::nullopt);
    next_ = 0;
    bytes_ = {};
    return wasOpen ? 1 : 0;
}

std::uint64_t CodedReader::fail() {
    isRight_ = false;
    left_ = {};
    return 0;
}

std::uint64_t CodedReader::number() {
    const auto number = takeVarint(left_);
    return number ? *number : fail();
}

std::uint32_t CodedReader::word() {
    const auto wide = number();
    return static_cast<std::uint32_t>(wide <= 0xFFFFFFFFu ? wide : fail());
}

std::uint64_t CodedReader::count(std::size_t bytesOfOne) {
    const auto count = number();
    if (count > memory_ / bytesOfOne || count > left_.size()) return fail();
    memory_ -= count * bytesOfOne;
    return count;
}

std::string_view CodedReader::text() {
    const auto bytes = number();
    if (bytes > left_.size()) return fail(), std::string_view();
    const auto text = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return text;
}

std::vector<std::string> CodedReader::names() {
    std::vector<std::string> names;
    const auto count = this->count(sizeof(std::string));
    names.reserve(count);
    for (std::uint64_t i = 0; i < count && isRight_; ++i)
        names.push_back(ByteReader(std::as_bytes(std::span(text()))).takeNarrow());
    return names;
}

void putCounted(std::string& out, std::string_view text) {
    putVarint(out, text.size());
    out += text;
}

void putNames(std::string& out, const std::vector<std::string>& names) {
    putVarint(out, names.size());
    for (const auto& name : names)
        putCounted(out, name);
}

} // namespace highwater::decode
