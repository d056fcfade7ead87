#include "core/source/etw/etw_properties_windows.h"

#include "core/source/etw/heap_session_extension.h"

#include <algorithm>
#include <cstring>

namespace highwater::source {
namespace {

constexpr ULONG kClockQpc = 1;
constexpr ULONG kFlushSeconds = 1;
constexpr std::size_t kMostNameLetters = 1024;
constexpr std::size_t kWord = sizeof(std::uint32_t);

static_assert(sizeof(EVENT_TRACE_PROPERTIES) == 120 && sizeof(WNODE_HEADER) == 48, "the layout of 64-bit Windows");

} // namespace

void EtwProperties::prepare(std::size_t bytes) {
    block_.assign((bytes + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t), 0);
    auto& properties = *get();
    properties.Wnode.BufferSize = static_cast<ULONG>(this->bytes());
    properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    properties.LoggerNameOffset = sizeof(EVENT_TRACE_PROPERTIES);
}

EtwProperties::EtwProperties(const EtwSessionShape& shape) {
    const auto nameBytes = (shape.name.size() + 1) * sizeof(wchar_t);
    const auto extensionAt = (sizeof(EVENT_TRACE_PROPERTIES) + nameBytes + kWord - 1) / kWord * kWord;
    prepare(extensionAt + shape.extension.size() * kWord);
    auto& properties = *get();
    properties.Wnode.ClientContext = kClockQpc;
    properties.Wnode.Guid = shape.guid;
    properties.BufferSize = shape.bufferKb;
    properties.MinimumBuffers = shape.leastBuffers;
    properties.MaximumBuffers = shape.mostBuffers;
    properties.LogFileMode = shape.mode;
    properties.FlushTimer = kFlushSeconds;
    if (shape.extension.empty()) return;
    properties.EnableFlags = extensionFlags(extensionAt);
    std::memcpy(reinterpret_cast<std::byte*>(get()) + extensionAt, shape.extension.data(),
                shape.extension.size() * kWord);
}

// Reserves room for the file name as well, because the system returns both names. Its offset is not set, which other
// recorders found to be safe.
EtwProperties::EtwProperties() { prepare(sizeof(EVENT_TRACE_PROPERTIES) + 2 * kMostNameLetters * sizeof(wchar_t)); }

std::wstring EtwProperties::name() {
    const auto* letters =
        reinterpret_cast<const wchar_t*>(reinterpret_cast<const std::byte*>(get()) + sizeof(EVENT_TRACE_PROPERTIES));
    const auto most = (bytes() - sizeof(EVENT_TRACE_PROPERTIES)) / sizeof(wchar_t);
    return {letters, std::find(letters, letters + most, L'\0')};
}

} // namespace highwater::source
