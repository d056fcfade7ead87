#pragma once

#include "core/base/byte_reader.h"
#include "core/event/module_identity.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace highwater::source {

/// How a Windows program or library lies where it is read: its parts keep their distances in memory, and are moved
/// together in the file.
enum class ImageLayout { File, Memory };

/// Reads bytes of an image: as many of those asked for as there are, from the offset on.
using ReadImage = std::function<ByteSpan(std::uint64_t offset, std::size_t bytes)>;

/// What names the PDB of an image (its RSDS record), and which version of the file it is. Nothing: it is no image; an
/// empty pdbName: it names no PDB. Every offset in it is checked by `read`. For the time in which an image can still be
/// asked: the kernel's events do not say it (docs/etw.md 4.7).
/// Layout: https://learn.microsoft.com/windows/win32/debug/pe-format
[[nodiscard]] std::optional<ModuleIdentity> readImageIdentity(const ReadImage& read, ImageLayout layout);
/// The identity that a whole file gives.
[[nodiscard]] std::optional<ModuleIdentity> readImageIdentity(ByteSpan file);
/// Whether the file is a program for 32-bit processors.
[[nodiscard]] bool isImage32Bit(ByteSpan file);

} // namespace highwater::source
