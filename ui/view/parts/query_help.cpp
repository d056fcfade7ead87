#include "ui/view/parts/query_help.h"

#include "ui/format/qt_text.h"
#include "ui/view/parts/help_page.h"

#include <QCoreApplication>
#include <QSize>

#include <array>

namespace highwater::ui {
namespace {

constexpr QSize kHelpSize{600, 620};

struct HelpLine {
    const char* sign;
    const char* what;
};

constexpr std::array kTextOperators{
    HelpLine{"[Stack]:~=\"Inner\"", QT_TRANSLATE_NOOP("QueryHelp", "contains")},
    HelpLine{"[Stack]:~!\"Inner\"", QT_TRANSLATE_NOOP("QueryHelp", "does not contain")},
    HelpLine{"[Process]:~<app", QT_TRANSLATE_NOOP("QueryHelp", "starts with")},
    HelpLine{"[Process]:~>\".exe (42)\"", QT_TRANSLATE_NOOP("QueryHelp", "ends with")},
    HelpLine{"[Process]:~\"a*.exe*\"", QT_TRANSLATE_NOOP("QueryHelp", "matches a pattern with * and ?")},
    HelpLine{"[Process]:*\"app[0-9]+.*\"", QT_TRANSLATE_NOOP("QueryHelp", "matches a regular expression")},
    HelpLine{"[Type]:=AIFO", QT_TRANSLATE_NOOP("QueryHelp", "equals; :<> does not equal")},
};
constexpr std::array kNumberOperators{
    HelpLine{"[Size]:>20MB", QT_TRANSLATE_NOOP("QueryHelp", "greater than; also :>= :< :<= := :<>; KB, MB, GB, 0x...")},
    HelpLine{"[Count]:>=1000", QT_TRANSLATE_NOOP("QueryHelp", "a plain number")},
};
constexpr std::array kConnections{
    HelpLine{"A AND B", QT_TRANSLATE_NOOP("QueryHelp", "both; AND is optional")},
    HelpLine{"A OR B", QT_TRANSLATE_NOOP("QueryHelp", "at least one of them")},
    HelpLine{"NOT (A OR B)", QT_TRANSLATE_NOOP("QueryHelp", "NOT has precedence over AND, and AND over OR")},
};

QString words(const char* text) { return QCoreApplication::translate("QueryHelp", text); }

template <std::size_t kCount>
QString section(const char* title, const std::array<HelpLine, kCount>& lines) {
    auto text = helpHeading(words(title));
    for (const auto& line : lines) {
        text += helpRow(QString::fromLatin1(line.sign), words(line.what), SignFont::Fixed);
    }
    return text;
}

} // namespace

QStringList queryColumnNames(analysis::Table table) {
    QStringList names;
    for (const auto column : analysis::columnsOf(table)) {
        const auto name = analysis::columnName(table, column);
        names << toQString(name);
    }
    names << QStringLiteral("Series Name");
    names.sort(Qt::CaseInsensitive);
    names.removeDuplicates();
    return names;
}

QString queryOperators() {
    return words(QT_TRANSLATE_NOOP(
        "QueryHelp", "Plain words, or conditions such as [Size]:>1MB AND [Stack]:~=\"Inner\".\nText: :~= contains, :~! "
                     "does not contain, :~< starts with, :~> ends with, :~ with * and ?, :* regular expression, := "
                     ":<>\nNumbers: := :<> :< :<= :> :>=\nAND, OR, NOT and ( ). Press F1 for the full language"));
}

QString queryHelpPage(analysis::Table table) {
    const auto paragraph = [](const char* text) {
        return QStringLiteral("<p>%1</p>").arg(words(text).toHtmlEscaped());
    };
    auto text =
        paragraph(QT_TRANSLATE_NOOP("QueryHelp", "A word or a quoted phrase is searched for in every text column. "
                                                 "Conditions name a column in brackets. Case is ignored."));
    text += QStringLiteral("<table>") + section(QT_TRANSLATE_NOOP("QueryHelp", "Text"), kTextOperators) +
            section(QT_TRANSLATE_NOOP("QueryHelp", "Numbers"), kNumberOperators) +
            section(QT_TRANSLATE_NOOP("QueryHelp", "Several conditions"), kConnections) + QStringLiteral("</table>");
    text += paragraph(QT_TRANSLATE_NOOP(
        "QueryHelp", "A condition applies to a stack if any of its frames matches. [] matches missing values: "
                     "[Thread]:=[]. Put text that starts like an operator in quotes."));
    text += paragraph(QT_TRANSLATE_NOOP(
        "QueryHelp", "Find searches the groups of the table, where [Size]:>20MB tests the sum of a group. A filter "
                     "tests single rows, where [Size] is the size of one row and [Series Name] does not exist."));
    text += QStringLiteral("<h4>%1</h4><p>%2</p>")
                .arg(words(QT_TRANSLATE_NOOP("QueryHelp", "Columns of this table")).toHtmlEscaped(),
                     queryColumnNames(table).join(QStringLiteral(", ")).toHtmlEscaped());
    return text;
}

void showQueryHelp(QWidget* parent, analysis::Table table) {
    showHelpPage(parent, QStringLiteral("queryHelp"), words(QT_TRANSLATE_NOOP("QueryHelp", "Query Language")),
                 queryHelpPage(table), kHelpSize);
}

} // namespace highwater::ui
