#pragma once

#include "core/base/byte_reader.h"
#include "core/event/module_identity.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace highwater::source {

/// The layout in which a Windows program or library is read: with the distances of its sections in memory, or packed as
/// in the file.
enum class ImageLayout { File, Memory };

/// Reads bytes of an image from an offset; returns fewer bytes if not all are available.
using ReadImage = std::function<ByteSpan(std::uint64_t offset, std::size_t bytes)>;

/// Reads the identity of an image's PDB (its RSDS record) and the version of its file. Nothing: not an image; an empty
/// pdbName: it has no PDB. `read` checks every offset. Used while the image is available, because the kernel's events
/// do not contain it (docs/etw.md 4.7). Layout: https://learn.microsoft.com/windows/win32/debug/pe-format
[[nodiscard]] std::optional<ModuleIdentity> readImageIdentity(const ReadImage& read, ImageLayout layout);
/// The identity from a complete file.
[[nodiscard]] std::optional<ModuleIdentity> readImageIdentity(ByteSpan file);
/// Whether the file is a program for 32-bit processors.
[[nodiscard]] bool isImage32Bit(ByteSpan file);

} // namespace highwater::source
