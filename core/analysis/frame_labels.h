#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published_trace.h"
#include "core/symbols/name_source.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::analysis {

/// What a frame is called, interned: frames with the same label are the same function in every view.
using LabelId = Id<struct LabelTag>;

/// Patterns `module!function` of allocator frames ("ntdll.dll!Rtl*Heap*"), * matches any text, case-insensitive.
/// `module!*` matches frames of the module without a name, too. Immutable.
class AllocatorFrames {
  public:
    /// One pattern a line, # begins a comment. Lines without '!' are ignored and returned by rejected().
    explicit AllocatorFrames(std::string_view text);
    /// The list that is built in (resources/allocator_frames.txt).
    static std::shared_ptr<const AllocatorFrames> builtIn();
    /// The same list as its author wrote it, to be edited.
    static std::string_view builtInText();

    [[nodiscard]] bool matches(std::string_view label) const;
    [[nodiscard]] const std::vector<std::string>& rejected() const { return rejected_; }

  private:
    std::vector<std::string> patterns_;
    std::vector<std::string> rejected_;
};

/// The labels of one trace's frames: `module.dll!function` where the function's name is known, else
/// `module.dll!+0x1234`, outside any module `0x7ff...`. All addresses of a function have one label. Label ids keep
/// their texts for the life of the object, through all publications of the trace; which frames a label stands for
/// changes when names arrive: see renewed(). Any thread.
class FrameLabels {
  public:
    static constexpr LabelId kNoStack{0}; ///< "(no stack)"
    static constexpr LabelId kNotResolved{
        1}; ///< "(stack not resolved)": its frames were promised and have not come yet

    /// names: where functions' names come from, asked at every labelsOf(). Null: there are none.
    explicit FrameLabels(std::shared_ptr<const symbols::NameSource> names = nullptr);
    ~FrameLabels();

    /// Labels of at least nodes [0, trace.nodeCount), kept while the trace's images and the names stay the same.
    /// Index = FrameNodeId. Nodes of depth 0 have label 0, which is "(no stack)".
    [[nodiscard]] std::shared_ptr<const std::vector<LabelId>> labelsOf(const store::PublishedTrace& trace);
    [[nodiscard]] std::string text(LabelId label) const;
    /// What the frames that `label` ever stood for are called in `labels`, which labelsOf() returned: the label itself
    /// first if it is still among them; never empty. Usually one; several after names were taken back.
    [[nodiscard]] std::vector<LabelId> renewed(LabelId label, const std::vector<LabelId>& labels) const;

    [[nodiscard]] bool isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;
    /// Whether any of its frames is an allocator frame as long as it has no name.
    [[nodiscard]] bool wasAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
