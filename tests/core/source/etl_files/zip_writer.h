#pragma once

#include <QtGlobal>

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace highwater::tests::zip_writer {

using Bytes = std::vector<std::byte>;

inline Bytes bytesOf(const std::string& text) {
    Bytes out;
    for (char c : text)
        out.push_back(static_cast<std::byte>(c));
    return out;
}

inline Bytes deflated(const Bytes& input) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK) qFatal("zlib");
    Bytes out(deflateBound(&stream, static_cast<uLong>(input.size())));
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(input.data()));
    stream.avail_in = static_cast<uInt>(input.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    deflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

struct Part {
    std::string name;
    Bytes content;
    bool deflate = true;
    std::uint64_t claimedBytes = 0; ///< 0: the real size
    bool zip64 = false;
    std::uint16_t flags = 0;
    std::uint16_t method = 8;
};

/// Writes a zip archive, valid or not.
class ZipWriter {
  public:
    Bytes write(const std::vector<Part>& parts) {
        for (const auto& part : parts)
            add(part);
        const auto directoryAt = out_.size();
        out_.insert(out_.end(), directory_.begin(), directory_.end());
        put<std::uint32_t>(out_, 0x06054B50);
        put<std::uint32_t>(out_, 0);
        put(out_, static_cast<std::uint16_t>(parts.size()));
        put(out_, static_cast<std::uint16_t>(parts.size()));
        put(out_, static_cast<std::uint32_t>(directory_.size()));
        put(out_, static_cast<std::uint32_t>(directoryAt));
        put<std::uint16_t>(out_, 0);
        return out_;
    }

  private:
    template <typename T>
    static void put(Bytes& out, T value) {
        const auto at = out.size();
        out.resize(at + sizeof(T));
        std::memcpy(out.data() + at, &value, sizeof(T));
    }
    void add(const Part& part) {
        const auto packed = part.deflate ? deflated(part.content) : part.content;
        const auto claimed = part.claimedBytes != 0 ? part.claimedBytes : part.content.size();
        const auto checksum = static_cast<std::uint32_t>(
            crc32(0, reinterpret_cast<const Bytef*>(part.content.data()), static_cast<uInt>(part.content.size())));
        const auto at = out_.size();
        const auto describe = [&](Bytes& out) {
            put(out, std::uint16_t{20});
            put(out, part.flags);
            put(out, part.deflate ? part.method : std::uint16_t{0});
            put(out, std::uint32_t{0});
            put(out, checksum);
            put(out, static_cast<std::uint32_t>(packed.size()));
            put(out, part.zip64 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(claimed));
            put(out, static_cast<std::uint16_t>(part.name.size()));
            put(out, static_cast<std::uint16_t>(part.zip64 ? 12 : 0));
        };
        const auto name = bytesOf(part.name);
        const auto extra = [&](Bytes& out) {
            if (!part.zip64) return;
            put(out, std::uint16_t{1});
            put(out, std::uint16_t{8});
            put(out, std::uint64_t{claimed});
        };
        put<std::uint32_t>(out_, 0x04034B50);
        describe(out_);
        out_.insert(out_.end(), name.begin(), name.end());
        extra(out_);
        out_.insert(out_.end(), packed.begin(), packed.end());
        put<std::uint32_t>(directory_, 0x02014B50);
        put(directory_, std::uint16_t{20});
        describe(directory_);
        directory_.resize(directory_.size() + 10);
        put(directory_, static_cast<std::uint32_t>(at));
        directory_.insert(directory_.end(), name.begin(), name.end());
        extra(directory_);
    }

    Bytes out_;
    Bytes directory_;
};

inline Bytes zip(const std::vector<Part>& parts) { return ZipWriter().write(parts); }

} // namespace highwater::tests::zip_writer
