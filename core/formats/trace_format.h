#pragma once

#include "core/analysis/frames/frame_labels.h"
#include "core/analysis/table/table_query.h"
#include "core/base/result.h"
#include "core/event/trace_properties.h"
#include "core/export/table_walk.h"
#include "core/store/published/published_trace.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace highwater::formats {

/// Formats of other tools for tables, each implemented in the folder of its name.
enum class TraceFormat : std::uint8_t { Pprof, Speedscope, Sqlite, Report };

/// Description of a format for menus and commands.
struct TraceFormatSpec {
    TraceFormat format;
    std::string_view word;     ///< in command names
    std::string_view name;     ///< in menus
    std::string_view fileKind; ///< in the file dialog
    std::string_view suffix;   ///< without a dot
};
/// In display order.
[[nodiscard]] std::span<const TraceFormatSpec> traceFormats();
[[nodiscard]] const TraceFormatSpec& specOf(TraceFormat format);
/// Whether rows of this table can be written in the format.
[[nodiscard]] bool isOffered(TraceFormat format, analysis::Table table);

/// A table on screen, prepared for export. A plain value.
struct TraceExport {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    std::vector<std::string> traces;  ///< names of its files; empty: a recording that was not saved
    std::vector<std::string> filters; ///< readable texts of the filter
    std::string filterQuery;          ///< the filter as a single query, if possible
    TraceProperties properties;       ///< including the time of the recording, if known
};

/// Writes a file that appears when it is complete. Returns its number of rows, samples or stacks. Any thread. Errors:
/// Cancelled; Usage for tables that do not support the format; those of files.
[[nodiscard]] Result<std::size_t> writeTraceFormat(TraceFormat format, const TraceExport& what,
                                                   const std::filesystem::path& file, const std::stop_token& stop = {},
                                                   const exports::ExportProgress& progress = {});

/// A note for users who share the file: it contains command lines. Empty: nothing to note.
[[nodiscard]] std::string noteOn(TraceFormat format, const store::PublishedTrace& trace);

} // namespace highwater::formats
