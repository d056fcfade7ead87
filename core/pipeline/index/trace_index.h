#pragma once

#include "core/base/result.h"
#include "core/event/trace_notes.h"
#include "core/files/mapped_file.h"
#include "core/files/output_file.h"
#include "core/pipeline/index/trace_facts.h"
#include "core/store/published/published_trace.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace highwater::pipeline {

/// All data of a trace that was read to its end.
struct IndexedTrace {
    std::shared_ptr<const store::PublishedTrace> trace;
    TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
};

/// A loaded trace as a file. When it is opened again, it is mapped, and its columns become the trace's. The file
/// contains a header; the columns in their memory representation; all other data (index_archive.h); a checksum for
/// every block of these.
///
/// `key`: identifies the trace and the writer. A file with another key is not used (traceIndexKey). `named`: the names
/// by which the trace's files were opened.

/// Approximate size of the file in bytes.
[[nodiscard]] std::uint64_t traceIndexBytes(const IndexedTrace& trace);
/// The trace's columns must no longer be written. Error: the disk is full or does not respond, or a stop was requested.
[[nodiscard]] Result<void> writeTraceIndex(OutputFile& file, const std::string& key,
                                           const std::vector<std::string>& named, const IndexedTrace& trace,
                                           const std::stop_token& stop);
/// The trace, which keeps the file mapped. Nothing if the file belongs to another trace, is damaged or incomplete, or
/// if the trace's files were renamed and sentences of the trace contain their names. Reads every byte.
[[nodiscard]] std::optional<IndexedTrace> readTraceIndex(const std::shared_ptr<const MappedFile>& file,
                                                         const std::string& key, const std::vector<std::string>& named);

} // namespace highwater::pipeline
