#pragma once

#include "core/base/byte_reader.h"
#include "core/symbols/store/locked_file.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace highwater::symbols {

/// A partial download beside its target: `<target>.<key>.part`, and `<target>.<key>.tag` with the server's validator
/// for the content, which is required to resume. Both remain when the process is killed, and the next one resumes.
/// Locked while open, so only one process writes it. One thread.
class PartFile {
  public:
    PartFile() = default;
    /// Opens or creates the file, and locks it. Keeps content that has a tag.
    [[nodiscard]] static PartFile open(const std::filesystem::path& target, const std::string& key);

    enum class State {
        Open,
        Busy,        ///< locked by another process
        CannotWrite, ///< see problem()
    };
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// "": the content is useless after the connection is lost.
    [[nodiscard]] const std::string& tag() const { return tag_; }

    /// Discards the content; new content belongs to `tag`.
    void restart(std::string tag);
    /// False: writing failed, see problem().
    [[nodiscard]] bool append(ByteSpan bytes);
    /// Renames the file to the target, which other processes see complete or not at all. False: see problem().
    [[nodiscard]] bool moveTo(const std::filesystem::path& target);
    /// Removes both files.
    void remove();

  private:
    [[nodiscard]] bool fail();
    [[nodiscard]] std::filesystem::path tagPath() const;

    std::filesystem::path path_;
    LockedFile file_;
    State state_ = State::CannotWrite;
    std::uint64_t bytes_ = 0;
    std::string tag_;
    std::string problem_;
};

/// "name.0123456789abcdef.part", as Highwater names its parts; other programs also use the extension.
[[nodiscard]] bool isPartName(const std::filesystem::path& path);

/// Removes the parts of a complete target, with any key, except those that are being written.
void removePartsOf(const std::filesystem::path& target);

/// Removes parts of killed processes in a tree name / identity / file below `root`, if they are not being written and
/// are older than `age`. Keys must be 16 hex digits.
void removeLeftovers(const std::filesystem::path& root, std::filesystem::file_time_type::duration age);

} // namespace highwater::symbols
