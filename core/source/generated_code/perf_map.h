#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace highwater::source {

/// A line of a perf map: "START SIZE name", hex, with or without 0x; the name is the rest of the line.
struct PerfMapLine {
    Address start = 0;
    std::uint32_t size = 0; ///< not 0
    std::string_view name;  ///< not empty
};
[[nodiscard]] std::optional<PerfMapLine> parsePerfMapLine(std::string_view line);

/// Reads the lines of a perf map in pieces. One thread.
class PerfMapReader {
  public:
    using Sink = std::function<void(const PerfMapLine&)>; ///< the line is valid during the call
    void take(std::string_view bytes, const Sink& sink);
    /// The file is read again from its start; drops an incomplete line.
    void restart();
    /// The file has ended. A last line without a newline may be cut off in its name; it is dropped and counted.
    void finish();
    /// Number of invalid lines so far.
    [[nodiscard]] std::uint64_t garbage() const { return garbage_; }

  private:
    static constexpr std::size_t kMostLineBytes = 64 * 1024;

    void takeLine(std::string_view line, const Sink& sink);

    std::string partial_;
    bool isTooLong_ = false; ///< the rest of the line is skipped
    std::uint64_t garbage_ = 0;
};

} // namespace highwater::source
