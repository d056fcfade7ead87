#include "tests/core/fleet/later_names.h"

#include "core/summary/stack_key.h"
#include "tests/core/fleet/plain_answers.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace highwater::tests {

using namespace fleet;

const std::map<std::string, std::map<std::string, Functions>> kPlaces{
    {"aa",
     {{"app!+0x10", {"app!work"}},
      {"app!+0x18", {"app!work"}},
      {"app!+0x20", {"app!inner", "app!outer"}},
      {"app!+0x40", {"app!main"}},
      {"app!+0x50", {"app!my_malloc"}},
      {"app!+0x80", {"app!it's\n\"x\\'; DROP TABLE runs; -- {stack:String} %s"}}}},
    {"bb",
     {{"app!+0x10", {"app!main"}},
      {"app!+0x28", {"app!inner", "app!outer"}},
      {"app!+0x60", {"app!my_malloc"}},
      {"app!+0x70", {"app!work"}},
      {"app!+0x90", {"app!it's\n\"x\\'; DROP TABLE runs; -- {stack:String} %s"}}}}};

const std::vector<MadeStack> kStacksOfA{{{"libc.so!malloc", "app!+0x10", "app!+0x40"}, 100},
                                        {{"libc.so!malloc", "app!+0x18", "app!+0x40"}, 50},
                                        {{"app!+0x20", "app!+0x40"}, 7},
                                        {{"app!+0x50", "app!+0x40"}, 11},
                                        {{"app!+0x30", "app!+0x40"}, 9}};
const std::vector<MadeStack> kStacksOfB{{{"libc.so!malloc", "app!+0x70", "app!+0x10"}, 400},
                                        {{"app!+0x28", "app!+0x10"}, 8},
                                        {{"app!+0x60", "app!+0x10"}, 12}};

namespace {

summary::Frame frameOf(const std::string& name, const std::string& buildId) {
    summary::Frame frame;
    frame.name = name;
    frame.module = name.substr(0, name.find('!'));
    frame.buildId = buildId;
    frame.isNamed = name.find("!+") == std::string::npos;
    return frame;
}

std::string buildIdOf(int number) { return number % 2 == 0 ? "aa" : "bb"; }

RunMaker makerOf(int number, bool hasNames) {
    return {number % 2 == 0 ? "1" : "2", "m" + std::to_string(number % 4 / 2), buildIdOf(number), hasNames};
}

} // namespace

RunMaker::RunMaker(const std::string& build, const std::string& machine, std::string buildId, bool hasNames)
    : buildId_(std::move(buildId)), hasNames_(hasNames) {
    run_.facts.build = build;
    run_.facts.machine = machine;
    run_.processes = {"app", "help'er"};
    run_.windows = {{summary::WindowKind::Whole, "whole", 0, 1000},
                    {summary::WindowKind::BetweenMarks, "Warm to Full", 100, 500}};
}

void RunMaker::add(const MadeStack& made, std::int64_t more, std::uint32_t window, std::uint32_t process,
                   analysis::Table table) {
    Functions names;
    for (const auto& call : made.calls) {
        const auto place = kPlaces.at(buildId_).find(call);
        if (hasNames_ && place != kPlaces.at(buildId_).end())
            names.insert(names.end(), place->second.begin(), place->second.end());
        else
            names.push_back(call);
    }
    const auto stack = stackOf(names);
    auto sample = std::ranges::find_if(run_.samples, [&](const auto& known) {
        return known.stack == stack && known.window == window && known.process == process && known.table == table;
    });
    if (sample == run_.samples.end()) {
        run_.samples.emplace_back(window, process, stack, table);
        sample = run_.samples.end() - 1;
    }
    // Every seventh has no row that was allocated inside; its times are then those of the window.
    const bool hasRows = made.size % 7 != 0;
    const auto begin = hasRows ? made.size + more : std::int64_t{1};
    const bool isFirst = sample->allocObjects == 0;
    sample->inuseSpace += made.size + more;
    sample->inuseObjects += 1;
    sample->freed += made.size % 5;
    sample->peak += 2 * made.size;
    sample->impacting += made.size - 60;
    sample->slope += 3 * made.size;
    if (hasRows || isFirst) {
        sample->first = isFirst ? begin : std::min(sample->first, begin);
        sample->last = isFirst ? begin : std::max(sample->last, begin);
    }
    sample->allocObjects += hasRows ? 1 : 0;
    sample->allocSpace += hasRows ? made.size : 0;
}

summary::RunSummary RunMaker::take(const std::string& id) {
    run_.facts.run = id;
    return run_;
}

std::uint32_t RunMaker::numberOf(const std::string& name) {
    const auto [entry, isNew] = frames_.try_emplace(name, static_cast<std::uint32_t>(run_.frames.size()));
    if (isNew) run_.frames.push_back(frameOf(name, buildId_));
    return entry->second;
}

std::uint32_t RunMaker::stackOf(const Functions& names) {
    std::vector<summary::StackKey> keys;
    summary::Stack stack;
    for (const auto& name : names) {
        stack.frames.push_back(numberOf(name));
        const auto& frame = run_.frames[stack.frames.back()];
        keys.push_back(frame.isNamed ? summary::functionKey(name) : summary::unnamedFunctionKey(name, buildId_));
    }
    stack.key = summary::stackKey(keys);
    // Without a name, it is not recognised as an allocator.
    const auto owner = std::ranges::find_if(names, [](const auto& name) { return !isPlumbing(name); });
    stack.owner = numberOf(owner == names.end() ? names.front() : *owner);
    const auto known = std::ranges::find(run_.stacks, stack.key, &summary::Stack::key);
    if (known != run_.stacks.end()) return static_cast<std::uint32_t>(known - run_.stacks.begin());
    run_.stacks.push_back(std::move(stack));
    return static_cast<std::uint32_t>(run_.stacks.size() - 1);
}

std::vector<NamedFrame> namesOf(const std::string& buildId) {
    std::vector<NamedFrame> names;
    for (const auto& [place, functions] : kPlaces.at(buildId)) {
        auto& named = names.emplace_back(NamedFrame{place, buildId, {}});
        for (const auto& function : functions)
            named.functions.push_back(frameOf(function, buildId));
    }
    return names;
}

bool isPlumbing(std::string_view function) { return function.ends_with("malloc"); }

summary::RunSummary fewStacksRun(int number, bool hasNames) {
    auto maker = makerOf(number, hasNames);
    for (const auto& stack : number % 2 == 0 ? kStacksOfA : kStacksOfB)
        maker.add(stack, number);
    return maker.take(fmt::format("{:032}", number));
}

summary::RunSummary manyStacksRun(int number, bool hasNames) {
    std::mt19937 random(static_cast<unsigned>(number));
    const auto pick = [&](std::size_t count) { return random() % count; };
    Functions places;
    for (const auto& [place, functions] : kPlaces.at(buildIdOf(number)))
        places.push_back(place);
    places.emplace_back("app!+0x30"); // which never gets a name
    places.emplace_back("libc.so!malloc");
    places.emplace_back("libc.so!qsort");
    auto maker = makerOf(number, hasNames);
    for (int i = 0; i < 40; ++i) {
        MadeStack stack;
        for (std::size_t depth = pick(3); depth > 0; --depth)
            stack.calls.push_back(places[pick(places.size())]);
        stack.calls.emplace_back(buildIdOf(number) == "aa" ? "app!+0x40" : "app!+0x10"); // main
        stack.size = static_cast<std::int64_t>(1 + pick(200) + (buildIdOf(number) == "aa" ? 0 : 50));
        maker.add(stack, number, static_cast<std::uint32_t>(pick(2)), static_cast<std::uint32_t>(pick(2)),
                  pick(2) == 0 ? analysis::Table::Heap : analysis::Table::VirtualAlloc);
    }
    return maker.take(fmt::format("{:032}", number));
}

std::vector<std::string> answersOf(FleetStore& store) {
    PlainAnswers::Lines lines;
    const auto add = [&](const auto& answer) {
        if (!answer.hasValue()) return lines.push_back(answer.error().message);
        const auto more = linesOf(answer.value());
        lines.insert(lines.end(), more.begin(), more.end());
    };
    constexpr std::size_t kAll = 10'000;
    std::vector<FleetStack> stacks;
    for (const auto* build : {"1", "2"}) {
        add(store.slopes(build, {}, kAll, {}));
        const auto slopes = store.slopes(build, {}, kAll, {});
        if (slopes.hasValue())
            for (const auto& row : slopes.value())
                stacks.push_back(row.stack);
    }
    for (int number = 0; number < 8; ++number) {
        SampleFilter filter;
        filter.measure = static_cast<Measure>(number);
        for (const auto* window : {"whole", "Warm to Full"}) {
            filter.window = window;
            add(store.grew({"1", "2", filter, 1, 0.05, kAll}, {}));
            add(store.presence({"1", "2", filter, true, 0.01, 0, kAll}, {}));
            add(store.presence({"1", "2", filter, false, 0.01, 0, kAll}, {}));
        }
    }
    for (std::size_t i = 0; i < stacks.size(); i += 7) {
        SampleFilter filter;
        filter.measure = static_cast<Measure>(i / 7 % 8);
        add(store.worst({stacks[i].key, stacks[i].table, filter, {}, kAll}, {}));
        add(store.history({stacks[i].key, stacks[i].table, filter}, {}));
    }
    add(store.health({}, {}));
    add(store.runs({}, {}));
    return lines;
}

} // namespace highwater::tests
