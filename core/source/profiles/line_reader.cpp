#include "core/source/profiles/line_reader.h"

#include <algorithm>
#include <cstring>
#include <span>

namespace highwater::source {

LineReader::LineReader(PackedStream& stream) : stream_(stream), buffer_(2 * kLongest) {}

void LineReader::fill() {
    std::memmove(buffer_.data(), buffer_.data() + at_, filled_ - at_);
    filled_ -= at_;
    at_ = 0;
    const auto count = stream_.read(std::as_writable_bytes(std::span(buffer_).subspan(filled_)));
    filled_ += count;
    isAtEnd_ = count == 0;
}

std::optional<std::string_view> LineReader::rest() {
    if (at_ == filled_) return std::nullopt;
    const std::string_view line(buffer_.data() + at_, std::min(filled_ - at_, kLongest));
    at_ += line.size();
    isLastCut_ = isAtEnd_ && at_ == filled_;
    return line;
}

std::string_view LineReader::longer(std::string_view line, std::size_t bytes) {
    const bool hasEnd = line.data() + line.size() < buffer_.data() + at_;
    at_ -= line.size() + (hasEnd ? 1 : 0); // back to the start of the line
    bytes = std::min(bytes, kLongest);
    while (filled_ - at_ < bytes + 1 && !isAtEnd_)
        fill();
    const std::string_view all(buffer_.data() + at_, std::min(bytes, filled_ - at_));
    at_ += all.size();
    if (at_ < filled_ && buffer_[at_] == '\n') ++at_;
    return all;
}

} // namespace highwater::source
