#pragma once

#include "core/base/result.h"
#include "core/etl/etl_writer.h"
#include "core/etl/raw_record.h"
#include "core/files/output_file.h"
#include "core/pipeline/spool/spool.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace highwater::pipeline {

/// The recording under the name that the user chose. It is first written to another file in that folder, which replaces
/// an existing file when it is complete. On failure it is deleted (see PendingFile). Any thread; these functions block.

/// `write` fills the file that it is given and closes it.
[[nodiscard]] Result<void> writeBeside(const std::filesystem::path& path,
                                       const std::function<Result<void>(std::unique_ptr<OutputFile>)>& write);
/// The first `bytes` of a file that may be growing. Does nothing if both names refer to one file.
[[nodiscard]] Result<void> saveCopy(const std::filesystem::path& from, std::uint64_t bytes,
                                    const std::filesystem::path& to);
/// A closed trace, with records that arrived later.
[[nodiscard]] Result<void> saveWithLate(const std::filesystem::path& from, std::span<const etl::RawRecord> late,
                                        const RecordingLosses& lost, etl::Compression compression,
                                        const std::filesystem::path& to);
/// Compresses the plain buffers of a closed trace that was to be compressed. Returns its new size in bytes.
[[nodiscard]] Result<std::uint64_t> packInPlace(const std::filesystem::path& path);
[[nodiscard]] Error cannotSave(const std::filesystem::path& path, const std::string& why);

} // namespace highwater::pipeline
