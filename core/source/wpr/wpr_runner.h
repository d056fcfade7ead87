#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace highwater::source {

/// The outcome of running wpr.exe.
struct WprOutcome {
    enum class Kind : std::uint8_t {
        Ended,      ///< by itself
        Missing,    ///< wpr.exe was not found
        NotStarted, ///< Windows could not start it; exitCode is the error
        TimedOut,   ///< it was terminated after the time limit; its progress is not known
    };
    Kind kind = Kind::Ended;
    std::uint32_t exitCode = 0;
    std::string output; ///< its output, cut to a few KB

    [[nodiscard]] bool isDone() const { return kind == Kind::Ended && exitCode == 0; }
};

/// Runs wpr.exe. The calling thread waits for its end.
class WprRunner {
  public:
    virtual ~WprRunner() = default;
    [[nodiscard]] virtual WprOutcome run(const std::vector<std::string>& arguments, std::chrono::seconds limit) = 0;
};

} // namespace highwater::source
