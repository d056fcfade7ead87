#pragma once

#include "core/base/result.h"
#include "core/files/file_data.h"
#include "core/files/mapped_file.h"

#include <filesystem>
#include <memory>
#include <stop_token>
#include <vector>

namespace highwater::pipeline {

struct CoreBytes {
    std::shared_ptr<const MappedFile> file;
    std::vector<FileRange> data; ///< parts that may contain other bytes than zeros
};

/// Opens a core file. One that is packed by gzip or Zstandard, as systemd-coredump stores it, is unpacked to a scratch
/// file first. Errors: those of the files; NotATrace (LZ4, xz and others, with the command that unpacks them), Damaged,
/// Io (it would take more than half of the free space, or has more than 1 TB), Cancelled. Any thread.
[[nodiscard]] Result<CoreBytes> openCoreBytes(const std::filesystem::path& path, const std::stop_token& stop);

} // namespace highwater::pipeline
