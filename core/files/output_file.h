#pragma once

#include "core/base/byte_reader.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace highwater {

/// A file that this program writes, and nobody else as long as it is open: other programs may read, rename and delete
/// it. What append() returned from is with the system and survives the end of this program, what sync() returned from
/// also a power cut. Errors carry the system's reason and the path. One thread, but for sync(), which may be called by
/// another one meanwhile.
class OutputFile {
  public:
    /// Creates the file, or empties it. Error: also when another program is writing it.
    static Result<std::unique_ptr<OutputFile>> create(const std::filesystem::path& path);
    /// Who may read a new file: its owner alone, as recordings hold command lines; or whoever may read files that the
    /// user makes (umask).
    enum class Readers : std::uint8_t { Owner, AsUsual };
    /// A file that was not there before. Error: also when anything is there, were it a link that leads nowhere.
    static Result<std::unique_ptr<OutputFile>> createNew(const std::filesystem::path& path,
                                                         Readers readers = Readers::Owner);
    /// Where a file that the user calls so is to be put by a rename, which takes away what is there: the name itself,
    /// or, of a symbolic link, the file that it leads to: the link stays. Who writes the file beside it first asks
    /// before the work begins. Error: what is there is being written; is no ordinary file, but a folder, a device, a
    /// pipe or a socket; or a link that another user made in a folder that everybody may write to.
    static Result<std::filesystem::path> placeFor(const std::filesystem::path& path);
    /// A file that is there, as it is: it is being written for all others, as long as what this returns lives. Error:
    /// also when it is being written already.
    static Result<std::shared_ptr<const OutputFile>> hold(const std::filesystem::path& path);
    /// Whether a program that is alive has the file open through this class. False for a file that is not there.
    [[nodiscard]] static bool isBeingWritten(const std::filesystem::path& path);

    virtual ~OutputFile() = default;
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    /// A write that fails in the middle (disk full) leaves the file as long as it was.
    Result<void> append(ByteSpan bytes);
    /// Bytes that are in the file already.
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

/// A new file, and where it is.
struct NewFile {
    std::filesystem::path path;
    std::unique_ptr<OutputFile> file;
};
/// A new file beside a place: "a.etl.recording"; where there is something of that name already, "a.etl.2.recording",
/// and so on. What is there is not touched. Errors as those of createNew().
[[nodiscard]] Result<NewFile> createBeside(const std::filesystem::path& place, const std::string& ending,
                                           OutputFile::Readers readers = OutputFile::Readers::Owner);

} // namespace highwater
