#include "core/source/systems/capture_log.h"

#include "core/base/counted.h"
#include "core/log/log.h"

#include <fmt/format.h>

namespace highwater::source {
namespace {

std::string labelOf(const CaptureOptions& options) {
    std::string words;
    for (const auto& [isOn, word] : {std::pair{options.heap, "heap"},
                                     {options.virtualAlloc, "VirtualAlloc"},
                                     {options.stacksOnFree, "stacks of frees"},
                                     {options.children, "children"},
                                     {options.managedNames, "names of managed code"}}) {
        if (isOn) words += (words.empty() ? "" : ", ") + std::string(word);
    }
    return words;
}

} // namespace

void logLaunch(const CaptureLaunch& launch, const CaptureOptions& options) {
    log(LogLevel::Information, LogArea::Recording,
        fmt::format("Starting {} with {}, to record: {}.", launch.program, counted(launch.arguments.size(), "argument"),
                    labelOf(options)));
}

void logAttach(std::uint32_t pid, const CaptureOptions& options) {
    log(LogLevel::Information, LogArea::Recording,
        fmt::format("Attaching to process {}, to record: {}.", pid, labelOf(options)));
}

std::vector<std::string> loggedCleanUp(std::vector<std::string> sentences) {
    for (const auto& sentence : sentences)
        log(LogLevel::Warning, LogArea::Recording, sentence);
    return sentences;
}

} // namespace highwater::source
