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

/// Lines of a perf map whose bytes come piece by piece. One thread.
class PerfMapReader {
  public:
    using Sink = std::function<void(const PerfMapLine&)>; ///< the line is valid during the call
    void take(std::string_view bytes, const Sink& sink);
    /// The file begins anew: what there is of a line is none.
    void restart();
    /// Nothing more comes: a last line without its end may be cut off in the middle of its name, and is counted.
    void finish();
    /// Lines that are none, so far.
    [[nodiscard]] std::uint64_t garbage() const { return garbage_; }

  private:
    static constexpr std::size_t kMostLineBytes = 64 * 1024;

    void takeLine(std::string_view line, const Sink& sink);

    std::string partial_;
    bool isTooLong_ = false; ///< the rest of the line is passed over
    std::uint64_t garbage_ = 0;
};

} // namespace highwater::source
