#pragma once

#include "core/files/mapped_file.h"

namespace highwater {

/// A file for what is too large for memory, in the folder for large temporary files. It has no name (on Windows one
/// that nobody can guess) and is gone with the last that uses it, also when the program is killed. Written once from
/// its begin to its end, then mapped. One thread.
class ScratchFile {
  public:
    /// Error: the folder cannot be written.
    [[nodiscard]] static Result<std::unique_ptr<ScratchFile>> create();
    /// That folder: what TMPDIR names, else /var/tmp (/tmp is often memory); on Windows the one for temporary files.
    [[nodiscard]] static std::filesystem::path folder();
    /// What the disk of that folder has left, in bytes.
    [[nodiscard]] static std::uint64_t freeBytes();

    virtual ~ScratchFile() = default;
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    /// Error: the disk is full, or does not answer.
    [[nodiscard]] virtual Result<void> append(ByteSpan bytes) = 0;
    /// All that was appended. Nothing may be appended after this; the mapping outlives this object.
    [[nodiscard]] virtual Result<std::shared_ptr<const MappedFile>> map() = 0;

  protected:
    ScratchFile() = default;
};

} // namespace highwater
