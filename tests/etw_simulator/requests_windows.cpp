#include "tests/etw_simulator/requests_windows.h"

#include "core/base/byte_reader.h"
#include "core/etl/class_guids.h"

#include <algorithm>
#include <cstring>
#include <cwchar>
#include <vector>

namespace highwater::etw_simulator {
namespace {

constexpr ULONG kMostBufferKilobytes = 16384;
constexpr ULONG kFileModes =
    EVENT_TRACE_FILE_MODE_SEQUENTIAL | EVENT_TRACE_FILE_MODE_CIRCULAR | EVENT_TRACE_FILE_MODE_NEWFILE;

// The word EnableFlags when it points to an extension: {u16 offset; u8 0xFF; u8 0x80}.
constexpr ULONG kExtension = 0x80000000u, kExtensionForm = 0x80FF0000u;
enum class Item : std::uint16_t { EnableFlags = 1, Pids = 2, StackWalkFilter = 3, PoolTags = 4, StackCaching = 5 };

/// GUID of "NT Kernel Logger", which is not for private system loggers.
constexpr GUID kSystemTraceControl{0x9E814AAD, 0x3204, 0x11D2, {0x9A, 0x82, 0x00, 0x60, 0x08, 0xA8, 0x69, 0x39}};

ULONG checkMode(const EVENT_TRACE_PROPERTIES& properties) {
    const auto mode = properties.LogFileMode;
    const bool isRealTime = (mode & EVENT_TRACE_REAL_TIME_MODE) != 0;
    if (isRealTime && (mode & EVENT_TRACE_BUFFERING_MODE) != 0) return ERROR_INVALID_PARAMETER;
    if ((mode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0 && (mode & EVENT_TRACE_USE_PAGED_MEMORY) != 0) {
        return ERROR_INVALID_PARAMETER;
    }
    if (!isRealTime && (mode & EVENT_TRACE_BUFFERING_MODE) == 0 && properties.LogFileNameOffset == 0) {
        return ERROR_BAD_PATHNAME;
    }
    return (mode & kFileModes) != 0 && properties.LogFileNameOffset == 0 ? ERROR_BAD_PATHNAME : ERROR_SUCCESS;
}

ULONG checkName(const wchar_t* name, const EVENT_TRACE_PROPERTIES& properties) {
    const auto characters = std::wcslen(name);
    if (characters == 0 || characters >= kNameCharacters) return ERROR_INVALID_PARAMETER;
    if (properties.LoggerNameOffset < sizeof(EVENT_TRACE_PROPERTIES)) return ERROR_INVALID_PARAMETER;
    const auto end = properties.LoggerNameOffset + (characters + 1) * sizeof(wchar_t);
    if (end > properties.Wnode.BufferSize) return ERROR_BAD_LENGTH;
    const auto file = properties.LogFileNameOffset;
    return file != 0 && (file < end || file >= properties.Wnode.BufferSize) ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

ULONG checkGuid(const EVENT_TRACE_PROPERTIES& properties) {
    const bool isSystem = (properties.LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0;
    const auto& guid = properties.Wnode.Guid;
    if (IsEqualGUID(guid, kSystemTraceControl)) return ERROR_INVALID_PARAMETER;
    return isSystem && IsEqualGUID(guid, kHeapGuid) ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

ULONG checkFlags(const EVENT_TRACE_PROPERTIES& properties) {
    if ((properties.EnableFlags & kExtension) != 0) return ERROR_SUCCESS; // see readExtension()
    const bool isSystem = (properties.LogFileMode & EVENT_TRACE_SYSTEM_LOGGER_MODE) != 0;
    return properties.EnableFlags != 0 && !isSystem ? ERROR_INVALID_PARAMETER : ERROR_SUCCESS;
}

std::vector<std::uint32_t> wordsAt(const EVENT_TRACE_PROPERTIES& properties, std::size_t offset) {
    const auto* bytes = reinterpret_cast<const std::byte*>(&properties);
    if (offset % 4 != 0 || offset + 4 > properties.Wnode.BufferSize) return {};
    std::uint32_t first = 0;
    std::memcpy(&first, bytes + offset, 4);
    const std::size_t count = first & 0xFFFFu;
    if (count == 0 || offset + count * 4 > properties.Wnode.BufferSize) return {};
    std::vector<std::uint32_t> words(count);
    std::memcpy(words.data(), bytes + offset, count * 4);
    return words;
}

bool readItem(Item type, std::span<const std::uint32_t> data, const Scenario& scenario, Session& session) {
    switch (type) {
    case Item::Pids:
        if (data.empty() || data.size() > std::min<std::size_t>(scenario.mostPids, kMostPids)) return false;
        session.pidCount = static_cast<std::uint32_t>(data.size());
        std::ranges::copy(data, session.pids.begin());
        return true;
    case Item::StackWalkFilter:
        if (data.size() > kMostStackEvents) return false;
        session.stackEventCount = static_cast<std::uint32_t>(data.size());
        std::ranges::transform(data, session.stackEvents.begin(), [](std::uint32_t hook) {
            return StackEvent{static_cast<std::uint8_t>(hook >> 8 & 0xFFu), static_cast<std::uint8_t>(hook & 0xFFu)};
        });
        return true;
    case Item::EnableFlags:
        return data.size() == 8;
    case Item::PoolTags:
        return data.size() <= 4;
    case Item::StackCaching:
        return false; // stacks would come as keys, which are not played
    }
    return false;
}

constexpr ULONG kPidFilter = 0x80000004u, kStackFilter = 0x80001000u, kMostFilterBytes = 1024;

/// A filter of processes is applied, one of stacks only validated: no played event has stacks of that kind.
ULONG readFilter(const EVENT_FILTER_DESCRIPTOR& filter, EnabledProvider& provider) {
    if (filter.Ptr == 0 || filter.Size > kMostFilterBytes) return ERROR_INVALID_PARAMETER;
    const auto* words = reinterpret_cast<const std::uint32_t*>(filter.Ptr);
    switch (filter.Type) {
    case kPidFilter:
        provider.pidCount = filter.Size / sizeof(std::uint32_t);
        if (filter.Size % sizeof(std::uint32_t) != 0 || provider.pidCount > kMostProviderPids)
            return ERROR_INVALID_PARAMETER;
        std::copy_n(words, provider.pidCount, provider.pids.begin());
        return ERROR_SUCCESS;
    case kStackFilter: {
        // EVENT_FILTER_EVENT_ID: u8 FilterIn, u8 reserved, u16 count, u16 ids
        std::uint16_t count = 0;
        if (filter.Size < 4) return ERROR_INVALID_PARAMETER;
        std::memcpy(&count, reinterpret_cast<const std::byte*>(filter.Ptr) + 2, sizeof(count));
        return filter.Size == 4 + count * sizeof(std::uint16_t) ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER;
    }
    default:
        return ERROR_INVALID_PARAMETER;
    }
}

/// Copies the text to its place in the properties; the caller has checked whyNotFill().
void putText(EVENT_TRACE_PROPERTIES& properties, ULONG offset, const wchar_t* text) {
    if (offset == 0) return;
    std::memcpy(reinterpret_cast<std::byte*>(&properties) + offset, text, (std::wcslen(text) + 1) * sizeof(wchar_t));
}

} // namespace

ULONG sessionOf(const wchar_t* name, const EVENT_TRACE_PROPERTIES* properties, const Scenario& scenario,
                Session& session) {
    if (name == nullptr || properties == nullptr) return ERROR_INVALID_PARAMETER;
    const auto& asked = *properties;
    if (asked.Wnode.BufferSize < sizeof(EVENT_TRACE_PROPERTIES)) return ERROR_BAD_LENGTH;
    if ((asked.Wnode.Flags & WNODE_FLAG_TRACED_GUID) == 0) return ERROR_INVALID_PARAMETER;
    if (asked.Wnode.ClientContext > 3 || asked.BufferSize > kMostBufferKilobytes) return ERROR_INVALID_PARAMETER;
    for (const auto problem : {checkName(name, asked), checkMode(asked), checkGuid(asked), checkFlags(asked)}) {
        if (problem != ERROR_SUCCESS) return problem;
    }
    session.guid = asked.Wnode.Guid;
    std::wcscpy(session.name.data(), name);
    session.mode = asked.LogFileMode;
    session.clock = asked.Wnode.ClientContext == 0 ? 1 : asked.Wnode.ClientContext;
    session.bufferKilobytes = asked.BufferSize == 0 ? 64 : asked.BufferSize;
    session.minimumBuffers = std::max<std::uint32_t>(2, asked.MinimumBuffers);
    session.maximumBuffers = std::max<std::uint32_t>(session.minimumBuffers + 20, asked.MaximumBuffers);
    session.flushSeconds = std::max<std::uint32_t>(1, asked.FlushTimer);
    if ((asked.EnableFlags & kExtension) != 0) return readExtension(asked, scenario, session);
    session.kernelFlags = asked.EnableFlags;
    return ERROR_SUCCESS;
}

ULONG readExtension(const EVENT_TRACE_PROPERTIES& properties, const Scenario& scenario, Session& session) {
    if ((properties.EnableFlags & 0xFFFF0000u) != kExtensionForm || !session.isHeap()) return ERROR_INVALID_PARAMETER;
    const auto offset = properties.EnableFlags & 0xFFFFu;
    if (offset < sizeof(EVENT_TRACE_PROPERTIES)) return ERROR_INVALID_PARAMETER;
    const auto words = wordsAt(properties, offset);
    if (words.empty()) return ERROR_INVALID_PARAMETER;
    auto rest = std::span(words).subspan(1);
    for (auto items = words[0] >> 16; items > 0; --items) {
        if (rest.empty()) return ERROR_INVALID_PARAMETER;
        const std::size_t length = rest[0] & 0xFFFFu;
        if (length == 0 || length > rest.size()) return ERROR_INVALID_PARAMETER;
        if (!readItem(static_cast<Item>(rest[0] >> 16), rest.subspan(1, length - 1), scenario, session)) {
            return ERROR_INVALID_PARAMETER;
        }
        rest = rest.subspan(length);
    }
    return rest.empty() ? ERROR_SUCCESS : ERROR_INVALID_PARAMETER;
}

ULONG whyNotFill(const EVENT_TRACE_PROPERTIES* properties, const Session& session) {
    if (properties == nullptr) return ERROR_INVALID_PARAMETER;
    const auto bytes = properties->Wnode.BufferSize;
    if (bytes < sizeof(EVENT_TRACE_PROPERTIES)) return ERROR_BAD_LENGTH;
    const auto nameBytes = (std::wcslen(session.name.data()) + 1) * sizeof(wchar_t);
    if (properties->LoggerNameOffset != 0 && properties->LoggerNameOffset + nameBytes > bytes) return ERROR_MORE_DATA;
    // System Informer documents a crash of ETW when a small buffer has room for the file's name (docs/etw.md 1.6).
    const auto file = properties->LogFileNameOffset;
    return file != 0 && file + sizeof(wchar_t) > bytes ? ERROR_MORE_DATA : ERROR_SUCCESS;
}

void fill(EVENT_TRACE_PROPERTIES& properties, const Session& session, const Scenario& scenario) {
    properties.Wnode.Guid = session.guid;
    properties.Wnode.HistoricalContext = session.id;
    properties.Wnode.TimeStamp.QuadPart = session.startFileTime;
    properties.Wnode.ClientContext = session.clock;
    properties.Wnode.Flags = WNODE_FLAG_TRACED_GUID;
    properties.BufferSize = session.bufferKilobytes;
    properties.MinimumBuffers = session.minimumBuffers;
    properties.MaximumBuffers = session.maximumBuffers;
    properties.LogFileMode = session.mode;
    properties.FlushTimer = session.flushSeconds;
    properties.EnableFlags = static_cast<ULONG>(session.kernelFlags);
    properties.NumberOfBuffers = session.minimumBuffers;
    properties.FreeBuffers = session.minimumBuffers;
    properties.BuffersWritten = session.buffersWritten;
    properties.EventsLost = scenario.lossInQuery ? session.lost.events : 0;
    properties.RealTimeBuffersLost = scenario.lossInQuery ? session.lost.buffers : 0;
    properties.LogBuffersLost = 0;
    putText(properties, properties.LoggerNameOffset, session.name.data());
    putText(properties, properties.LogFileNameOffset, L"");
}

ULONG changeProvider(const GUID& guid, ULONG code, ULONGLONG keywords, const ENABLE_TRACE_PARAMETERS* parameters,
                     Session& session) {
    if (!session.isOrdinary()) return ERROR_SUCCESS; // the heap provider does not send events this way (krabsetw #203)
    const auto isIt = [&guid](const EnabledProvider& one) { return one.enabled > 0 && IsEqualGUID(one.guid, guid); };
    auto* place = std::ranges::find_if(session.providers, isIt);
    if (code == EVENT_CONTROL_CODE_DISABLE_PROVIDER) {
        if (place != session.providers.end()) place->enabled = 0;
        return ERROR_SUCCESS;
    }
    if (code != EVENT_CONTROL_CODE_ENABLE_PROVIDER) return ERROR_INVALID_PARAMETER;
    if (place == session.providers.end()) place = std::ranges::find(session.providers, 0U, &EnabledProvider::enabled);
    if (place == session.providers.end()) return ERROR_NO_SYSTEM_RESOURCES;
    EnabledProvider wanted{.guid = guid, .keywords = keywords};
    if (parameters != nullptr) {
        if (parameters->Version != ENABLE_TRACE_PARAMETERS_VERSION_2) return ERROR_INVALID_PARAMETER;
        for (ULONG i = 0; i < parameters->FilterDescCount; ++i) {
            if (const auto problem = readFilter(parameters->EnableFilterDesc[i], wanted)) return problem;
        }
    }
    wanted.enabled = ++session.enablings;
    *place = wanted;
    return ERROR_SUCCESS;
}

ULONG readStackEvents(const void* information, ULONG bytes, Session& session) {
    const auto count = bytes / sizeof(CLASSIC_EVENT_ID);
    if (bytes % sizeof(CLASSIC_EVENT_ID) != 0) return ERROR_BAD_LENGTH;
    if (count > kMostStackEvents || (count > 0 && information == nullptr)) return ERROR_INVALID_PARAMETER;
    session.stackEventCount = 0;
    for (std::size_t i = 0; i < count; ++i) {
        CLASSIC_EVENT_ID id{};
        std::memcpy(&id, static_cast<const std::byte*>(information) + i * sizeof(id), sizeof(id));
        const auto guid = loadUnchecked<Guid>(reinterpret_cast<const std::byte*>(&id.EventGuid));
        // Armed, but never recorded, as in Windows: image loads with the GUID of images (their class is Process).
        if (const auto group = etl::groupOfClass(guid)) {
            session.stackEvents[session.stackEventCount++] = StackEvent{*group, id.Type};
        }
    }
    return ERROR_SUCCESS;
}

} // namespace highwater::etw_simulator
