#pragma once

#include "core/pipeline/crop/trace_crop.h"
#include "tests/core/pipeline/trace_files.h"
#include "tests/fixtures/trace_builder.h"

#include <QTemporaryDir>

#include <filesystem>
#include <string>
#include <vector>

namespace highwater::crops {

inline Result<pipeline::CropResult> crop(const std::filesystem::path& trace, const std::filesystem::path& output,
                                         TimeRange interval, std::vector<std::string> processes = {}) {
    Progress progress;
    return pipeline::cropTrace(
        {.traces = {trace}, .output = output, .interval = interval, .processes = std::move(processes)}, {}, progress);
}

inline TimeRange between(double from, double to) { return {fixtures::seconds(from), fixtures::seconds(to)}; }

inline std::vector<std::string> filesIn(const QTemporaryDir& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path().toStdString()))
        names.push_back(entry.path().filename().string());
    return names;
}

inline const char* text(const Result<pipeline::CropResult>& result) {
    return result.hasValue() ? "cropped" : result.error().message.c_str();
}

inline constexpr Address kHeap = 0x1D0000;
inline constexpr auto kMain = "a.exe!main";

/// A program with one heap.
inline fixtures::TraceBuilder smallStory(const fixtures::TraceShape& shape = {}) {
    fixtures::TraceBuilder trace(shape);
    trace.processRunsAlready({.pid = 10, .name = "a.exe", .mainTid = 11, .modules = {"ntdll.dll"}});
    trace.processRunsAlready({.pid = 20, .name = "B.exe", .mainTid = 21, .modules = {"ntdll.dll"}});
    trace.endsAt(fixtures::seconds(10));
    return trace;
}

} // namespace highwater::crops
