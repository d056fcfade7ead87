#pragma once

#include "core/base/ids.h"
#include "core/base/units.h"
#include "core/store/published_trace.h"

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

/// The labels of one trace's frames: `module.dll!function`, without symbols `module.dll!+0x1234`, outside any module
/// `0x7ff...`. Label ids stay valid for the life of the object, through all publications of the trace. Any thread.
class FrameLabels {
  public:
    static constexpr LabelId kNoStack{0}; ///< "(no stack)"
    static constexpr LabelId kNotResolved{
        1}; ///< "(stack not resolved)": its frames were promised and have not come yet

    FrameLabels();
    ~FrameLabels();

    /// Labels of nodes [0, trace.nodeCount), computed once and kept while the trace's images stay the same.
    /// Index = FrameNodeId. Nodes of depth 0 have label 0, which is "(no stack)".
    [[nodiscard]] std::shared_ptr<const std::vector<LabelId>> labelsOf(const store::PublishedTrace& trace);
    [[nodiscard]] std::string text(LabelId label) const;
    [[nodiscard]] bool isAllocatorFrame(LabelId label, const AllocatorFrames& frames) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace highwater::analysis
