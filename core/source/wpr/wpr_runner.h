#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// How a run of wpr.exe went.
struct WprOutcome {
    enum class Kind : std::uint8_t {
        Ended,    ///< by itself
        Missing,  ///< there is no wpr.exe
        NotBegun, ///< Windows did not start it: exitCode is its error
        TimedOut, ///< it was ended after the limit; what it had done until then is not known
    };
    Kind kind = Kind::Ended;
    std::uint32_t exitCode = 0;
    std::string output; ///< what it wrote, cut to some KB

    [[nodiscard]] bool isDone() const { return kind == Kind::Ended && exitCode == 0; }
};

/// Runs wpr.exe. The calling thread waits.
class WprRunner {
  public:
    virtual ~WprRunner() = default;
    [[nodiscard]] virtual WprOutcome run(const std::vector<std::string>& arguments, std::chrono::seconds limit) = 0;
};

} // namespace highwater::source
