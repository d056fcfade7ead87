#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace highwater::benchmarks {

enum class Processors { All, One };

/// What one reading of a trace took. Linux only.
struct Measured {
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin{}, end{};
    double seconds = 0;
    double firstSeconds = 0; ///< of the first part, where who measures tells two apart
    double cpuSeconds = 0;
    std::array<double, 8> threadSeconds{}; ///< CPU of single threads, the busiest first
    std::uint64_t records = 0;             ///< 0: it failed
    std::uint64_t sum = 0;                 ///< of all words of payloads
    std::uint64_t rows = 0;
    std::uint64_t columnBytes = 0;
    std::uint64_t stackBytes = 0;
    std::uint64_t peakBytes = 0; ///< of anonymous memory, more than at the begin
    std::uint64_t endBytes = 0;  ///< the same, when all was read

    /// What is measured ends here, not with the freeing of what was read.
    void finish();
};

/// Runs `measure` in a process of its own, so that no memory is used again.
/// Call it from a process with one thread.
[[nodiscard]] Measured measureInProcess(Processors processors, const std::function<void(Measured&)>& measure);

/// A bare loop over the buffers of a trace and the headers of its records, that sums every payload, eight bytes at a
/// time, from the opening of the file to its closing. It knows no more headers than those of generated traces, and
/// checks nothing.
void loopOverBuffers(const std::filesystem::path& path, Measured& measured);

/// Reads the file once.
void bringIntoCache(const std::filesystem::path& path);

} // namespace highwater::benchmarks
