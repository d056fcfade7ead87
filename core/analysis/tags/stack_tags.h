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

/// What a tag of one frame, as its definition has it. Lower ranks come first among tags of one priority: a tag comes
/// before the one that it stands in, else they are in the order of files and lines.
struct StackTag {
    std::string name;          ///< with those that it stands in: "HTML\Script\OM"
    std::int32_t priority = 0; ///< the highest of a stack is the stack's
    std::uint32_t rank = 0;
};

/// Number of a StackTag in its StackTags; kNone: no tag.
using StackTagIndex = std::uint32_t;
inline constexpr StackTagIndex kNoStackTag = 0xFFFFFFFFu;

/// What a function is to the tags: its own, and those that it gives to its neighbours.
struct FunctionTags {
    StackTagIndex own = kNoStackTag;
    StackTagIndex ofCallee = kNoStackTag; ///< a hint tag: what this function calls is known by its own name
    StackTagIndex ofCaller = kNoStackTag; ///< the same of what calls it
    [[nodiscard]] bool isEmpty() const {
        return own == kNoStackTag && ofCallee == kNoStackTag && ofCaller == kNoStackTag;
    }
};

/// Tags of functions, as files of Windows Performance Analyzer define them (*.stacktags): an entry point is a pattern
/// of a module and one of a function in it, in which * is any text and ? any character; case is ignored. A tag without
/// a name only groups others. Immutable once it is shared; any thread.
class StackTags {
  public:
    /// Those that the program brings along (resources/built_in.stacktags).
    [[nodiscard]] static std::shared_ptr<const StackTags> builtIn();
    /// The file that they are from, as its author wrote it.
    [[nodiscard]] static std::string_view builtInText();

    /// The tags of a file behind those that are there. Nothing is added of a file with an error. name: of the file, for
    /// the sentence. Errors: Damaged, NotATrace, Unsupported.
    [[nodiscard]] Result<void> add(std::string_view bytes, const std::string& name);

    /// Elements and attributes that mean nothing here, a sentence each, the first few of each file.
    [[nodiscard]] const std::vector<std::string>& remarks() const { return remarks_; }
    [[nodiscard]] bool isEmpty() const { return tags_.empty(); }
    [[nodiscard]] const StackTag& operator[](StackTagIndex tag) const { return tags_[tag]; }
    /// Whether it counts, where a frame has both.
    [[nodiscard]] bool isBefore(StackTagIndex tag, StackTagIndex other) const;
    /// Whether the function is an entry point of the hint tag: those call each other, and are all called by its name.
    [[nodiscard]] bool isEntryOf(StackTagIndex tag, std::string_view label) const;
    /// label: "module.dll!function", or what stands for a function without a name.
    [[nodiscard]] FunctionTags of(std::string_view label) const;
    /// What a neighbour of an entry point of a hint tag is called: "RPC\server.dll", "RPC\server.dll\Class::call".
    [[nodiscard]] std::string hintedName(StackTagIndex tag, std::string_view label) const;

    /// One tag in a file.
    struct Definition {
        enum class Kind : std::uint8_t { Plain, OfCallee, OfCaller };
        struct Entry {
            std::string module; ///< patterns, lowered
            std::string method;
        };
        Kind kind = Kind::Plain;
        std::string name; ///< whole
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
    /// Patterns whose module is a name, by that: most are. Else all others.
    tsl::robin_map<std::string, std::vector<Pattern>, SeededHash> ofModule_;
    std::vector<Pattern> ofAnyModule_;
    std::vector<std::string> remarks_;
};

/// The tags of a file, those that stand in another before it, and what was passed over. Errors as StackTags::add.
struct StackTagFile {
    std::vector<StackTags::Definition> tags;
    std::vector<std::string> remarks;
};
[[nodiscard]] Result<StackTagFile> readStackTagFile(std::string_view bytes, const std::string& name);

} // namespace highwater::analysis
