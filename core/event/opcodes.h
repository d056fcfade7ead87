#pragma once

#include "core/base/guid.h"

#include <cstdint>

/// The numbers in record headers (docs/etl-format.md 4 to 7), shared by readers and writers of records.
namespace highwater {

/// Groups of classic records.
namespace group {
inline constexpr std::uint8_t kEventTrace = 0x00, kMemory = 0x02, kProcess = 0x03, kThread = 0x05, kConfig = 0x0B,
                              kPerfInfo = 0x0F, kHeap = 0x10, kImage = 0x14, kStackWalk = 0x18;
}

/// Versions of the classic records that Highwater writes.
inline constexpr std::uint16_t kVersion2 = 2, kVersion3 = 3, kVersion4 = 4;

/// Group kProcess and kThread.
namespace lifetime_opcode {
inline constexpr std::uint8_t kStart = 1, kEnd = 2, kRundownStart = 3, kRundownEnd = 4;
}
/// Group kThread: a context switch; a thread name.
namespace thread_opcode {
inline constexpr std::uint8_t kContextSwitch = 36, kSetName = 72;
}
/// Loads are in group kProcess, the others in kImage.
namespace image_opcode {
inline constexpr std::uint8_t kUnload = 2, kRundownStart = 3, kRundownEnd = 4, kLoad = 10;
}
/// Group kHeap.
namespace heap_opcode {
inline constexpr std::uint8_t kCreate = 32, kAlloc = 33, kReAlloc = 34, kDestroy = 35, kFree = 36;
}
/// Group kMemory.
namespace virtual_opcode {
inline constexpr std::uint8_t kAlloc = 98, kFree = 99, kRundownStart = 128, kRundownEnd = 129;
}
/// Group kMemory: memory usage of each process, sampled.
namespace process_memory_opcode {
inline constexpr std::uint8_t kSample = 125;
}
/// Group kPerfInfo.
namespace perf_info_opcode {
inline constexpr std::uint8_t kMark = 34;
}
/// Group kMemory: regions owned by heaps.
namespace heap_range_opcode {
inline constexpr std::uint8_t kRundown = 100, kCreate = 101, kReserve = 102, kRelease = 103, kDestroy = 104;
}
/// Group kStackWalk: stacks of other records, and stack keys.
namespace stack_opcode {
inline constexpr std::uint8_t kStackWalk = 32, kKeyCreate = 34, kKeyDelete = 35, kKeyRundown = 36, kKernelKey = 37,
                              kUserKey = 38;
}

/// Group kConfig: hardware and configuration of the system.
namespace config_opcode {
inline constexpr std::uint8_t kProcessors = 10;
}

/// Image records of KernelTraceControl.
inline constexpr Guid kImageIdProvider{0xB3E675D7, 0x2554, 0x4F18, {0x83, 0x0B, 0x27, 0x62, 0x73, 0x25, 0x60, 0xDE}};
namespace image_id_opcode {
inline constexpr std::uint8_t kImage = 0, kRsds = 36;
}
/// Highwater's own provider, for events that Windows does not have.
inline constexpr Guid kHighwaterProvider{0x5D6E0C3A, 0x9B1F, 0x4E52, {0xA7, 0x44, 0x1C, 0x2B, 0x8F, 0x60, 0xD3, 0x19}};
/// kRemark: u32 (kRemarkIsBound: something is missing; 0: worth knowing) | a sentence, UTF-8 with its NUL.
inline constexpr std::uint32_t kRemarkIsBound = 1;
inline constexpr std::size_t kMostRemarkBytes = 1000; ///< maximum length of a sentence; the rest is cut off
inline constexpr std::uint32_t kLossMayBeEarlier = 1, kLossIsAtLeast = 2; ///< flags of a lost zone
namespace highwater_opcode {
inline constexpr std::uint8_t kMarkEdit = 1, kWindow = 2, kMissing = 3, kMachine = 8, kRemark = 9, kLossPlace = 10,
                              kSnapshot = 11, kLateMark = 12, kSnapshotUndone = 13, kProcess = 14, kCode = 15,
                              kNames = 16, kSample = 17, kText = 18, kResident = 19, kPicture = 20;
}
/// kProcess: u32 pid | u32 of these | name | command line, both UTF-8 with their NUL, empty if not known. Changes that
/// process records of Windows do not have.
namespace process_change {
inline constexpr std::uint32_t kExecuted = 1, kForked = 2, kAttached = 3, kNamed = 4;
}
/// kCode: u32 pid | u32 of these | u64 address | u64 module, an id within the process, 0: none | u32 bytes | name |
/// arguments, both UTF-8 with their NUL. Events of a runtime about its generated code.
namespace code_record {
inline constexpr std::uint32_t kBegins = 1, kWasThere = 2, kModule = 3;
}
/// kText: u32 pid | u32 number, from 1 on | a text, UTF-8 with its NUL. kNames refer to it. kNames: u32 pid | u32
/// functions | u64 address | for each function, the innermost inlined one first: u32 line, 0: not known | u32 name |
/// u32 source file, both numbers of kText, 0: the empty text. Names the code at an address, for files that contain the
/// names of their frames.
inline constexpr std::uint32_t kMostNamedFunctions = 256; ///< at one address
inline constexpr std::size_t kMostCodeNameBytes = 4096;   ///< length of each text; the rest is cut off
/// kSample: u32 pid | u32 0 | u64 address | u64 bytes | u64 objects. A number of objects, allocated by one stack, that
/// count as one block. Windows' own heap snapshots, by event id: a piece of the bytes, and the end of a snapshot.
inline constexpr Guid kHeapSnapshotProvider{
    0x901D2AFA, 0x4FF6, 0x46D7, {0x8D, 0x0E, 0x53, 0x64, 0x5E, 0x1A, 0x47, 0xF5}};
namespace heap_snapshot_event {
inline constexpr std::uint16_t kPiece = 100, kEnd = 200;
}
/// Windows' own provider of the same samples as process_memory_opcode, by event id.
inline constexpr Guid kKernelMemoryProvider{
    0xD1D93EF7, 0xE1F2, 0x4F45, {0x99, 0x43, 0x03, 0xD2, 0x45, 0xFE, 0x6C, 0x00}};
namespace kernel_memory_event {
inline constexpr std::uint16_t kProcessMemory = 2;
}
/// KernelTraceControl's records about the system.
inline constexpr Guid kSystemConfigProvider{
    0x9B79EE91, 0xB5FD, 0x41C0, {0xA2, 0x43, 0x42, 0x48, 0xE2, 0x66, 0xE9, 0xD0}};
namespace system_config_opcode {
inline constexpr std::uint8_t kVolumeMapping = 35;
}

} // namespace highwater
