#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace highwater {

/// A file that only this program can write while it is open. Other programs may read, rename and delete it. Data is
/// with the system when append() has returned and survives the end of this program; when sync() has returned, it also
/// survives a power failure. Errors contain the system's reason and the path. One thread, except for sync(), which
/// another thread may call at the same time.
class OutputFile {
  public:
    /// Creates or truncates the file. Error: also if another program is writing it.
    static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path);
    /// The users who may read a new file: only its owner, because recordings contain command lines; or those who may
    /// read files that the user creates (umask).
    enum class Readers : std::uint8_t { Owner, AsUsual };
    /// A file that did not exist before. Error: also if anything exists there, even a dangling link.
    static Result<std::unique_ptr<OutputFile>> createNew(const std::filesystem::path& path,
                                                         Readers readers = Readers::Owner);
    /// The path to which a file of this name must be renamed, which replaces an existing file: the path itself, or for
    /// a symbolic link the file that it refers to, so that the link stays. Call it before the work begins if the file
    /// is first written beside that path. Error: the existing file is being written; is not an ordinary file, but a
    /// folder, a device, a pipe or a socket; or is a link that another user created in a folder that any user may write
    /// to.
    static Result<std::filesystem::path> placeFor(const std::filesystem::path& path);
    /// An existing file, unchanged. For others it counts as being written while the returned object exists. Error: also
    /// if it is already being written.
    static Result<std::shared_ptr<const OutputFile>> hold(const std::filesystem::path& path);
    /// Whether a running program has opened the file through this class. False for a missing file.
    [[nodiscard]] static bool isBeingWritten(const std::filesystem::path& path);

    virtual ~OutputFile() = default;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// A write that fails in the middle (disk full) does not change the length of the file.
    Result<void> append(ByteSpan bytes);
    /// Only for bytes that are already in the file.
    Result<void> overwrite(std::uint64_t offset, ByteSpan bytes);
    virtual Result<void> sync() = 0;
    [[nodiscard]] std::uint64_t size() const { return size_; }

  protected:
    OutputFile() = default;

  private:
    static Error notAFile(const std::filesystem::path& path, const char* what);
    virtual Result<void> writeAt(std::uint64_t offset, ByteSpan bytes) = 0;
    virtual void cutTo(std::uint64_t size) = 0;

    std::uint64_t size_ = 0;
};

/// A new file and its path.
struct NewFile {
    std::filesystem::path path;
    std::unique_ptr<OutputFile> file;
};
/// A new file beside a place: "a.etl.recording"; if that name exists, "a.etl.2.recording", and so on. Does not change
/// existing files. Errors as those of createNew().
[[nodiscard]] Result<NewFile> createBeside(const std::filesystem::path& place, const std::string& ending,
                                           OutputFile::Readers readers = OutputFile::Readers::Owner);

} // namespace highwater
