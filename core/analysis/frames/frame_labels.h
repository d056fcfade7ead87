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

/// What stands behind the name of a function that was inlined where its row stands.
inline constexpr std::string_view kInlinedMark = " [inlined]";
/// A label without kInlinedMark: what patterns and conditions are about.
[[nodiscard]] std::string_view withoutInlinedMark(std::string_view label);
/// Whether what stands behind the ! of a label is where the frame lies, as nobody knew its function: "+0x1234".
[[nodiscard]] bool isOffset(std::string_view function);

/// Patterns `module!function` of allocator frames ("ntdll.dll!Rtl*Heap*"), * matches any text, case-insensitive.
/// `module!*` matches frames of the module without a name, too; inlined functions match by their names. Immutable.
class AllocatorFrames {
  public:
    /// One pattern a line, # begins a comment. Lines without '!' are ignored and returned by rejected().
    explicit AllocatorFrames(std::string_view text);
    /// The list that is built in (resources/allocator_frames.txt).
    static std::shared_ptr<const AllocatorFrames> builtIn();
    /// The same list as its author wrote it, to be edited.
    static std::string_view builtInText();
    /// The one for managed objects (resources/managed_allocator_frames.txt).
    static std::shared_ptr<const AllocatorFrames> builtInManaged();
    /// Frames of runtimes and containers (resources/runtime_frames.txt): who holds memory is looked for behind them.
    static std::shared_ptr<const AllocatorFrames> builtInRuntime();

    [[nodiscard]] bool matches(std::string_view label) const;
    [[nodiscard]] const std::vector<std::string>& rejected() const { return rejected_; }

  private:
    /// Patterns by what a text that matches begins with.
    class ByStart {
      public:
        void add(std::string pattern);
        [[nodiscard]] bool matches(std::string_view text) const;

      private:
        std::array<std::vector<std::string>, 256> byFirst_; ///< character
        std::vector<std::string> others_;                   ///< that begin with anything, or are empty
    };

    ByStart ofLabels_;
    ByStart ofFunctions_; ///< what follows *! in a pattern that begins so
    std::vector<std::string> rejected_;
};

/// What is known of the code behind one row of a frame.
struct RowCode {
    CodeLocation place;
    const symbols::ModuleNames* names = nullptr;   ///< null: none of the module
    std::span<const symbols::ResolvedFrame> chain; ///< innermost first, as NameView has it; empty: no name
    std::size_t index = 0;                         ///< of the row's own function in the chain
    std::string generatedModule;                   ///< of code that a runtime generated: "MyApp.dll"
    std::string generatedName;                     ///< and its function, with its arguments
    Address generatedStart = 0;                    ///< and where that begins
};

/// Whether the symbol at a frame's address names it: public symbols and exports say where a function begins, not where
/// it ends, and one that is far before an address is another function's.
[[nodiscard]] bool isNamedBy(const symbols::ResolvedFunction& function, const symbols::ResolvedFrame& frame);

/// The labels of one trace's frames: `module.dll!function` where the function's name is known, else
/// `module.dll!+0x1234`, outside any module `0x7ff...`. Code that a runtime generated is called as the runtime says:
/// `MyApp.dll!Namespace.Type.Method`; `[stub]` is what it does not name. All addresses of a function have one label.
/// Functions whose code was inlined have rows of their own, `module.dll!function [inlined]`. Label ids keep their texts
/// for the life of the object, through all publications of the trace; which frames a label stands for changes when
/// names arrive: see renewed(). Any thread.
class FrameLabels {
  public:
    static constexpr LabelId kNoStack{0}; ///< "(no stack)"
    static constexpr LabelId kNotResolved{
        1}; ///< "(stack not resolved)": its frames were promised and have not come yet
    /// names: where functions' names come from, asked at every labelsOf(). Null: there are none.
    explicit FrameLabels(std::shared_ptr<const symbols::NameSource> names = nullptr);
    ~FrameLabels();

    /// Short names to begin with. Takes effect with the next labelsOf().
    void setNameStyle(symbols::NameStyle style);
    /// Those that are built in to begin with. Takes effect with the next labelsOf(). Not null.
    void setStackTags(std::shared_ptr<const StackTags> tags);
    /// Labels of at least nodes [0, trace.nodeCount), kept while the trace's images and the names stay the same.
    [[nodiscard]] std::shared_ptr<const NodeLabels> labelsOf(const store::PublishedTrace& trace);
    /// Lives as long as the object.
    [[nodiscard]] std::string_view text(LabelId label) const;
    /// Those of all labels that there are by now: where many are asked for. visit must not call this object.
    using VisitText = std::function<void(LabelId, std::string_view)>;
    void visitTexts(const VisitText& visit) const;
    /// The label in the short style, whatever the style is, without kInlinedMark: what patterns of tags are about.
    [[nodiscard]] std::string nameOf(LabelId label) const;
    /// Any text as a label, such as a place in a source file.
    [[nodiscard]] LabelId textId(const std::string& text);

    /// What the frames of a path that was remembered are called in `labels`, which labelsOf() returned. skipped: the
    /// allocator frames that the path's stack column leaves out; null: none.
    [[nodiscard]] std::vector<RenewedFrame> renewed(const LabelHistory::Path& path, const AllocatorFrames* skipped,
                                                    LabelHistory::Wanted wanted, const NodeLabels& labels) const;
    /// Nothing: the row is not in these labels. Points into `labels`.
    [[nodiscard]] std::optional<RowCode> code(const NodeLabels& labels, FrameRow row) const;
    /// What debug files are asked about the frames whose functions have one of these labels: node by node; those that
    /// no debug file knows are passed over. visit must not call this object.
    using VisitAsked = std::function<void(FrameNodeId, CodeLocation::Asked)>;
    void visitAsked(const NodeLabels& labels, std::span<const LabelId> wanted, const VisitAsked& visit) const;

    [[nodiscard]] bool isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;
    /// Whether any of its frames is an allocator frame as long as it has no name.
    [[nodiscard]] bool wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
