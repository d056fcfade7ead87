#pragma once

#include "core/base/byte_reader.h"
#include "core/base/units.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace highwater::source {

/// A piece of code that a jitdump file tells of: it was made, or was moved there.
struct JitdumpCode {
    std::int64_t timeNs = 0; ///< CLOCK_MONOTONIC, as perf asks for; 0: not told
    Address start = 0;
    std::uint32_t size = 0; ///< not 0
    std::string_view name;  ///< empty where code moves: that of `movedFrom`
    Address movedFrom = 0;  ///< 0: it was made
};

/// A jitdump file (tools/perf/Documentation/jitdump-specification.txt of Linux) whose bytes come piece by piece. Code
/// of functions and lines of sources are passed over. One thread.
class JitdumpReader {
  public:
    using Sink = std::function<void(const JitdumpCode&)>; ///< the code is valid during the call
    void take(ByteSpan bytes, const Sink& sink);
    void restart();
    /// Records that are none, so far; and a file that is none, or of another version, counts as one.
    [[nodiscard]] std::uint64_t garbage() const { return garbage_; }
    /// Nothing more can be read: the file is none, is damaged, or its writer has closed it.
    [[nodiscard]] bool isOver() const { return state_ == State::Over; }

  private:
    enum class State { Header, Records, Over };

    /// How many bytes at the begin of `rest` are done with; 0: more are needed.
    [[nodiscard]] std::size_t takeHeader(ByteSpan rest);
    [[nodiscard]] std::size_t takeRecord(ByteSpan rest, const Sink& sink);
    void stopAtGarbage();

    std::vector<std::byte> held_;
    std::uint64_t toSkip_ = 0; ///< bytes of code, and of records that say nothing here
    State state_ = State::Header;
    bool hasOwnClock_ = false; ///< times are those of a processor
    std::uint64_t garbage_ = 0;
};

} // namespace highwater::source
