#pragma once

#include "core/base/byte_reader.h"
#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace highwater::source {

/// An entry of a jitdump file: code was generated, or moved to a new address.
struct JitdumpCode {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC, as perf requires; 0: not known
    Address start = 0;
    std::uint32_t size = 0; ///< not 0
    std::string_view name;  ///< empty for moved code, which keeps the name of `movedFrom`
    Address movedFrom = 0;  ///< 0: newly generated
};

/// Reads a jitdump file (tools/perf/Documentation/jitdump-specification.txt of Linux) in pieces. Skips machine code and
/// source lines. One thread.
class JitdumpReader {
  public:
    using Sink = std::function<void(const JitdumpCode&)>; ///< the code is valid during the call
    void take(ByteSpan bytes, const Sink& sink);
    void restart();
    /// Number of invalid records so far; a file with an invalid or unknown header counts as one.
    [[nodiscard]] std::uint64_t garbage() const { return garbage_; }
    /// Nothing more can be read, because the file is invalid or damaged, or its writer has closed it.
    [[nodiscard]] bool isOver() const { return state_ == State::Over; }

  private:
    enum class State { Header, Records, Over };

    /// Number of processed bytes at the start of `rest`; 0: more bytes are needed.
    [[nodiscard]] std::size_t takeHeader(ByteSpan rest);
    [[nodiscard]] std::size_t takeRecord(ByteSpan rest, const Sink& sink);
    void stopAtGarbage();

    std::vector<std::byte> held_;
    std::uint64_t toSkip_ = 0; ///< machine code, and records that are not used
    State state_ = State::Header;
    bool hasOwnClock_ = false; ///< times are processor ticks
    std::uint64_t garbage_ = 0;
};

} // namespace highwater::source
