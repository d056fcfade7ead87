#include "ui/state/fleet/fleet_export.h"

#include "core/base/text.h"
#include "core/export/csv_text.h"
#include "core/export/json_text.h"
#include "ui/state/fleet/fleet_words.h"


namespace highwater::ui {
namespace {

bool hasFrames(const FleetTable& table) {
    return !table.columns.empty() && table.columns.front().unit == FleetUnit::Frame;
}

bool isTime(FleetUnit unit) { return unit == FleetUnit::Time || unit == FleetUnit::Duration; }

std::string csvCell(FleetUnit unit, const FleetCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return exports::csvField(*text);
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        if (unit == FleetUnit::Recorded) return recordedText(*number).toStdString();
        return isTime(unit) ? secondsText({*number}) : std::to_string(*number);
    }
    if (const auto* part = std::get_if<double>(&cell)) return exports::Json(*part).dump();
    if (const auto* share = std::get_if<FleetShare>(&cell))
        return std::to_string(share->with) + " of " + std::to_string(share->of);
    return {};
}

std::string csvOf(const FleetTable& table) {
    std::string out;
    const auto line = [&](const std::vector<std::string>& fields) {
        for (std::size_t i = 0; i < fields.size(); ++i)
            out += (i == 0 ? "" : ",") + fields[i];
        out += '\n';
    };
    std::vector<std::string> titles;
    for (const auto& column : table.columns)
        titles.push_back(exports::csvField(column.title.toStdString()));
    if (hasFrames(table)) titles.emplace_back("Stack");
    line(titles);
    for (const auto& row : table.rows) {
        std::vector<std::string> fields;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            fields.push_back(csvCell(table.columns[i].unit, row.cells[i]));
        if (hasFrames(table)) {
            std::string stack; // the outermost first, as in other files
            for (auto frame = row.frames.rbegin(); frame != row.frames.rend(); ++frame)
                stack += (stack.empty() ? "" : std::string(1, exports::kFrameSeparator)) + *frame;
            fields.push_back(exports::csvField(stack));
        }
        line(fields);
    }
    return out;
}

exports::Json jsonCell(FleetUnit unit, const FleetCell& cell) {
    if (const auto* text = std::get_if<std::string>(&cell)) return *text;
    if (const auto* number = std::get_if<std::int64_t>(&cell)) {
        if (unit == FleetUnit::Recorded) return recordedText(*number).toStdString();
        if (isTime(unit)) return exports::secondsJson({*number});
        return unit == FleetUnit::YesNo ? exports::Json(*number != 0) : exports::Json(*number);
    }
    if (const auto* part = std::get_if<double>(&cell)) return *part;
    return nullptr;
}

void put(exports::Json& row, const FleetColumn& column, const FleetCell& cell) {
    auto* object = &row;
    auto member = column.member;
    if (const auto dot = member.find('.'); dot != std::string::npos) {
        object = &row[member.substr(0, dot)];
        member = member.substr(dot + 1);
    }
    if (const auto* share = std::get_if<FleetShare>(&cell)) {
        (*object)[member + "_with"] = share->with;
        (*object)[member] = share->of;
    } else {
        (*object)[member] = jsonCell(column.unit, cell);
    }
}

std::string jsonOf(const FleetTable& table) {
    exports::Json document{{"schema_version", exports::kSchemaVersion}, {"rows", exports::Json::array()}};
    for (const auto& of : table.rows) {
        exports::Json row = exports::Json::object();
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            put(row, table.columns[i], of.cells[i]);
        if (hasFrames(table)) row["stack"] = of.frames;
        document["rows"].push_back(std::move(row));
    }
    return exports::dumped(document, 1) + "\n";
}

} // namespace

std::string exported(const FleetTable& table, FleetFormat format) {
    return format == FleetFormat::Csv ? csvOf(table) : jsonOf(table);
}

} // namespace highwater::ui
