#pragma once

#include "core/base/units.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <utility>

namespace highwater::source {

/// A file descriptor that is closed with its owner.
class OwnedFile {
  public:
    OwnedFile() = default;
    explicit OwnedFile(int file) : file_(file) {}
    OwnedFile(OwnedFile&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
    OwnedFile& operator=(OwnedFile&& other) noexcept {
        std::swap(file_, other.file_);
        return *this;
    }
    OwnedFile(const OwnedFile&) = delete;
    OwnedFile& operator=(const OwnedFile&) = delete;
    ~OwnedFile();
    [[nodiscard]] bool isOpen() const { return file_ >= 0; }
    [[nodiscard]] int number() const { return file_; }

  private:
    int file_ = -1;
};

/// What has to be asked of a process while it lives: where its files are remains known when it has ended.
struct ProcessFacts {
    OwnedFile temporary;      ///< its /tmp, in its own mount namespace
    OwnedFile folder;         ///< the one that it runs in
    uid_t owner = 0;          ///< the user with whose rights it runs
    std::uint32_t ownPid = 0; ///< as it knows itself, in its pid namespace
};
/// Nothing: it has ended.
[[nodiscard]] std::optional<ProcessFacts> askProcess(std::uint32_t pid);

/// A part of a file's code that is mapped a second time, as V8 does with its own functions to have them near to those
/// that it generates.
struct SecondMapping {
    Address begin = 0; ///< of the part where it lies first
    Address end = 0;
    Address moved = 0; ///< how far behind that (modulo 2^64) it lies, too
};
/// Nothing: there is none. The list is in the form of /proc/PID/maps.
[[nodiscard]] std::optional<SecondMapping> secondMappingIn(std::string_view maps);
[[nodiscard]] std::optional<SecondMapping> secondMapping(std::uint32_t pid);

/// The file of a name "jit-NUMBER.dump" that the process has mapped, as writers of jitdump files do: its path, as the
/// process knows it.
[[nodiscard]] std::optional<std::string> mappedJitdump(std::uint32_t pid);
/// Whether a list in the form of /proc/PID/maps has such a file in it, and which.
[[nodiscard]] std::optional<std::string> jitdumpIn(std::string_view maps);

} // namespace highwater::source
