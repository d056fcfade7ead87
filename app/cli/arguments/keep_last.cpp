#include "app/cli/arguments/keep_last.h"

#include <charconv>
#include <fmt/format.h>

namespace highwater::cli {
namespace {

struct Unit {
    std::string_view name;
    double nanoseconds;
    double bytes;
};
constexpr Unit kUnits[] = {
    {"s", 1e9, 0}, {"min", 60e9, 0}, {"h", 3600e9, 0}, {"MB", 0, 1024.0 * 1024}, {"GB", 0, 1024.0 * 1024 * 1024}};
constexpr double kMost = 1e18;

} // namespace

Result<pipeline::KeepLast> parseKeepLast(std::string_view text) {
    const Error wrong{
        ErrorKind::Usage,
        fmt::format("\"{}\" is not a time or a size. Write, for example, 5min, 90s, 2h, 500MB or 2GB.", text)};
    double number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc()) return wrong;
    const auto word = text.substr(static_cast<std::size_t>(end - text.data()));
    for (const auto& unit : kUnits) {
        if (word != unit.name) continue;
        const auto time = number * unit.nanoseconds;
        const auto bytes = number * unit.bytes;
        if (!(time + bytes >= 1 && time + bytes < kMost)) return wrong;
        pipeline::KeepLast keep;
        keep.time = std::chrono::nanoseconds(static_cast<std::int64_t>(time));
        keep.bytes = static_cast<ByteCount>(bytes);
        return keep;
    }
    return wrong;
}

} // namespace highwater::cli
