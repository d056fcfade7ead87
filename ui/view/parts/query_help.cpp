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
    HelpLine{"[Stack]:~!\"Inner\"", QT_TRANSLATE_NOOP("QueryHelp", "contains not")},
    HelpLine{"[Process]:~<app", QT_TRANSLATE_NOOP("QueryHelp", "starts with")},
    HelpLine{"[Process]:~>\".exe (42)\"", QT_TRANSLATE_NOOP("QueryHelp", "ends with")},
    HelpLine{"[Process]:~\"a*.exe*\"", QT_TRANSLATE_NOOP("QueryHelp", "fits, with * and ?")},
    HelpLine{"[Process]:*\"app[0-9]+.*\"", QT_TRANSLATE_NOOP("QueryHelp", "fits a regular expression")},
    HelpLine{"[Type]:=AIFO", QT_TRANSLATE_NOOP("QueryHelp", "is; :<> is not")},
};
constexpr std::array kNumberOperators{
    HelpLine{"[Size]:>20MB", QT_TRANSLATE_NOOP("QueryHelp", "more than; also :>= :< :<= := :<>; KB, MB, GB, 0x...")},
    HelpLine{"[Count]:>=1000", QT_TRANSLATE_NOOP("QueryHelp", "a plain number")},
};
constexpr std::array kConnections{
    HelpLine{"A AND B", QT_TRANSLATE_NOOP("QueryHelp", "both; AND may be left out")},
    HelpLine{"A OR B", QT_TRANSLATE_NOOP("QueryHelp", "one of them")},
    HelpLine{"NOT (A OR B)", QT_TRANSLATE_NOOP("QueryHelp", "NOT binds before AND before OR")},
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
    return words(QT_TRANSLATE_NOOP("QueryHelp",
                                   "Plain words, or conditions such as [Size]:>1MB AND [Stack]:~=\"Inner\"."
                                   "\nText: :~= contains, :~! contains not, :~< starts with, :~> ends "
                                   "with, :~ with * and ?, :* regular expression, := :<>"
                                   "\nNumbers: := :<> :< :<= :> :>="
                                   "\nAND, OR, NOT and ( ). F1: the whole language"));
}

QString queryHelpPage(analysis::Table table) {
    const auto paragraph = [](const char* text) {
        return QStringLiteral("<p>%1</p>").arg(words(text).toHtmlEscaped());
    };
    auto text = paragraph(QT_TRANSLATE_NOOP("QueryHelp", "A word, or words in quotes, are looked for in every text "
                                                         "column. Conditions name a column in brackets. Upper and "
                                                         "lower case are the same."));
    text += QStringLiteral("<table>") + section(QT_TRANSLATE_NOOP("QueryHelp", "Text"), kTextOperators) +
            section(QT_TRANSLATE_NOOP("QueryHelp", "Numbers"), kNumberOperators) +
            section(QT_TRANSLATE_NOOP("QueryHelp", "Several conditions"), kConnections) + QStringLiteral("</table>");
    text += paragraph(QT_TRANSLATE_NOOP("QueryHelp", "A stack satisfies a condition if any of its frames does. [] is "
                                                     "no value: [Thread]:=[]. Text that begins like an operator "
                                                     "stands in quotes."));
    text += paragraph(QT_TRANSLATE_NOOP("QueryHelp", "Find looks at the groups of the table: [Size]:>20MB is about "
                                                     "the sum of a group. A filter looks at single rows: there, "
                                                     "[Size] is the size of one row, and [Series Name] does not "
                                                     "exist."));
    text += QStringLiteral("<h4>%1</h4><p>%2</p>")
                .arg(words(QT_TRANSLATE_NOOP("QueryHelp", "Columns of this table")).toHtmlEscaped(),
                     queryColumnNames(table).join(QStringLiteral(", ")).toHtmlEscaped());
    return text;
}

void showQueryHelp(QWidget* parent, analysis::Table table) {
    showHelpPage(parent, QStringLiteral("queryHelp"), words(QT_TRANSLATE_NOOP("QueryHelp", "Query language")),
                 queryHelpPage(table), kHelpSize);
}

} // namespace highwater::ui
