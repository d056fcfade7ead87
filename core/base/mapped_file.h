#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <filesystem>
#include <memory>

namespace highwater {

/// A file mapped read-only. bytes() stays valid while the object lives. Immutable after open: any thread.
/// If the file shrinks while it is mapped, reading the missing part is an access violation of the system: files that
/// another program still writes only grow, which is harmless.
class MappedFile {
  public:
    /// Maps the whole file. A directory, a missing file, missing rights: an Error with a sentence. An empty file maps
    /// to empty bytes.
    static Result<std::shared_ptr<const MappedFile>> open(const std::filesystem::path& path);

    virtual ~MappedFile() = default;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    [[nodiscard]] ByteSpan bytes() const { return bytes_; }

  protected:
    MappedFile() = default;
    ByteSpan bytes_;
};

} // namespace highwater
