#pragma once

#include "core/source/contract/process_copy.h"
#include "core/source/systems/memory_regions.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::source {

/// What a system like Windows offers to copy a running process. One thread, except for read() and what clone() returns.
class StoppableProcess {
  public:
    using Read = std::function<std::size_t(Address from, std::span<std::byte> to)>;
    enum class Stop : std::uint8_t { Stopped, Ended, Refused };

    virtual ~StoppableProcess() = default;
    [[nodiscard]] virtual std::uint32_t pid() const = 0;
    /// "notepad.exe (1234)"
    [[nodiscard]] virtual std::string title() const = 0;
    [[nodiscard]] virtual MemoryRegions& regions() = 0;
    /// The threads that it has now, stopped or not.
    [[nodiscard]] virtual std::vector<std::uint32_t> threads() = 0;
    /// Stops a thread. Called once for each.
    [[nodiscard]] virtual Stop stop(std::uint32_t tid) = 0;
    /// Of a stopped thread. Nothing: the system refuses.
    [[nodiscard]] virtual std::optional<CopiedThread> stateOf(std::uint32_t tid) = 0;
    /// Continues all threads that were stopped.
    virtual void resume() = 0;
    /// Makes a copy of the memory that does not change any more, and that shares pages with the process. Returns what
    /// reads it; the copy ends with that. Error: why there is none, as the end of a sentence ("error 5").
    [[nodiscard]] virtual Result<Read> clone() = 0;
    /// Reads its present memory, up to the first byte that is not readable. Any thread.
    [[nodiscard]] virtual std::size_t read(Address from, std::span<std::byte> to) const = 0;
};

/// The most writable memory that is copied byte by byte, while the process waits, if there is no clone.
inline constexpr ByteCount kMostCopiedBytes = ByteCount{2} << 30;

/// Stops all threads of the process, copies it, and continues the threads, whatever happens. Without a clone, its
/// writable memory is copied byte by byte, and other memory is read from the process when it is asked for.
///
/// A mapping of the copy is a whole allocation if it is private: the committed pages are its pages, and the others are
/// zero. An allocation of the heaps of Windows is named "[heap]". Other regions are a mapping each.
///
/// Errors: a sentence with the title. NotFound (the process has ended), Unsupported (too many regions, or too much
/// memory without a clone), AccessDenied (no thread could be stopped), Cancelled, Io (out of memory).
[[nodiscard]] Result<std::unique_ptr<ProcessCopy>> copyStopped(std::unique_ptr<StoppableProcess> process,
                                                               const std::function<std::int64_t()>& clock,
                                                               const std::stop_token& stop,
                                                               ByteCount mostCopied = kMostCopiedBytes);

} // namespace highwater::source
