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

/// What a table can be written as for other tools, each by the room of its name.
enum class TraceFormat : std::uint8_t { Pprof, Speedscope, Sqlite, Report };

/// All that is known of a format for who offers it.
struct TraceFormatSpec {
    TraceFormat format;
    std::string_view word;     ///< in names of commands
    std::string_view name;     ///< in menus
    std::string_view fileKind; ///< in the dialog that asks for a file's name
    std::string_view suffix;   ///< without a dot
};
/// In the order in which they are offered.
[[nodiscard]] std::span<const TraceFormatSpec> traceFormats();
[[nodiscard]] const TraceFormatSpec& specOf(TraceFormat format);
/// Whether rows of this table can be written so.
[[nodiscard]] bool isOffered(TraceFormat format, analysis::Table table);

/// A table on screen, as what is written. A plain value.
struct TraceExport {
    std::shared_ptr<const store::PublishedTrace> trace;
    std::shared_ptr<analysis::FrameLabels> labels;
    analysis::Query query;
    std::vector<std::string> traces;  ///< names of its files; empty: it is a recording that was not saved
    std::vector<std::string> filters; ///< what the filter says, for people
    std::string filterQuery;          ///< the same as one query, where it is one
    TraceProperties properties;       ///< when it was recorded, as far as that is known
};

/// Writes a file that appears when it is whole. Returns how many rows, samples or stacks it has. Any thread. Errors:
/// Cancelled; Usage for tables that it is not offered for; those of files.
[[nodiscard]] Result<std::size_t> writeTraceFormat(TraceFormat format, const TraceExport& what,
                                                   const std::filesystem::path& file, const std::stop_token& stop = {},
                                                   const exports::ExportProgress& progress = {});

/// What whoever passes the file on must know of it: that it holds command lines. Empty: nothing.
[[nodiscard]] std::string noteOn(TraceFormat format, const store::PublishedTrace& trace);

} // namespace highwater::formats
