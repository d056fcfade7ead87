#pragma once

#include <cstdint>

namespace highwater::agent {

/// What a copy of this process does.
struct CopyWork {
    std::uint64_t magic; ///< first word of the file
    const char* name;    ///< of the copy, at most 15 characters
    long mostSeconds;    ///< the system kills the copy then, whatever it does
    /// Runs in the copy, which ends afterwards. All signals are blocked and have their standard actions, and all other
    /// files are closed. isLimited: false if the time of the copy could not be limited; `run` then returns at once.
    void (*run)(int file, bool isLimited);
};

/// Starts a copy of this process that does this work with the file at `path`, which the requester has created. Returns
/// its pid without waiting for it; otherwise a CopyRefusal or a negative errno. This process itself does not change: it
/// has no child afterwards, gets no signal, and none of its handlers run. The calling thread stops while the system
/// copies the page tables: about 20 ms for each GB of resident memory. Makes system calls only, and waits for no lock
/// of the process, so that all other threads may be stopped. Signal-safe.
[[nodiscard]] int startCopy(const char* path, const CopyWork& work);

/// Starts a copy that can be read by the requester, and that only waits for its end. See CopyAnswer.
[[nodiscard]] int startReadableCopy(const char* path);

} // namespace highwater::agent
