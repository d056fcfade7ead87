#include "core/source/profiles/packed_stream.h"

#include "core/base/marked_text.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace highwater::source {
namespace {

class PlainStream final : public PackedStream {
  public:
    explicit PlainStream(ByteSpan file) : file_(file) {}

    std::size_t read(std::span<std::byte> room) override {
        const auto count = std::min(room.size(), file_.size() - at_);
        if (count > 0) std::memcpy(room.data(), file_.data() + at_, count);
        at_ += count;
        return count;
    }
    [[nodiscard]] std::size_t bytesUsed() const override { return at_; }

  private:
    ByteSpan file_;
    std::size_t at_ = 0;
};

/// Supports concatenated members, like gzip itself.
class GzipStream final : public PackedStream {
  public:
    explicit GzipStream(ByteSpan file) : file_(file) {
        constexpr int kWithGzipHeader = 16;
        isOpen_ = inflateInit2(&stream_, MAX_WBITS + kWithGzipHeader) == Z_OK;
        isBroken_ = !isOpen_;
    }
    ~GzipStream() override {
        if (isOpen_) inflateEnd(&stream_);
    }
    GzipStream(const GzipStream&) = delete;
    GzipStream& operator=(const GzipStream&) = delete;

    std::size_t read(std::span<std::byte> room) override {
        constexpr std::size_t kMost = std::numeric_limits<uInt>::max();
        stream_.next_out = reinterpret_cast<Bytef*>(room.data());
        stream_.avail_out = static_cast<uInt>(std::min(room.size(), kMost));
        const auto whole = stream_.avail_out;
        while (stream_.avail_out > 0 && !isBroken_ && !isAtEnd_)
            step();
        return whole - stream_.avail_out;
    }
    [[nodiscard]] std::size_t bytesUsed() const override { return at_; }
    [[nodiscard]] bool isBroken() const override { return isBroken_; }

  private:
    void step() {
        const auto left = std::min<std::size_t>(file_.size() - at_, std::numeric_limits<uInt>::max());
        stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(file_.data() + at_));
        stream_.avail_in = static_cast<uInt>(left);
        const auto done = inflate(&stream_, Z_NO_FLUSH);
        at_ += left - stream_.avail_in;
        if (done == Z_STREAM_END) {
            isAtEnd_ = !isGzip(file_.subspan(at_)); // padding after it is not a member
            if (!isAtEnd_) isBroken_ = inflateReset(&stream_) != Z_OK;
        } else if (done != Z_OK) {
            isBroken_ = true; // Z_BUF_ERROR: no more data
        }
    }

    ByteSpan file_;
    z_stream stream_{};
    std::size_t at_ = 0;
    bool isOpen_ = false;
    bool isBroken_ = false;
    bool isAtEnd_ = false;
};

/// Reads until the buffer is full or the stream ends; returns the number of bytes.
std::size_t readAll(PackedStream& stream, std::span<std::byte> room) {
    std::size_t filled = 0;
    while (filled < room.size()) {
        const auto count = stream.read(room.subspan(filled));
        if (count == 0) break;
        filled += count;
    }
    return filled;
}

/// Converts UTF-16 text to UTF-8.
class Utf16Stream final : public PackedStream {
  public:
    Utf16Stream(std::unique_ptr<PackedStream> stream, TextMark mark) : stream_(std::move(stream)), mark_(mark) {}

    std::size_t read(std::span<std::byte> room) override {
        while (at_ == text_.size() && !isAtEnd_)
            fill();
        const auto count = std::min(room.size(), text_.size() - at_);
        if (count > 0) std::memcpy(room.data(), text_.data() + at_, count);
        at_ += count;
        return count;
    }
    [[nodiscard]] std::size_t bytesUsed() const override { return stream_->bytesUsed(); }
    [[nodiscard]] bool isBroken() const override { return stream_->isBroken() || (isAtEnd_ && held_ % 2 != 0); }

  private:
    void fill() {
        const auto count = readAll(*stream_, std::span(piece_).subspan(held_));
        isAtEnd_ = count == 0;
        const auto filled = held_ + count;
        auto used = filled / 2 * 2;
        if (!isAtEnd_ && used > 0 && beginsPair(used - 2)) used -= 2; // the other half is in the next piece
        text_ = utf8OfUtf16(mark_, std::span(piece_).first(used));
        at_ = 0;
        held_ = filled - used;
        std::memmove(piece_.data(), piece_.data() + used, held_);
    }
    [[nodiscard]] bool beginsPair(std::size_t at) const {
        const auto high = piece_[at + (mark_ == TextMark::Utf16 ? 1 : 0)];
        return (high & std::byte{0xFC}) == std::byte{0xD8};
    }

    std::unique_ptr<PackedStream> stream_;
    TextMark mark_;
    std::array<std::byte, std::size_t{64} << 10> piece_{};
    std::size_t held_ = 0; ///< bytes of an incomplete character at the start of the piece
    std::string text_;
    std::size_t at_ = 0;
    bool isAtEnd_ = false;
};

bool beginsWith(ByteSpan file, std::string_view bytes) {
    return file.size() >= bytes.size() && std::memcmp(file.data(), bytes.data(), bytes.size()) == 0;
}

Result<std::unique_ptr<PackedStream>> openUnmarked(ByteSpan file, std::string_view name) {
    if (isZstd(file)) return openZstd(file, name);
    if (isGzip(file)) return std::unique_ptr<PackedStream>(std::make_unique<GzipStream>(file));
    return std::unique_ptr<PackedStream>(std::make_unique<PlainStream>(file));
}

} // namespace

bool isGzip(ByteSpan file) { return beginsWith(file, "\x1F\x8B"); }
/// A skippable frame may come first: pzstd writes one before each frame.
bool isZstd(ByteSpan file) {
    const bool isSkippable = file.size() > 3 && (file[0] & std::byte{0xF0}) == std::byte{0x50};
    return beginsWith(file, "\x28\xB5\x2F\xFD") || (isSkippable && beginsWith(file.subspan(1), "\x2A\x4D\x18"));
}

bool isPacked(ByteSpan file) { return isGzip(file) || isZstd(file); }

bool isPackedOrMarked(ByteSpan file) { return isPacked(file) || textMarkOf(file) != TextMark::None; }

Result<std::unique_ptr<PackedStream>> PackedStream::open(ByteSpan file, std::string_view name) {
    auto stream = TRY(openUnmarked(file, name));
    std::array<std::byte, 3> begin{};
    const auto mark = textMarkOf(std::span(begin).first(readAll(*stream, begin)));
    stream = TRY(openUnmarked(file, name));
    readAll(*stream, std::span(begin).first(bytesOf(mark)));
    if (isUtf16(mark)) stream = std::make_unique<Utf16Stream>(std::move(stream), mark);
    return stream;
}

} // namespace highwater::source
