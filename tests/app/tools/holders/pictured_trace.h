#pragma once

#include "core/event/memory_picture.h"
#include "tests/fixtures/trace_builder.h"

#include <array>
#include <cstddef>
#include <string>

namespace highwater::tests {

inline constexpr std::uint32_t kPicturedPid = 70;
inline constexpr Address kPicturedHeap = 0x10000000;

/// Three blocks of 1000 bytes: a table, a session that only the table refers to, and a leak. The variable holds the
/// table.
inline MemoryPicture pictureAt(double time, const std::string& variable) {
    MemoryPicture picture;
    picture.time = fixtures::seconds(time);
    picture.pid = kPicturedPid;
    picture.names = {variable};
    picture.roots.push_back({});
    picture.roots.front().kind = RootKind::Variable;
    for (const Address at : {0, 0x1000, 0x2000})
        picture.blocks.push_back({.address = kPicturedHeap + at, .bytes = 1000});
    picture.blocks[0].reachability = picture.blocks[1].reachability = Reachability::Reachable;
    picture.blocks[0].holder = picture.blocks[0].dominator = 3; // the root
    picture.blocks[1].holder = picture.blocks[1].dominator = 0;
    return picture;
}

/// Of the table, the session, and the leak.
using PicturedStacksOf = std::array<const char*, 3>;
inline constexpr PicturedStacksOf kPicturedStacks{"server!main;server!makeTable", "server!main;server!addSession",
                                                  "server!main;server!leak"};

/// A recording of Highwater on Linux, of 6 seconds, with these blocks from 1.5 s on, and without a picture.
inline fixtures::TraceBuilder unpicturedTrace(const PicturedStacksOf& stacks = kPicturedStacks) {
    fixtures::TraceShape shape;
    shape.recorder = fixtures::Recorder::Agent;
    fixtures::TraceBuilder trace(shape);
    trace.endsAt(fixtures::seconds(6));
    trace.processStarts(fixtures::seconds(1), {.pid = kPicturedPid, .name = "server"});
    const fixtures::Moment moment{fixtures::seconds(1.5), kPicturedPid, kPicturedPid};
    for (std::size_t i = 0; i < stacks.size(); ++i)
        trace.heapAlloc(moment, 1, {kPicturedHeap + i * 0x1000, 1000}, stacks[i]);
    return trace;
}

/// The same with two pictures: at 2 s, the table is held by g_sessions, at 4 s by g_archive.
inline fixtures::TraceBuilder picturedTrace(const PicturedStacksOf& stacks = kPicturedStacks) {
    auto trace = unpicturedTrace(stacks);
    trace.picture(pictureAt(2, "server!g_sessions"));
    trace.picture(pictureAt(4, "server!g_archive"));
    return trace;
}

/// As `picture` saves it: the picture at 4 s, of a process that allocated nothing while it was recorded.
inline fixtures::TraceBuilder pictureOnlyTrace() {
    fixtures::TraceShape shape;
    shape.recorder = fixtures::Recorder::Agent;
    fixtures::TraceBuilder trace(shape);
    trace.endsAt(fixtures::seconds(6));
    trace.processStarts(fixtures::seconds(1), {.pid = kPicturedPid, .name = "server"});
    trace.picture(pictureAt(4, "server!g_archive"));
    return trace;
}

} // namespace highwater::tests
