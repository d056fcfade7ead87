#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>

namespace highwater::benchmarks {

enum class Processors { All, One };

/// Measurements of reading a trace once. Linux only.
struct Measured {
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin{}, end{};
    double seconds = 0;
    double firstSeconds = 0; ///< for the first part, if the caller separates two
    double cpuSeconds = 0;
    std::array<double, 8> threadSeconds{}; ///< CPU of single threads, the busiest first
    std::uint64_t records = 0;             ///< 0 if it failed
    std::uint64_t sum = 0;                 ///< all words in payloads
    std::uint64_t rows = 0;
    std::uint64_t columnBytes = 0;
    std::uint64_t stackBytes = 0;
    std::uint64_t peakBytes = 0; ///< anonymous memory above the amount at the start
    std::uint64_t endBytes = 0;  ///< the same, when everything was read

    /// Ends the measurement, which excludes freeing the data.
    void finish();
};

/// Runs `measure` in a process of its own, so that no memory is reused. Call it from a process with one thread.
[[nodiscard]] Measured measureInProcess(Processors processors, const std::function<void(Measured&)>& measure);

/// A bare loop over the buffers of a trace and the headers of its records that sums every payload, eight bytes at a
/// time, from opening the file to closing it. It supports only headers of generated traces, and checks nothing.
void loopOverBuffers(const std::filesystem::path& path, Measured& measured);

/// Reads the file once.
void bringIntoCache(const std::filesystem::path& path);

} // namespace highwater::benchmarks
