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

/// What was recorded, under the name that the user gave. All of it is written elsewhere in that folder first, and takes
/// the place of what is there when it is whole; otherwise nothing is left of it (see PendingFile). Any thread; these
/// block.

/// `write` fills the file that it is given, and closes it.
[[nodiscard]] Result<void> writeBeside(const std::filesystem::path& path,
                                       const std::function<Result<void>(std::unique_ptr<OutputFile>)>& write);
/// The first `bytes` of a file that may be growing. Nothing to do if both names lead to one file.
[[nodiscard]] Result<void> saveCopy(const std::filesystem::path& from, std::uint64_t bytes,
                                    const std::filesystem::path& to);
/// A trace that is closed, with records that came later.
[[nodiscard]] Result<void> saveWithLate(const std::filesystem::path& from, std::span<const etl::RawRecord> late,
                                        const RecordingLosses& lost, etl::Compression compression,
                                        const std::filesystem::path& to);
/// A trace that is closed, and was to be compressed: its plain buffers are packed. How many bytes it has then.
[[nodiscard]] Result<std::uint64_t> packInPlace(const std::filesystem::path& path);
[[nodiscard]] Error cannotSave(const std::filesystem::path& path, const std::string& why);

} // namespace highwater::pipeline
