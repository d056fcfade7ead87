#include "core/source/generated_code/perf_map.h"

#include "core/base/text.h"

#include <charconv>
#include <limits>

namespace highwater::source {
namespace {

std::optional<std::uint64_t> takeHex(std::string_view& rest) {
    if (rest.starts_with("0x") || rest.starts_with("0X")) rest.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value, 16);
    if (error != std::errc()) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    if (!rest.starts_with(' ')) return std::nullopt;
    rest.remove_prefix(1);
    return value;
}

} // namespace

std::optional<PerfMapLine> parsePerfMapLine(std::string_view line) {
    const auto start = takeHex(line);
    const auto size = start ? takeHex(line) : std::nullopt;
    const auto name = trimmed(line);
    if (!size || name.empty() || *size == 0 || *size > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    if (*start > std::numeric_limits<Address>::max() - *size) return std::nullopt;
    return PerfMapLine{*start, static_cast<std::uint32_t>(*size), name};
}

void PerfMapReader::take(std::string_view bytes, const Sink& sink) {
    while (!bytes.empty()) {
        const auto end = bytes.find('\n');
        const auto part = bytes.substr(0, end);
        if (partial_.size() + part.size() > kMostLineBytes) isTooLong_ = true;
        if (isTooLong_) partial_.clear();
        if (end == std::string_view::npos) {
            if (!isTooLong_) partial_ += part;
            return;
        }
        bytes.remove_prefix(end + 1);
        if (isTooLong_) {
            ++garbage_;
        } else if (partial_.empty()) {
            takeLine(part, sink);
        } else {
            partial_ += part;
            takeLine(partial_, sink);
        }
        partial_.clear();
        isTooLong_ = false;
    }
}

void PerfMapReader::takeLine(std::string_view line, const Sink& sink) {
    if (const auto parsed = parsePerfMapLine(line))
        sink(*parsed);
    else if (!trimmed(line).empty())
        ++garbage_;
}

void PerfMapReader::restart() {
    partial_.clear();
    isTooLong_ = false;
}

void PerfMapReader::finish() {
    if (isTooLong_ || !partial_.empty()) ++garbage_;
    restart();
}

} // namespace highwater::source
