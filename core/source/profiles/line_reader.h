#pragma once

#include "core/source/profiles/packed_stream.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace highwater::source {

/// A line without the carriage return of Windows at its end.
[[nodiscard]] constexpr std::string_view withoutReturn(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

/// Reads a stream line by line. One thread.
class LineReader {
  public:
    static constexpr std::size_t kLongest = std::size_t{1} << 20; ///< length of a line; longer ones are split

    explicit LineReader(PackedStream& stream);

    /// The next line, without its line break. Valid until the next call. Nothing: no more lines.
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
    /// Extends the line that next() returned to `bytes` bytes, for a text that contains line breaks. Invalidates the
    /// result of next(). Shorter if there is no more or the limit is exceeded.
    [[nodiscard]] std::string_view longer(std::string_view line, std::size_t bytes);

    /// The last line has no line break because the stream was cut off.
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
