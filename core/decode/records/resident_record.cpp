#include "core/decode/records/resident_record.h"

#include "core/base/byte_reader.h"
#include "core/base/varint.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace highwater::decode {
namespace {

constexpr std::size_t kHeaderBytes = 4 * sizeof(std::uint32_t);
constexpr std::size_t kMostBytesOfPart = kMostResidentPartBytes - kHeaderBytes;
constexpr std::uint32_t kMostParts = kMostResidentSampleBytes / kMostBytesOfPart + 1;

void putCounted(std::string& out, std::string_view text) {
    putVarint(out, text.size());
    out += text;
}

std::string coded(const ResidentSample& sample) {
    std::string out;
    putVarint(out, sample.names.size());
    for (const auto& name : sample.names)
        putCounted(out, name);
    putVarint(out, sample.mappings.size());
    Address reached = 0;
    for (const auto& mapping : sample.mappings) {
        putVarint(out, (mapping.begin - reached) / kResidentPageBytes);
        putVarint(out, (mapping.end - mapping.begin) / kResidentPageBytes);
        putVarint(out, mapping.resident / kResidentPageBytes);
        putVarint(out, mapping.proportional);
        putVarint(out, mapping.privateDirty / kResidentPageBytes);
        putVarint(out, mapping.swapped / kResidentPageBytes);
        putVarint(out, mapping.flags);
        putVarint(out, mapping.name);
        putCounted(out, mapping.pages.coded());
        reached = mapping.end;
    }
    return out;
}

void putWord(std::vector<std::byte>& out, std::uint32_t word) {
    const auto at = out.size();
    out.resize(at + sizeof(word));
    std::memcpy(out.data() + at, &word, sizeof(word));
}

/// Reads the bytes of a sample from a file. After the first invalid number, everything is 0.
class SampleReader {
  public:
    explicit SampleReader(std::string_view bytes) : left_(bytes) {}

    /// Null if the bytes are not a sample.
    [[nodiscard]] SharedResidentSample read(std::uint32_t pid, TraceTime time) {
        auto sample = std::make_shared<ResidentSample>();
        sample->pid = pid;
        sample->time = time;
        readNames(*sample);
        readMappings(*sample);
        if (!isRight_ || !left_.empty() || !isValid(*sample)) return nullptr;
        return sample;
    }

  private:
    std::uint64_t number() {
        const auto number = takeVarint(left_);
        return number ? *number : fail();
    }
    std::uint64_t fail() {
        isRight_ = false;
        left_ = {};
        return 0;
    }
    std::string_view text() {
        const auto bytes = number();
        if (bytes > left_.size()) return fail(), std::string_view();
        const auto text = left_.substr(0, bytes);
        left_.remove_prefix(bytes);
        return text;
    }
    std::uint32_t word() {
        const auto wide = number();
        return static_cast<std::uint32_t>(wide <= 0xFFFFFFFFu ? wide : fail());
    }
    std::uint64_t pages() {
        const auto count = number();
        constexpr auto kMostPages = ~std::uint64_t{0} / kResidentPageBytes;
        return (count <= kMostPages ? count : fail()) * kResidentPageBytes;
    }
    /// The memory that a sample needs is limited, not only its bytes in the file.
    bool takesMemory(std::uint64_t count, std::size_t bytesOfOne) {
        if (count <= memory_ / bytesOfOne && count <= left_.size()) {
            memory_ -= count * bytesOfOne;
            return true;
        }
        return fail() != 0;
    }
    void readNames(ResidentSample& sample) {
        const auto count = number();
        if (!takesMemory(count, sizeof(std::string))) return;
        sample.names.reserve(count);
        for (std::uint64_t i = 0; i < count && isRight_; ++i) {
            const auto name = text();
            sample.names.push_back(ByteReader(std::as_bytes(std::span(name))).takeNarrow());
        }
    }
    void readMappings(ResidentSample& sample) {
        const auto count = number();
        if (!takesMemory(count, sizeof(Mapping))) return;
        sample.mappings.reserve(count);
        Address reached = 0;
        for (std::uint64_t i = 0; i < count && isRight_; ++i)
            reached = readMapping(sample.mappings.emplace_back(), reached);
    }
    Address readMapping(Mapping& mapping, Address reached) {
        if (__builtin_add_overflow(reached, pages(), &mapping.begin)) fail();
        if (__builtin_add_overflow(mapping.begin, pages(), &mapping.end)) fail();
        mapping.resident = pages();
        mapping.proportional = number();
        mapping.privateDirty = pages();
        mapping.swapped = pages();
        mapping.flags = word();
        mapping.name = word();
        mapping.pages = ResidentRuns::fromCoded(text());
        return mapping.end;
    }

    std::string_view left_;
    std::size_t memory_ = kMostResidentSampleBytes;
    bool isRight_ = true;
};

/// The fixed fields of a payload.
struct Header {
    std::uint32_t pid = 0, number = 0, part = 0, parts = 0;
};

std::optional<Header> headerOf(ByteReader& reader) {
    const auto pid = reader.take<std::uint32_t>();
    const auto number = reader.take<std::uint32_t>();
    const auto part = reader.take<std::uint32_t>();
    const auto parts = reader.take<std::uint32_t>();
    if (!pid || !number || !part || !parts || *part >= *parts || *parts > kMostParts) return std::nullopt;
    return Header{*pid, *number, *part, *parts};
}

} // namespace

std::vector<std::vector<std::byte>> encodeResidentSample(const ResidentSample& sample, std::uint32_t number) {
    if (!isValid(sample) || sample.bytes() > kMostResidentSampleBytes) return {};
    const auto bytes = coded(sample);
    const auto parts = static_cast<std::uint32_t>((bytes.size() + kMostBytesOfPart - 1) / kMostBytesOfPart);
    std::vector<std::vector<std::byte>> payloads(parts);
    for (std::uint32_t part = 0; part < parts; ++part) {
        auto& payload = payloads[part];
        const auto piece = std::string_view(bytes).substr(part * kMostBytesOfPart, kMostBytesOfPart);
        payload.reserve(kHeaderBytes + piece.size());
        for (const auto word : {sample.pid, number, part, parts})
            putWord(payload, word);
        const auto* from = reinterpret_cast<const std::byte*>(piece.data());
        payload.insert(payload.end(), from, from + piece.size());
    }
    return payloads;
}

ResidentParts::Outcome ResidentParts::take(const etl::RawRecord& record, TraceTime time) {
    ByteReader reader(record.payloadSpan());
    const auto header = headerOf(reader);
    const auto key = header ? std::optional(Key{time, header->pid, header->number}) : std::nullopt;
    const bool isNext = open_ && open_ == key && header->part == next_ && header->parts == parts_;
    Outcome outcome{nullptr, isNext ? 0 : finish()};
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
    outcome.sample = SampleReader(bytes_).read(header->pid, time);
    outcome.dropped += outcome.sample ? 0 : 1;
    (void)finish();
    return outcome;
}

std::uint32_t ResidentParts::finish() {
    const bool wasOpen = open_.has_value();
    if (wasOpen) closed_ = std::exchange(open_, std::nullopt);
    next_ = 0;
    bytes_.clear();
    bytes_.shrink_to_fit();
    return wasOpen ? 1 : 0;
}

} // namespace highwater::decode
