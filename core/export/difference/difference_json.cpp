#include "core/analysis/difference/difference_sentences.h"
#include "core/export/difference/difference_rows.h"
#include "core/export/json_text.h"

#include <algorithm>
#include <cmath>

namespace highwater::exports {
namespace {

using analysis::Difference, analysis::DifferenceState, analysis::kMeasures, analysis::Side;

constexpr std::size_t kMostOwners = 100;

Json wordOf(const std::optional<DifferenceState>& state) { return state ? Json(analysis::stateWord(*state)) : Json(); }

/// More digits are not significant.
double rounded(double value) { return std::round(value * 1000) / 1000; }

Json changeJson(const Difference& difference, const analysis::Change& change) {
    const auto rate = [&](std::int64_t value, Side side) {
        return hasRates(difference) ? Json(rounded(analysis::perSecond(value, difference.seconds(side)))) : Json();
    };
    return {{"before", change.before},
            {"after", change.after},
            {"delta", change.delta()},
            {"before_per_s", rate(change.before, Side::Before)},
            {"after_per_s", rate(change.after, Side::After)}};
}

Json valuesJson(const Difference& difference, const DifferenceRow& row) {
    auto values = Json::object();
    for (const auto measure : kMeasures) {
        const auto& change = row.of(measure);
        values[std::string(analysis::measureName(measure))] = change ? changeJson(difference, *change) : Json();
    }
    return values;
}

Json sideJson(const DifferencePage& page, Side side) {
    const bool isBefore = side == Side::Before;
    const auto& query = page.difference.query();
    const auto& traces = isBefore ? query.before : query.after;
    const auto& files = isBefore ? page.before : page.after;
    auto list = Json::array();
    for (std::size_t i = 0; i < traces.size(); ++i) {
        list.push_back({{"trace", files[i].name}, {"interval", intervalJson(traces[i].interval)}});
        if (const auto time = snapshotTimeOf(traces[i])) {
            list.back()["snapshot"] = traces[i].instances.only;
            list.back()["time_s"] = secondsJson(*time);
        }
    }
    const auto seconds = hasRates(page.difference) ? secondsJson(page.difference.length(side)) : Json();
    return {{"seconds", seconds}, {"traces", std::move(list)}};
}

Json ownersJson(const Difference& difference) {
    auto list = Json::array();
    for (const auto& owner : difference.owners()) {
        if (!analysis::isChange(owner.state) || list.size() == kMostOwners) break;
        list.push_back({{"process", owner.process},
                        {"owner", owner.owner},
                        {"state", analysis::stateWord(owner.state)},
                        {"before", owner.change.before},
                        {"after", owner.change.after},
                        {"delta", owner.change.delta()}});
    }
    return list;
}

bool isAmong(const std::string& name, const std::vector<ComparedFile>& files) {
    return std::any_of(files.begin(), files.end(), [&](const ComparedFile& file) { return file.name == name; });
}

/// A loss that both sides of a file have in common is listed once.
Json healthOfAll(const DifferencePage& page) {
    auto list = Json::array();
    for (const auto* files : {&page.before, &page.after}) {
        const bool isBefore = files == &page.before;
        for (auto file = files->begin(); file != files->end(); ++file) {
            const bool isOnBoth = isAmong(file->name, isBefore ? page.after : page.before);
            if (isOnBoth && !isBefore) continue;
            for (auto& entry : healthJson(file->health)) {
                entry["side"] = isOnBoth ? "both" : isBefore ? "before" : "after";
                entry["trace"] = file->name;
                list.push_back(std::move(entry));
            }
        }
    }
    for (const auto& note : analysis::notesOf(page.difference)) {
        list.push_back({{"what", note.name},
                        {"count", note.count},
                        {"id", note.id},
                        {"severity", "note"},
                        {"sentence", note.sentence}});
    }
    return list;
}

Json headJson(const DifferencePage& page) {
    const auto& query = page.difference.query();
    const auto total = totalOf(page.difference);
    auto keys = Json::array();
    for (const auto key : query.keys)
        keys.push_back(analysis::columnName(query.table, key));
    return {{"schema_version", kSchemaVersion},
            {"table", analysis::tableWord(query.table)},
            {"before", sideJson(page, Side::Before)},
            {"after", sideJson(page, Side::After)},
            {"decides", analysis::measureName(query.decides)},
            {"keys", std::move(keys)},
            {"total", {{"state", wordOf(total.state)}, {"values", valuesJson(page.difference, total)}}},
            {"owners", ownersJson(page.difference)}};
}

} // namespace

/// Written row by row, because the tree may be deep and large.
void writeDifferenceJson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out) {
    const auto head = dumped(headJson(page));
    out << head.substr(0, head.size() - 1) << ",\"rows\":[";
    std::size_t level = 0;
    for (const auto& row : rows) {
        const bool isSibling = row.path.size() <= level;
        for (; level >= row.path.size() && level > 0; --level)
            out << "]}";
        const auto& step = row.path.back();
        out << (isSibling ? ",\n" : "\n")
            << "{\"column\":" << dumped(analysis::columnName(page.difference.query().table, step.column))
            << ",\"key\":" << dumped(step.text) << ",\"state\":" << dumped(wordOf(row.state))
            << ",\"values\":" << dumped(valuesJson(page.difference, row)) << ",\"rows\":[";
        level = row.path.size();
    }
    for (; level > 0; --level)
        out << "]}";
    out << "],\"health\":" << dumped(healthOfAll(page)) << "}\n";
}

void writeTimelineJson(const DifferencePage& page, const analysis::DifferenceTimeline& timeline, std::ostream& out) {
    const auto valueAt = [](const std::vector<std::int64_t>& line, std::size_t slice) {
        return slice < line.size() ? Json(line[slice]) : Json();
    };
    auto slices = Json::array();
    for (std::size_t i = 0; i + 1 < timeline.edges.size(); ++i) {
        const bool isOnBoth = i < timeline.before.size() && i < timeline.after.size();
        const auto delta = isOnBoth ? Json(analysis::Change{timeline.before[i], timeline.after[i]}.delta()) : Json();
        slices.push_back({{"start", secondsJson(TraceTime{timeline.edges[i]})},
                          {"before", valueAt(timeline.before, i)},
                          {"after", valueAt(timeline.after, i)},
                          {"delta", delta}});
    }
    const auto& atEnd = timeline.atEnd;
    out << dumped({{"schema_version", kSchemaVersion},
                   {"table", analysis::tableWord(page.difference.query().table)},
                   {"before", sideJson(page, Side::Before)},
                   {"after", sideJson(page, Side::After)},
                   {"slices", std::move(slices)},
                   {"at_end", {{"before", atEnd.before}, {"after", atEnd.after}, {"delta", atEnd.delta()}}},
                   {"health", healthOfAll(page)}})
        << '\n';
}

void writeDifferenceNdjson(const DifferencePage& page, const std::vector<DifferenceRow>& rows, std::ostream& out) {
    out << dumped(headJson(page)) << '\n';
    for (const auto& row : rows) {
        auto path = Json::array();
        for (const auto& step : row.path)
            path.push_back(step.text);
        out << dumped({{"path", std::move(path)},
                       {"column", analysis::columnName(page.difference.query().table, row.path.back().column)},
                       {"level", row.path.size()},
                       {"leaf", row.isLeaf},
                       {"state", wordOf(row.state)},
                       {"values", valuesJson(page.difference, row)}})
            << '\n';
    }
    out << dumped({{"health", healthOfAll(page)}}) << '\n';
}

} // namespace highwater::exports
