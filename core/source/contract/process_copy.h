#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/event/copied_thread.h"
#include "core/event/resident_sample.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace highwater::source {

inline constexpr std::chrono::seconds kCopyLife{600}; ///< the most that a copy lives

/// A copy of the memory of a process that does not change any more, with the registers of all threads at the same
/// instant. The destructor ends the copy. Created on one thread; read() may be called by several at once.
class ProcessCopy {
  public:
    virtual ~ProcessCopy() = default;
    ProcessCopy() = default;
    ProcessCopy(const ProcessCopy&) = delete;
    ProcessCopy& operator=(const ProcessCopy&) = delete;

    /// The instant, in ticks of the clock that was passed to copyProcess().
    [[nodiscard]] virtual std::optional<std::int64_t> ticks() const = 0;
    /// Its mappings by address; sizes in RAM are not filled in. Of large private mappings without a file, the pages are
    /// those that were ever touched, if they are known (kPages). All others are zero. Memory that the program excludes
    /// from forks is listed as well, but cannot be read.
    [[nodiscard]] virtual const ResidentSample& mappings() const = 0;
    [[nodiscard]] virtual const std::vector<CopiedThread>& threads() const = 0;
    /// Threads that could not be stopped, and ran meanwhile.
    [[nodiscard]] virtual std::uint32_t unreadThreads() const = 0;
    /// Copies memory from `from` on into `to`. Returns the number of bytes until the first that is not readable, or
    /// that the copy has ended.
    [[nodiscard]] virtual std::size_t read(Address from, std::span<std::byte> to) const = 0;
};

/// Checks whether copyProcess() could copy this process, without stopping it. The error is a sentence for the user.
[[nodiscard]] Result<void> checkProcessCopy(std::uint32_t pid);

/// Stops all threads of a running process, copies it (a fork of which the process gets no notice; on Windows, a clone
/// or a copy of its writable memory), and continues the threads. The copy shares pages with the process until the
/// process writes to them; it lives at most kCopyLife, and ends with this program.
///
/// `clock`: the clock of the recording; null: none. Fails as tryTrim does, on Windows as copyStopped
/// (copied_process.h). Blocks; any thread.
[[nodiscard]] Result<std::unique_ptr<ProcessCopy>>
copyProcess(std::uint32_t pid, const std::function<std::int64_t()>& clock, const std::stop_token& stop = {});

} // namespace highwater::source
