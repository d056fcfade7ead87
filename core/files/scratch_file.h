#pragma once

#include "core/files/mapped_file.h"

namespace highwater {

/// A file for data that is too large for memory, in the folder for large temporary files. It has no name (on Windows an
/// unpredictable one) and disappears with its last user, even if the program is killed. Written once from start to end,
/// then mapped. One thread.
class ScratchFile {
  public:
    /// Error: the folder cannot be written.
    [[nodiscard]] static Result<std::unique_ptr<ScratchFile>> create();
    /// The folder: the one in TMPDIR, otherwise /var/tmp (/tmp is often in memory); on Windows the one for temporary
    /// files.
    [[nodiscard]] static std::filesystem::path folder();
    /// Free space on the disk of that folder, in bytes.
    [[nodiscard]] static std::uint64_t freeBytes();

    virtual ~ScratchFile() = default;
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    /// Error: the disk is full, or does not respond.
    [[nodiscard]] virtual Result<void> append(ByteSpan bytes) = 0;
    /// Everything that was appended. Nothing may be appended after this; the mapping outlives this object.
    [[nodiscard]] virtual Result<std::shared_ptr<const MappedFile>> map() = 0;

  protected:
    ScratchFile() = default;
};

} // namespace highwater
