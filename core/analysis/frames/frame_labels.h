#pragma once

#include "core/analysis/frames/code_locations.h"
#include "core/analysis/frames/label_history.h"
#include "core/analysis/frames/node_labels.h"
#include "core/analysis/tags/stack_tags.h"
#include "core/base/units.h"
#include "core/store/published/published_trace.h"
#include "core/symbols/answers/name_source.h"
#include "core/symbols/demangling/function_name.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// The suffix of the name of an inlined function in its own row.
inline constexpr std::string_view kInlinedMark = " [inlined]";
/// A label without kInlinedMark, as used by patterns and conditions.
[[nodiscard]] std::string_view withoutInlinedMark(std::string_view label);
/// Whether the part of a label after the ! is an offset because the function is unknown: "+0x1234".
[[nodiscard]] bool isOffset(std::string_view function);

/// Patterns `module!function` for allocator frames ("ntdll.dll!Rtl*Heap*"), where * matches any text, case-insensitive.
/// `module!*` also matches unnamed frames of the module. Inlined functions match by name. Immutable.
class AllocatorFrames {
  public:
    /// One pattern per line; # starts a comment. Lines without '!' are ignored and returned by rejected().
    explicit AllocatorFrames(std::string_view text);
    /// The built-in list (resources/allocator_frames.txt).
    static std::shared_ptr<const AllocatorFrames> builtIn();
    /// The original text of the list, for editing.
    static std::string_view builtInText();
    /// The list for managed objects (resources/managed_allocator_frames.txt).
    static std::shared_ptr<const AllocatorFrames> builtInManaged();
    /// Frames of runtimes and containers (resources/runtime_frames.txt), which are skipped when the holder of memory is
    /// determined.
    static std::shared_ptr<const AllocatorFrames> builtInRuntime();
    /// Frames of interpreters (resources/interpreter_frames.txt), which hold memory for the program that they execute.
    static std::shared_ptr<const AllocatorFrames> builtInInterpreters();

    [[nodiscard]] bool matches(std::string_view label) const;
    [[nodiscard]] const std::vector<std::string>& rejected() const { return rejected_; }

  private:
    /// Patterns by the first character of a matching text.
    class ByStart {
      public:
        void add(std::string pattern);
        [[nodiscard]] bool matches(std::string_view text) const;

      private:
        std::array<std::vector<std::string>, 256> byFirst_; ///< character
        std::vector<std::string> others_;                   ///< patterns that match any first character, or are empty
    };

    ByStart ofLabels_;
    ByStart ofFunctions_; ///< the rest of patterns that start with *!
    std::vector<std::string> rejected_;
};

/// The symbol data for the code of one row of a frame.
struct RowCode {
    CodeLocation place;
    const symbols::ModuleNames* names = nullptr;   ///< null: no names for the module
    std::span<const symbols::ResolvedFrame> chain; ///< innermost first, as in NameView; empty: no name
    std::size_t index = 0;                         ///< index of the row's own function in the chain
    std::string generatedModule;                   ///< for code that a runtime generated: "MyApp.dll"
    std::string generatedName;                     ///< its function, with arguments
    Address generatedStart = 0;                    ///< start of that function
};

/// Whether the symbol at a frame's address names it. Public symbols and exports contain the start of a function but not
/// its end, so one that is far before an address belongs to another function.
[[nodiscard]] bool isNamedBy(const symbols::ResolvedFunction& function, const symbols::ResolvedFrame& frame);

/// The labels of the frames of one trace: `module.dll!function` if the function's name is known, otherwise
/// `module.dll!+0x1234`, or `0x7ff...` outside any module. Code that a runtime generated has the runtime's name:
/// `MyApp.dll!Namespace.Type.Method`, or `[stub]` if the runtime does not name it. All addresses of a function have one
/// label. Functions whose code was inlined have their own rows, `module.dll!function [inlined]`. Label ids keep their
/// texts for the life of the object, through all publications of the trace. The frames of a label change when names
/// arrive: see renewed(). Any thread.
class FrameLabels {
  public:
    static constexpr LabelId kNoStack{0}; ///< "(no stack)"
    static constexpr LabelId kNotResolved{1}; ///< "(stack not resolved)": its frames are expected but have not arrived
    /// names: source of function names, queried by every labelsOf(). Null: no names.
    explicit FrameLabels(std::shared_ptr<const symbols::NameSource> names = nullptr);
    ~FrameLabels();

    /// Initially short names. Takes effect with the next labelsOf().
    void setNameStyle(symbols::NameStyle style);
    /// Initially the built-in tags. Takes effect with the next labelsOf(). Not null.
    void setStackTags(std::shared_ptr<const StackTags> tags);
    /// Labels of at least nodes [0, trace.nodeCount), cached while the trace's images and the names do not change.
    [[nodiscard]] std::shared_ptr<const NodeLabels> labelsOf(const store::PublishedTrace& trace);
    /// Valid for the life of the object.
    [[nodiscard]] std::string_view text(LabelId label) const;
    /// Visits all current labels; faster than many single calls. visit must not call this object.
    using VisitText = std::function<void(LabelId, std::string_view)>;
    void visitTexts(const VisitText& visit) const;
    /// The label in the short style, regardless of the current style, without kInlinedMark, as used by tag patterns.
    [[nodiscard]] std::string nameOf(LabelId label) const;
    /// The label for any text, such as a source position.
    [[nodiscard]] LabelId textId(const std::string& text);

    /// The current names of the frames of a remembered path in `labels`, a result of labelsOf(). skipped: the allocator
    /// frames that the path's stack column omits; null: none.
    [[nodiscard]] std::vector<RenewedFrame> renewed(const LabelHistory::Path& path, const AllocatorFrames* skipped,
                                                    LabelHistory::Wanted wanted, const NodeLabels& labels) const;
    /// Nothing: the row is not in these labels. Points into `labels`.
    [[nodiscard]] std::optional<RowCode> code(const NodeLabels& labels, FrameRow row) const;
    /// Visits the debug file requests for the frames whose functions have one of these labels, node by node; frames
    /// that no debug file covers are skipped. visit must not call this object.
    using VisitAsked = std::function<void(FrameNodeId, CodeLocation::Asked)>;
    void visitAsked(const NodeLabels& labels, std::span<const LabelId> wanted, const VisitAsked& visit) const;

    [[nodiscard]] bool isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;
    /// Whether any of its frames is an allocator frame while it has no name.
    [[nodiscard]] bool wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
