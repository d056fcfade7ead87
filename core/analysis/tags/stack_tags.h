#pragma once

#include "core/base/result.h"
#include "core/base/seeded_hash.h"

#include <tsl/robin_map.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// A tag of a frame, as defined in its file. Lower ranks come first among tags of equal priority: nested tags come
/// before the tag that contains them; otherwise tags are in the order of files and lines.
struct StackTag {
    std::string name;          ///< including the tags that contain it: "HTML\Script\OM"
    std::int32_t priority = 0; ///< the highest of a stack applies to the stack
    std::uint32_t rank = 0;
};

/// Number of a StackTag in its StackTags; kNone: no tag.
using StackTagIndex = std::uint32_t;
inline constexpr StackTagIndex kNoStackTag = 0xFFFFFFFFu;

/// The tags of a function: its own, and those for its neighbors.
struct FunctionTags {
    StackTagIndex own = kNoStackTag;
    StackTagIndex ofCallee = kNoStackTag; ///< a hint tag: its callees are tagged with their own names
    StackTagIndex ofCaller = kNoStackTag; ///< the same for its callers
    [[nodiscard]] bool isEmpty() const {
        return own == kNoStackTag && ofCallee == kNoStackTag && ofCaller == kNoStackTag;
    }
};

/// Function tags, as defined in stack tag files (*.stacktags) of Windows Performance Analyzer. An entry point is a
/// pattern for a module and a pattern for a function in it, in which * is any text and ? any character,
/// case-insensitive. A tag without a name only groups others. Immutable once it is shared; any thread.
class StackTags {
  public:
    /// The tags included with the program (resources/built_in.stacktags).
    [[nodiscard]] static std::shared_ptr<const StackTags> builtIn();
    /// The original text of their file.
    [[nodiscard]] static std::string_view builtInText();

    /// Appends the tags of a file. A file with an error adds nothing. name: of the file, for the sentence. Errors:
    /// Damaged, NotATrace, Unsupported.
    [[nodiscard]] Result<void> add(std::string_view bytes, const std::string& name);

    /// Unknown elements and attributes, one sentence each, the first few of each file.
    [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
    [[nodiscard]] bool isEmpty() const { return tags_.empty(); }
    [[nodiscard]] const StackTag& operator[](StackTagIndex tag) const { return tags_[tag]; }
    /// Whether it has precedence over the other if a frame has both.
    [[nodiscard]] bool isBefore(StackTagIndex tag, StackTagIndex other) const;
    /// Whether the function is an entry point of the hint tag. Entry points may call each other and all have its name.
    [[nodiscard]] bool isEntryOf(StackTagIndex tag, std::string_view label) const;
    /// label: "module.dll!function", or the label of an unnamed function.
    [[nodiscard]] FunctionTags of(std::string_view label) const;
    /// The name of a neighbor of an entry point of a hint tag: "RPC\server.dll", "RPC\server.dll\Class::call".
    [[nodiscard]] std::string hintedName(StackTagIndex tag, std::string_view label) const;

    /// One tag in a file.
    struct Definition {
        enum class Kind : std::uint8_t { Plain, OfCallee, OfCaller };
        struct Entry {
            std::string module; ///< patterns in lowercase
            std::string method;
        };
        Kind kind = Kind::Plain;
        std::string name; ///< full name
        std::int32_t priority = 0;
        bool showsModuleOnly = true;
        std::vector<Entry> entries;
    };

  private:
    struct Pattern {
        std::string module;
        std::string method;
        StackTagIndex tag = kNoStackTag;
    };
    struct Function {
        std::string module;
        std::string method;
    };
    static Function functionOf(std::string_view label);
    template <typename Visit>
    void eachTagOf(const Function& function, const Visit& visit) const;
    void add(const Definition& definition);

    std::vector<StackTag> tags_;
    std::vector<Definition::Kind> kinds_; ///< by tag
    std::vector<bool> showsModuleOnly_;   ///< by tag
    /// Patterns with a fixed module name, by name: the majority. All others are separate.
    tsl::robin_map<std::string, std::vector<Pattern>, SeededHash> ofModule_;
    std::vector<Pattern> ofAnyModule_;
    std::vector<std::string> remarks_;
};

/// The tags of a file, with nested tags before the tags that contain them, and the skipped parts. Errors as in
/// StackTags::add.
struct StackTagFile {
    std::vector<StackTags::Definition> tags;
    std::vector<std::string> remarks;
};
[[nodiscard]] Result<StackTagFile> readStackTagFile(std::string_view bytes, const std::string& name);

} // namespace highwater::analysis
