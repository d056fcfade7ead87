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

/// All that is known of a trace that was read to its end.
struct IndexedTrace {
    std::shared_ptr<const store::PublishedTrace> trace;
    TraceFacts facts;
    std::shared_ptr<const TraceNotes> notes;
};

/// What a trace was made to, as a file: opened again, it is mapped, and its columns are the trace's. The file: a
/// header; the columns, each as it lies in memory; all else (index_archive.h); a checksum for every block of these.
///
/// `key`: what the file is of, and who wrote it: a file with another key is none (traceIndexKey). `named`: the names by
/// which the trace's files were opened.

/// About how long the file will be, in bytes.
[[nodiscard]] std::uint64_t traceIndexBytes(const IndexedTrace& trace);
/// Nobody may write the trace's columns any more. Error: the disk is full or does not answer, or the wish to stop.
[[nodiscard]] Result<void> writeTraceIndex(OutputFile& file, const std::string& key,
                                           const std::vector<std::string>& named, const IndexedTrace& trace,
                                           const std::stop_token& stop);
/// The trace, which keeps the file mapped. Nothing: it is another's, damaged, or not whole; or the trace's files have
/// other names now, and sentences of the trace name them. Looks at every byte.
[[nodiscard]] std::optional<IndexedTrace> readTraceIndex(const std::shared_ptr<const MappedFile>& file,
                                                         const std::string& key, const std::vector<std::string>& named);

} // namespace highwater::pipeline
