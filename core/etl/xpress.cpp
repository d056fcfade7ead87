#include "core/etl/xpress.h"

#include <algorithm>
#include <array>
#include <bit>

namespace highwater::etl {
namespace {

constexpr std::size_t kWindowBytes = 8192;
constexpr std::size_t kMinMatchBytes = 3;
/// The longer nothing repeats, the larger the search steps.
constexpr unsigned kPatienceBits = 5;
constexpr std::size_t kSlackBytes = 32; ///< maximum number of bytes that fast copies may write past their end

/// Copies in steps of 16 bytes; may read and write up to 15 extra bytes.
inline void copyWild(std::byte* to, const std::byte* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; i += 16)
        std::memcpy(to + i, from + i, 16);
}

/// Copies a match that may overlap its own output; may write up to 15 extra bytes.
inline void copyMatchWild(std::byte* to, std::size_t distance, std::size_t bytes) {
    if (distance >= 16) {
        copyWild(to, to - distance, bytes);
        return;
    }
    if (distance == 1) {
        std::memset(to, std::to_integer<int>(to[-1]), bytes);
        return;
    }
    // For a short period, each copied period doubles the distance that can safely be copied at once.
    while (distance < 8) {
        const auto period = loadUnchecked<std::uint64_t>(to - distance);
        std::memcpy(to, &period, 8);
        if (bytes <= distance) return;
        to += distance;
        bytes -= distance;
        distance *= 2;
    }
    for (std::size_t i = 0; i < bytes; i += 8)
        std::memcpy(to + i, to + i - distance, 8);
}

class Decoder {
  public:
    Decoder(ByteSpan input, std::span<std::byte> output)
        : in_(input.data()),
          inEnd_(in_ + input.size()),
          begin_(output.data()),
          out_(begin_),
          outEnd_(begin_ + output.size()) {}

    Expansion run() {
        while (out_ < outEnd_ && inLeft() >= 4) {
            const auto flags = loadUnchecked<std::uint32_t>(in_);
            in_ += 4;
            if (!expandGroup(flags)) break;
        }
        return {static_cast<std::size_t>(out_ - begin_), inLeft(), damaged_};
    }

  private:
    [[nodiscard]] std::size_t inLeft() const { return static_cast<std::size_t>(inEnd_ - in_); }
    [[nodiscard]] std::size_t outLeft() const { return static_cast<std::size_t>(outEnd_ - out_); }

    /// The up to 32 items after one word of flags. False if output or input has ended, or the stream is damaged.
    bool expandGroup(std::uint32_t flags) {
        for (int left = 32; left > 0;) {
            const int literals = std::min(std::countl_zero(flags), left);
            if (literals > 0) {
                if (!copyLiterals(static_cast<std::size_t>(literals))) return false;
                left -= literals;
                if (left == 0) break;
                flags <<= literals;
            }
            if (!expandMatch()) return false;
            flags <<= 1;
            --left;
        }
        return out_ < outEnd_;
    }

    bool copyLiterals(std::size_t count) {
        if (inLeft() >= kSlackBytes && outLeft() > kSlackBytes) {
            std::memcpy(out_, in_, 16);
            if (count > 16) std::memcpy(out_ + 16, in_ + 16, 16);
            in_ += count;
            out_ += count;
            return true;
        }
        const auto possible = std::min({count, inLeft(), outLeft()});
        std::memcpy(out_, in_, possible);
        in_ += possible;
        out_ += possible;
        return possible == count && out_ < outEnd_;
    }

    bool expandMatch() {
        if (inLeft() < 2) return false; // the regular end of a stream
        const std::uint32_t token = loadUnchecked<std::uint16_t>(in_);
        in_ += 2;
        const std::size_t distance = (token >> 3) + 1;
        std::size_t length = token & 7u;
        if (length == 7 && !takeLongLength(length)) return false;
        length += kMinMatchBytes;
        if (distance > static_cast<std::size_t>(out_ - begin_)) return fail();
        if (outLeft() > length + kSlackBytes) {
            copyMatchWild(out_, distance, length);
            out_ += length;
            return true;
        }
        const auto possible = std::min(length, outLeft());
        for (std::size_t i = 0; i < possible; ++i, ++out_)
            *out_ = *(out_ - distance);
        return out_ < outEnd_;
    }

    /// The rest of a length: a nibble (two matches share one byte), then a byte, then 16 and 32 bits.
    bool takeLongLength(std::size_t& length) {
        std::uint32_t nibble = 0;
        if (half_ != nullptr) {
            nibble = std::to_integer<std::uint32_t>(*half_) >> 4;
            half_ = nullptr;
        } else {
            if (inLeft() < 1) return false;
            half_ = in_;
            nibble = std::to_integer<std::uint32_t>(*in_++) & 15u;
        }
        length = 7 + nibble;
        return nibble != 15 || takeVeryLongLength(length);
    }

    bool takeVeryLongLength(std::size_t& length) {
        if (inLeft() < 1) return false;
        const auto byte = std::to_integer<std::uint32_t>(*in_++);
        length = 22 + byte;
        if (byte != 255) return true;
        if (inLeft() < 2) return false;
        std::uint32_t wide = loadUnchecked<std::uint16_t>(in_);
        in_ += 2;
        if (wide == 0) {
            if (inLeft() < 4) return false;
            wide = loadUnchecked<std::uint32_t>(in_);
            in_ += 4;
        }
        if (wide < 22) return fail();
        length = wide;
        return true;
    }

    bool fail() {
        damaged_ = true;
        return false;
    }

    const std::byte* in_;
    const std::byte* inEnd_;
    std::byte* begin_;
    std::byte* out_;
    std::byte* outEnd_;
    const std::byte* half_ = nullptr; ///< byte whose high nibble is still unused
    bool damaged_ = false;
};

struct Match {
    std::size_t distance = 0;
    std::size_t length = 0;
};

/// Finds earlier occurrences: stores the last position of each hash of four bytes. Records repeat the preceding ones,
/// so the last position is nearly always as good as older ones, and checking more would cost more than it saves.
class MatchFinder {
  public:
    explicit MatchFinder(ByteSpan input) : input_(input) {}

    /// From here on there are too few bytes to search.
    [[nodiscard]] std::size_t end() const { return input_.size() < kWordBytes ? 0 : input_.size() - kWordBytes + 1; }

    /// The match at `at`, which must be below end(); stores the position.
    Match findAndInsert(std::size_t at) {
        const auto word = wordAt(at);
        auto& last = last_[hash(word)];
        const std::size_t candidate = last;
        last = static_cast<std::uint32_t>(at);
        // A position that was never set reads as 0, and the bytes there are compared like any others.
        if (candidate >= at || at - candidate > kWindowBytes || wordAt(candidate) != word) return {};
        return {at - candidate, kWordBytes + commonBytes(candidate + kWordBytes, at + kWordBytes)};
    }

    void insert(std::size_t at) { last_[hash(wordAt(at))] = static_cast<std::uint32_t>(at); }

  private:
    static constexpr int kHashBits = 12;
    static constexpr std::size_t kWordBytes = 4;

    [[nodiscard]] std::uint32_t wordAt(std::size_t at) const {
        return loadUnchecked<std::uint32_t>(input_.data() + at);
    }
    [[nodiscard]] static std::uint32_t hash(std::uint32_t word) { return (word * 2654435761u) >> (32 - kHashBits); }

    [[nodiscard]] std::size_t commonBytes(std::size_t older, std::size_t at) const {
        const auto limit = input_.size() - at;
        std::size_t same = 0;
        while (limit - same >= 8) {
            const auto difference = loadUnchecked<std::uint64_t>(input_.data() + older + same) ^
                                    loadUnchecked<std::uint64_t>(input_.data() + at + same);
            if (difference != 0) return same + static_cast<std::size_t>(std::countr_zero(difference)) / 8;
            same += 8;
        }
        while (same < limit && input_[older + same] == input_[at + same])
            ++same;
        return same;
    }

    ByteSpan input_;
    std::array<std::uint32_t, 1u << kHashBits> last_{};
};

/// Writes the stream. `output` has room for the worst case, mostBytes().
class Encoder {
  public:
    /// The size of this many bytes if nothing repeats: the bytes, and a word of flags for each 32 of them.
    [[nodiscard]] static std::size_t mostBytes(std::size_t inputBytes) {
        return inputBytes + (inputBytes / kFlags + 1) * kFlagBytes + kSlackBytes;
    }

    Encoder(ByteSpan input, std::byte* output) : inputEnd_(input.data() + input.size()), begin_(output), out_(output) {
        beginGroup();
    }

    void literals(const std::byte* from, std::size_t count) {
        while (count > 0) {
            const auto now = std::min<std::size_t>(count, kFlags - used_);
            copyLiterals(from, now);
            from += now;
            count -= now;
            flags_ = now < kFlags ? flags_ << now : 0;
            used_ += static_cast<std::uint32_t>(now);
            if (used_ == kFlags) endGroup();
        }
    }

    void match(Match match) {
        const auto length = match.length - kMinMatchBytes;
        put16(static_cast<std::uint32_t>(((match.distance - 1) << 3) | std::min<std::size_t>(length, 7)));
        if (length >= 7) putLongLength(length);
        flags_ = (flags_ << 1) | 1u;
        if (++used_ == kFlags) endGroup();
    }

    /// Unused flags are ones, which end the stream at the end of its bytes. Returns its size.
    std::size_t finish() {
        while (used_ < kFlags) {
            flags_ = (flags_ << 1) | 1u;
            ++used_;
        }
        std::memcpy(flagsAt_, &flags_, kFlagBytes);
        return static_cast<std::size_t>(out_ - begin_);
    }

  private:
    static constexpr std::uint32_t kFlags = 32;
    static constexpr std::size_t kFlagBytes = 4;

    /// The output has room for steps of 16 bytes, and so do nearly all positions of the input.
    void copyLiterals(const std::byte* from, std::size_t count) {
        if (count <= 16 && inputEnd_ - from >= 16) {
            std::memcpy(out_, from, 16);
        } else {
            std::memcpy(out_, from, count);
        }
        out_ += count;
    }
    void beginGroup() {
        flagsAt_ = out_;
        out_ += kFlagBytes;
        flags_ = 0;
        used_ = 0;
    }
    void endGroup() {
        std::memcpy(flagsAt_, &flags_, kFlagBytes);
        beginGroup();
    }
    void put16(std::uint32_t value) {
        const auto narrow = static_cast<std::uint16_t>(value);
        std::memcpy(out_, &narrow, sizeof(narrow));
        out_ += sizeof(narrow);
    }
    void putLongLength(std::size_t length) {
        const auto nibble = std::min<std::size_t>(length - 7, 15);
        if (half_ != nullptr) {
            *half_ |= static_cast<std::byte>(nibble << 4);
            half_ = nullptr;
        } else {
            half_ = out_;
            *out_++ = static_cast<std::byte>(nibble);
        }
        if (nibble < 15) return;
        *out_++ = static_cast<std::byte>(std::min<std::size_t>(length - 22, 255));
        if (length - 22 < 255) return;
        const bool fitsIn16 = length <= 0xFFFF;
        put16(fitsIn16 ? static_cast<std::uint32_t>(length) : 0);
        if (fitsIn16) return;
        put16(static_cast<std::uint32_t>(length & 0xFFFF));
        put16(static_cast<std::uint32_t>(length >> 16));
    }

    const std::byte* inputEnd_;
    std::byte* begin_;
    std::byte* out_;
    std::byte* flagsAt_ = nullptr;
    std::byte* half_ = nullptr; ///< byte whose high nibble is still unused
    std::uint32_t flags_ = 0;
    std::uint32_t used_ = 0;
};

} // namespace

Expansion xpressDecompress(ByteSpan input, std::span<std::byte> output) { return Decoder(input, output).run(); }

void xpressCompress(ByteSpan input, std::vector<std::byte>& output) {
    const auto before = output.size();
    output.resize(before + Encoder::mostBytes(input.size()));
    MatchFinder finder(input);
    Encoder encoder(input, output.data() + before);
    std::size_t written = 0; // bytes from here to `at` are written as literals
    for (std::size_t at = 1; at < finder.end();) {
        const auto match = finder.findAndInsert(at);
        if (match.length == 0) {
            at += 1 + ((at - written) >> kPatienceBits);
            continue;
        }
        encoder.literals(input.data() + written, at - written);
        encoder.match(match);
        const auto end = at + match.length;
        // Inside matches only some positions are stored because they repeat earlier ones.
        for (at += 8; at < std::min(end, finder.end()); at += 8)
            finder.insert(at);
        at = written = end;
    }
    encoder.literals(input.data() + written, input.size() - written);
    output.resize(before + encoder.finish());
}

} // namespace highwater::etl
