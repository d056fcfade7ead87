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

/// The parts of a trace to be named. Empty lists: everything; several lists: their intersection.
struct SymbolScope {
    std::vector<ProcessIndex> processes;
    std::vector<store::ModuleIndex> modules;
    /// File names, in which * matches any text and ? any letter, case-insensitive: "app*.exe".
    std::vector<std::string> processNames, moduleNames;
};

/// The symbols that the frames of one module need.
struct ModuleDemand {
    store::ModuleIndex module;
    std::vector<symbols::Rva> addresses; ///< sorted, without duplicates
    std::uint64_t frames = 0;            ///< distinct frames of stacks
    ByteCount bytes = 0;                 ///< begin sizes of the rows whose stacks pass through the module
};

/// The symbols that the frames of one trace need, through its publications. Their places are determined once, unless
/// there are too many for this to be worth the memory. Any thread; call it from a worker.
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

/// The addresses of frames with one of these labels, for frames on screen. Does not count frames and bytes. The labels
/// already know the places of frames. Any thread; call it from a worker.
[[nodiscard]] std::vector<ModuleDemand> symbolDemandOfLabels(const store::PublishedTrace& trace,
                                                             const SymbolScope& scope, analysis::FrameLabels& labels,
                                                             std::span<const analysis::LabelId> wanted);

} // namespace highwater::pipeline
