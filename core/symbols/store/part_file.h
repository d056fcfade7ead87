#pragma once

#include "core/base/byte_reader.h"
#include "core/symbols/store/locked_file.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace highwater::symbols {

/// The begin of a download, beside its target: `<target>.<key>.part`, and in `<target>.<key>.tag` the server's mark of
/// its content, without which nobody may go on with it. A Highwater that is killed leaves both, and the next one goes
/// on. Locked while it is open: of several processes one writes. One thread.
class PartFile {
  public:
    PartFile() = default;
    /// Opens or creates, and locks. The content stays if its tag says what it is.
    [[nodiscard]] static PartFile open(const std::filesystem::path& target, const std::string& key);

    enum class State {
        Open,
        Busy,        ///< another process writes it
        CannotWrite, ///< problem() says why
    };
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] const std::string& problem() const { return problem_; }
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// "": what is there is good for nothing once the connection is lost.
    [[nodiscard]] const std::string& tag() const { return tag_; }

    /// Throws the content away; what comes is of `tag`.
    void restart(std::string tag);
    /// False: it cannot be written, see problem().
    [[nodiscard]] bool append(ByteSpan bytes);
    /// Becomes the target, which other processes see whole or not at all. False: see problem().
    [[nodiscard]] bool moveTo(const std::filesystem::path& target);
    /// Nothing is left of it.
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

/// "name.0123456789abcdef.part", as the parts of Highwater are called: other programs have files with that ending, too.
[[nodiscard]] bool isPartName(const std::filesystem::path& path);

/// Removes the parts of a target that is complete, of whatever key, except those that are being written.
void removePartsOf(const std::filesystem::path& target);

/// Removes what killed Highwaters left in a tree name / identity / file below `root`, in files that nobody writes and
/// that are older than `age`. Keys are 16 hex digits there.
void removeLeftovers(const std::filesystem::path& root, std::filesystem::file_time_type::duration age);

} // namespace highwater::symbols
