#pragma once

#include "core/analysis/frames/code_locations.h"
#include "core/analysis/frames/frame_labels.h"
#include "core/store/published/published_trace.h"
#include "core/symbols/answers/resolved_addresses.h"

#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// What of a trace is to be named. Empty lists: everything; several lists: what all of them allow.
struct SymbolScope {
    std::vector<ProcessIndex> processes;
    std::vector<store::ModuleIndex> modules;
    /// File names, where * is any text and ? any letter, without regard to case: "app*.exe".
    std::vector<std::string> processNames, moduleNames;
};

/// What the frames of one module ask for.
struct ModuleDemand {
    store::ModuleIndex module;
    std::vector<symbols::Rva> addresses; ///< sorted, each once
    std::uint64_t frames = 0;            ///< distinct frames of stacks
    ByteCount bytes = 0;                 ///< sizes of the rows whose stacks pass through the module, at their begin
};

/// What the frames of one trace ask for, through its publications: where they lie is found once, unless there are so
/// many that this is not worth their memory. Any thread; call it from a worker.
class SymbolDemand {
  public:
    /// The modules that own frames of the stacks, those with the most bytes first. One pass over rows and nodes.
    [[nodiscard]] std::vector<ModuleDemand> ofAll(const store::PublishedTrace& trace, const SymbolScope& scope);

  private:
    std::mutex mutex_; ///< guards places_
    std::optional<analysis::CodeLocations> places_;
};

/// SymbolDemand::ofAll() for one publication.
[[nodiscard]] std::vector<ModuleDemand> symbolDemand(const store::PublishedTrace& trace, const SymbolScope& scope);

/// Just the addresses of frames with one of these labels: of what is on screen. No frames and bytes are counted. Where
/// frames lie the labels know already. Any thread; call it from a worker.
[[nodiscard]] std::vector<ModuleDemand> symbolDemandOfLabels(const store::PublishedTrace& trace,
                                                             const SymbolScope& scope, analysis::FrameLabels& labels,
                                                             std::span<const analysis::LabelId> wanted);

} // namespace highwater::pipeline
