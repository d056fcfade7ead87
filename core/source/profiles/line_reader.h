#pragma once

#include "core/source/profiles/packed_stream.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::source {

/// A line without what Windows has at its end before the break.
[[nodiscard]] constexpr std::string_view withoutReturn(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// The lines of a stream, one after the other. One thread.
class LineReader {
  public:
    static constexpr std::size_t kLongest = std::size_t{1} << 20; ///< of a line; what is longer comes in pieces

    explicit LineReader(PackedStream& stream);

    /// Without its end. Valid until the next call of anything. Nothing: there are no more.
    [[nodiscard]] std::optional<std::string_view> next() {
        for (;;) {
            const auto* begin = buffer_.data() + at_;
            const auto* end = static_cast<const char*>(__builtin_memchr(begin, '\n', filled_ - at_));
            if (end != nullptr) {
                at_ += static_cast<std::size_t>(end - begin) + 1;
                return std::string_view(begin, static_cast<std::size_t>(end - begin));
            }
            if (isAtEnd_ || filled_ - at_ >= kLongest) return rest();
            fill();
        }
    }
    /// The line that next() returned last, and as much behind it as makes `bytes` from its begin on: of a text that has
    /// line breaks in it. What next() returned is not valid any more. Shorter: there is no more, or it is too long.
    [[nodiscard]] std::string_view longer(std::string_view line, std::size_t bytes);

    /// The last line that next() returned has no end: the stream was cut off in it.
    [[nodiscard]] bool isLastCut() const { return isLastCut_; }

  private:
    void fill();
    [[nodiscard]] std::optional<std::string_view> rest();

    PackedStream& stream_;
    std::vector<char> buffer_;
    std::size_t at_ = 0;
    std::size_t filled_ = 0;
    bool isAtEnd_ = false;
    bool isLastCut_ = false;
};

} // namespace highwater::source
