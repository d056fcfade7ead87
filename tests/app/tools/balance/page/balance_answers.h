#pragma once

#include "app/tools/balance/page/balance_model.h"

namespace highwater::tests {

inline constexpr ByteCount kMega = 1 << 20;

inline analysis::BalancePart partOf(analysis::MemoryLayer layer, const char* mapping, ByteCount resident) {
    analysis::BalancePart part;
    part.layer = layer;
    part.mapping = mapping;
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
    analysis::Balance service{ProcessIndex{0}, "service (7)", pointOf(second, partsOf(second)), partsOf(second)};
    const std::vector small{partOf(MemoryLayer::Unknown, "(anonymous)", kMega)};
    analysis::Balance other{ProcessIndex{1}, "small (8)", pointOf(2, small), small};
    analysis::BalanceCourse course{service.process, service.name, {}};
    for (std::int64_t at = 1; at <= 3; ++at)
        course.points.push_back(pointOf(at, partsOf(at)));
    answer.found.courses = std::make_shared<const std::vector<analysis::BalanceCourse>>(
        std::vector{course, analysis::BalanceCourse{other.process, other.name, {other.point}}});
    answer.found.balances = {service, other};
    return std::make_shared<const ui::BalanceAnswer>(std::move(answer));
}

} // namespace highwater::tests
