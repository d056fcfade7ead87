#include "ui/format/plain_text.h"

#include "core/base/text.h"
#include "ui/format/qt_text.h"

#include <QStringList>
#include <QTextDocument>

#include <algorithm>

namespace highwater::ui {
namespace {

constexpr qsizetype kMostInTipLine = 100, kFewInTipLine = 70, kMostTipLines = 24;
constexpr qsizetype kLongWord = 48;
constexpr QChar kBreakHere{0x200B}; // zero-width space

bool isHidden(QChar character) { return isHiddenCharacter(character.unicode()); }

/// Uses letters that every font has, unlike pictures such as "␊".
QString substituteFor(QChar character) {
    return QStringLiteral("[U+%1]").arg(character.unicode(), 4, 16, QLatin1Char('0')).toUpper();
}

/// Never splits a surrogate pair.
QString beginOf(const QString& text, qsizetype most) {
    if (text.size() <= most) return text;
    return text.left(most > 0 && text[most - 1].isHighSurrogate() ? most - 1 : most) + QChar(0x2026);
}

/// End of the line: after a space, if there is one close enough to the limit.
qsizetype endOfLine(QStringView rest) {
    if (rest.size() <= kMostInTipLine) return rest.size();
    const auto space = rest.left(kMostInTipLine).lastIndexOf(QLatin1Char(' '));
    if (space >= kFewInTipLine) return space + 1;
    return rest[kMostInTipLine - 1].isHighSurrogate() ? kMostInTipLine - 1 : kMostInTipLine;
}

void addBroken(QStringList& lines, const QString& line) {
    QStringView rest(line);
    do {
        const auto end = endOfLine(rest);
        lines << rest.left(end).toString();
        rest = rest.mid(end);
    } while (!rest.isEmpty() && lines.size() <= kMostTipLines);
}

} // namespace

QString visibleText(const QString& text) {
    const auto* hidden = std::find_if(text.cbegin(), text.cend(), isHidden);
    if (hidden == text.cend()) return text;
    auto visible = text.left(hidden - text.cbegin());
    for (; hidden != text.cend(); ++hidden) {
        if (isHidden(*hidden))
            visible += substituteFor(*hidden);
        else
            visible += *hidden;
    }
    return visible;
}

QString visibleText(std::string_view utf8) { return visibleText(toQString(utf8)); }

// Cuts twice: before, to avoid scanning a megabyte, and after, because substitutes are longer.
QString lineText(const QString& text) { return beginOf(visibleText(beginOf(text, kMostInLine)), kMostInLine); }

QString lineText(std::string_view utf8) {
    constexpr std::size_t kMostBytes = 4 * (kMostInLine + 1); // may end inside a character, which is removed later
    return lineText(toQString(utf8.substr(0, kMostBytes)));
}

QString tooltipText(const QString& text) {
    constexpr auto kMost = kMostTipLines * kMostInTipLine;
    QStringList lines;
    for (const auto& line : beginOf(text, kMost).split(QLatin1Char('\n'))) {
        if (lines.size() > kMostTipLines) break;
        addBroken(lines, visibleText(line));
    }
    if (lines.size() > kMostTipLines) {
        lines.resize(kMostTipLines);
        lines << QChar(0x2026);
    }
    const auto shown = lines.join(QLatin1Char('\n'));
    return Qt::mightBeRichText(shown) ? Qt::convertFromPlainText(shown) : shown;
}

QString menuText(const QString& text) { return lineText(text).replace(QLatin1Char('&'), QLatin1String("&&")); }

QString titleText(const QString& text) { return lineText(text).replace(QLatin1String("[*]"), QLatin1String("[*][*]")); }

QString wrappingText(const QString& text) {
    QString wrapping;
    wrapping.reserve(text.size() + text.size() / kLongWord);
    qsizetype letters = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        letters = text[i].isSpace() ? 0 : letters + 1;
        if (letters > kLongWord && !text[i].isLowSurrogate()) {
            wrapping += kBreakHere;
            letters = 1;
        }
        wrapping += text[i];
    }
    return wrapping;
}

} // namespace highwater::ui
