#include "core/analysis/balance/memory_layer.h"

namespace highwater::analysis {
namespace {

struct LayerText {
    std::string_view id;
    std::string_view name;
    std::string_view meaning;
};

constexpr std::array<LayerText, kMemoryLayers> kLayerTexts{{
    {"live", "Live blocks", "The part in RAM of blocks that the program has allocated and not yet freed."},
    {"rounding", "Rounding", "Headers of live blocks and the rounding of their sizes by the allocator."},
    {"held_free", "Free, held",
     "Free heap memory on pages that also have a live block. The allocator cannot return these pages."},
    {"returnable", "Free, returnable",
     "Heap pages without a live block. The allocator could return them to the system, but has not."},
    {"mapped", "Mapped by the program",
     "Pages that the program requested from the system itself, by mmap, sbrk or VirtualAlloc."},
    {"stacks", "Stacks", "Stacks of the main thread and of other threads."},
    {"code", "Generated code and runtimes",
     "Code that the program generated while it ran, and memory that a runtime has named, such as its heap."},
    {"images", "Program and libraries", "Code and data of the program and its libraries."},
    {"files", "Mapped files", "Files that the program maps into memory, other than its libraries."},
    {"shared", "Shared memory",
     "Memory without a file that several processes can map: shared memory objects, memfd, System V, sections."},
    {"highwater", "Highwater", "Highwater's recorder library and its buffers, which exist only during a recording."},
    {"unknown", "Unknown", "Memory that belongs to none of the other layers. Its mappings are listed below."},
}};

const LayerText& textOf(MemoryLayer layer) { return kLayerTexts[static_cast<std::size_t>(layer)]; }

} // namespace

std::string_view layerId(MemoryLayer layer) { return textOf(layer).id; }
std::string_view layerName(MemoryLayer layer) { return textOf(layer).name; }
std::string_view layerMeaning(MemoryLayer layer) { return textOf(layer).meaning; }

std::optional<MemoryLayer> layerOfId(std::string_view id) {
    for (const auto layer : allMemoryLayers()) {
        if (layerId(layer) == id) return layer;
    }
    return std::nullopt;
}

} // namespace highwater::analysis
