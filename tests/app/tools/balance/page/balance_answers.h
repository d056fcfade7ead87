#pragma once

#include "app/tools/balance/page/balance_model.h"

namespace highwater::tests {

inline constexpr ByteCount kMega = 1 << 20;

inline analysis::BalancePart partOf(analysis::MemoryLayer layer, const char* mapping, ByteCount resident) {
    analysis::BalancePart part;
    part.layer = layer;
    part.name = mapping;
    part.resident = part.proportional = part.privateDirty = resident;
    part.reserved = 2 * resident;
    part.mappings = 1;
    return part;
}

inline analysis::BalancePoint pointOf(std::int64_t seconds, const std::vector<analysis::BalancePart>& parts) {
    analysis::BalancePoint point;
    point.time = TraceTime{seconds * 1'000'000'000};
    for (const auto& part : parts) {
        point.layers[part.layer] += part.resident;
        point.resident += part.resident;
    }
    return point;
}

inline analysis::Balance balanceOf(std::uint32_t process, const char* name, std::int64_t second,
                                   const std::vector<analysis::BalancePart>& parts) {
    analysis::Balance balance;
    balance.process = ProcessIndex{process};
    balance.name = name;
    balance.point = pointOf(second, parts);
    balance.parts = balance.modules = parts;
    return balance;
}

inline void add(const std::vector<analysis::BalancePart>& parts, const analysis::BalancePoint& point,
                analysis::ResidentPeaks& peaks) {
    for (const auto& part : parts) {
        analysis::LayerBytes bytes;
        bytes[part.layer] = part.resident;
        peaks.add({part.name, part.layer == analysis::MemoryLayer::Images ? "/usr/lib/module.so" : ""}, bytes);
    }
    peaks.endSample(point);
}

/// A service that grows from second to second, and a small process. `second`: of the sample shown.
inline std::shared_ptr<const ui::BalanceAnswer> twoProcesses(std::int64_t second = 3) {
    using analysis::MemoryLayer;
    const auto partsOf = [](std::int64_t at) {
        return std::vector{partOf(MemoryLayer::Live, "[heap]", kMega * static_cast<ByteCount>(at)),
                           partOf(MemoryLayer::Live, "(anonymous)", kMega / 2),
                           partOf(MemoryLayer::Returnable, "[heap]", 6 * kMega),
                           partOf(MemoryLayer::Images, "/usr/lib/libc.so.6", kMega)};
    };
    ui::BalanceAnswer answer;
    answer.query.interval = {TraceTime{0}, TraceTime{4'000'000'000}};
    if (second != 3) answer.query.at = TraceTime{second * 1'000'000'000};
    auto service = balanceOf(0, "service (7)", second, partsOf(second));
    service.modules.back().name = "/usr/lib/module.so";
    const std::vector small{partOf(MemoryLayer::Unknown, "(anonymous)", kMega)};
    const auto other = balanceOf(1, "small (8)", 2, small);
    analysis::BalanceCourse course{service.process, service.name, {}};
    const auto peaks = std::make_shared<analysis::ResidentPeaks>();
    for (std::int64_t at = 1; at <= 3; ++at) {
        course.points.push_back(pointOf(at, partsOf(at)));
        add(partsOf(at), course.points.back(), *peaks);
    }
    course.peaks = peaks;
    answer.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(
        std::vector{course, analysis::BalanceCourse{other.process, other.name, {other.point}}});
    answer.found.balances = {service, other};
    return std::make_shared<const ui::BalanceAnswer>(std::move(answer));
}

/// The same after the service had a mapping of 64 MB, and this number of small ones.
inline std::shared_ptr<const ui::BalanceAnswer> withEarlierMapping(int small = 0) {
    using analysis::MemoryLayer;
    auto answer = *twoProcesses();
    auto courses = *answer.found.courses;
    std::vector parts{partOf(MemoryLayer::Mapped, "[anon:big]", 64 * kMega)};
    std::vector<std::string> names;
    for (int i = 0; i < small; ++i)
        names.push_back("[anon:small " + std::to_string(i) + "]");
    for (const auto& name : names)
        parts.push_back(partOf(MemoryLayer::Mapped, name.c_str(), 512));
    const auto peaks = std::make_shared<analysis::ResidentPeaks>(*courses[0].peaks);
    courses[0].points.insert(courses[0].points.begin(), pointOf(0, parts));
    add(parts, courses[0].points.front(), *peaks);
    courses[0].peaks = peaks;
    answer.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(courses);
    return std::make_shared<const ui::BalanceAnswer>(std::move(answer));
}

} // namespace highwater::tests
