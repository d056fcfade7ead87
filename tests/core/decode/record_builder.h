#pragma once

#include "core/etl/raw_record.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace highwater::tests {

/// Builds payloads field by field, as docs/etl-format.md lists them; pointer() takes 4 or 8 bytes.
class PayloadBuilder {
  public:
    explicit PayloadBuilder(unsigned pointerBytes) : pointerBytes_(pointerBytes) {}

    template <typename T>
    PayloadBuilder& value(T v) {
        const auto* at = reinterpret_cast<const std::byte*>(&v);
        bytes_.insert(bytes_.end(), at, at + sizeof(T));
        return *this;
    }
    PayloadBuilder& u8(unsigned v) { return value(static_cast<std::uint8_t>(v)); }
    PayloadBuilder& u32(std::uint32_t v) { return value(v); }
    PayloadBuilder& u64(std::uint64_t v) { return value(v); }
    PayloadBuilder& pointer(std::uint64_t v) {
        return pointerBytes_ == 8 ? value(v) : value(static_cast<std::uint32_t>(v));
    }
    PayloadBuilder& pointers(const std::vector<std::uint64_t>& values) {
        for (auto v : values)
            pointer(v);
        return *this;
    }
    PayloadBuilder& utf16(std::string_view ascii) {
        for (char c : ascii)
            value(static_cast<std::uint16_t>(static_cast<unsigned char>(c)));
        return value(std::uint16_t{0});
    }
    PayloadBuilder& narrow(std::string_view text) {
        for (char c : text)
            u8(static_cast<unsigned char>(c));
        return u8(0);
    }
    PayloadBuilder& zeros(std::size_t count) {
        bytes_.resize(bytes_.size() + count);
        return *this;
    }
    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }
    [[nodiscard]] unsigned pointerBytes() const { return pointerBytes_; }

  private:
    unsigned pointerBytes_;
    std::vector<std::byte> bytes_;
};

/// A record that owns its payload in a block of exactly its size, so that ASan detects a read beyond it.
class TestRecord {
  public:
    TestRecord(const PayloadBuilder& payload, std::size_t payloadBytes) : payload_(new std::byte[payloadBytes]) {
        std::copy_n(payload.bytes().begin(), payloadBytes, payload_.get());
        raw.payload = payload_.get();
        raw.payloadBytes = static_cast<std::uint32_t>(payloadBytes);
        raw.pointerBytes = static_cast<std::uint8_t>(payload.pointerBytes());
    }
    explicit TestRecord(const PayloadBuilder& payload) : TestRecord(payload, payload.bytes().size()) {}

    TestRecord& as(std::uint8_t group, std::uint8_t opcode, std::uint16_t version) {
        raw.group = group;
        raw.opcode = opcode;
        raw.version = version;
        return *this;
    }
    TestRecord& by(std::uint32_t pid, std::uint32_t tid) {
        raw.pid = pid;
        raw.tid = tid;
        return *this;
    }

    etl::RawRecord raw;

  private:
    std::unique_ptr<std::byte[]> payload_;
};

/// Decodes every prefix of a record. Returns the length of the shortest one that decodes, or -1 if a longer one fails
/// again after that.
template <typename Decode>
long shortestDecodable(const PayloadBuilder& payload, std::uint16_t version, std::uint8_t opcode, Decode decode) {
    long shortest = -1;
    for (std::size_t length = 0; length <= payload.bytes().size(); ++length) {
        TestRecord record(payload, length);
        record.as(0, opcode, version);
        const bool decoded = decode(record.raw).has_value();
        if (decoded && shortest < 0) shortest = static_cast<long>(length);
        if (!decoded && shortest >= 0) return -1;
    }
    return shortest;
}

} // namespace highwater::tests
