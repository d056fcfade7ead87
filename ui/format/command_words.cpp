#include "ui/format/command_words.h"

#include <QProcess>

#include <algorithm>

namespace highwater::ui {
namespace {

Error unclosed(QChar quote) {
    return {ErrorKind::Usage, QStringLiteral("The arguments contain an unclosed quote (%1).").arg(quote).toStdString()};
}

class PosixWords {
  public:
    explicit PosixWords(const QString& line) : line_(line) {}

    Result<QStringList> read() {
        while (at_ < line_.size()) {
            const auto letter = line_[at_++];
            if (letter.isSpace()) {
                finishWord();
            } else if (letter == QLatin1Char('\'') || letter == QLatin1Char('"')) {
                if (!readQuoted(letter)) return unclosed(letter);
            } else if (letter == QLatin1Char('\\')) {
                if (at_ == line_.size())
                    return Error{ErrorKind::Usage, "The arguments end with a backslash, but no character follows to be "
                                                   "escaped. Write \\\\ for a literal backslash."};
                add(line_[at_++]);
            } else {
                add(letter);
            }
        }
        finishWord();
        return words_;
    }

  private:
    /// Starts after the opening quote. In double quotes, a backslash is literal unless it precedes a quote, a
    /// backslash, $ or `.
    bool readQuoted(QChar quote) {
        isWord_ = true;
        while (at_ < line_.size()) {
            const auto letter = line_[at_++];
            if (letter == quote) return true;
            const bool isEscape = quote == QLatin1Char('"') && letter == QLatin1Char('\\') && at_ < line_.size() &&
                                  QStringLiteral("\"\\$`").contains(line_[at_]);
            add(isEscape ? line_[at_++] : letter);
        }
        return false;
    }
    void add(QChar letter) {
        word_ += letter;
        isWord_ = true;
    }
    void finishWord() {
        if (isWord_) words_ << word_;
        word_.clear();
        isWord_ = false;
    }

    const QString& line_;
    qsizetype at_ = 0;
    QStringList words_;
    QString word_;
    bool isWord_ = false; ///< also true for an empty word in quotes
};

QString posixWord(QString word) {
    const bool isPlain = !word.isEmpty() && std::none_of(word.begin(), word.end(), [](QChar letter) {
        return letter.isSpace() || QStringLiteral("'\"\\").contains(letter);
    });
    if (isPlain) return word;
    return QStringLiteral("'%1'").arg(word.replace(QLatin1Char('\''), QStringLiteral("'\\''")));
}

QString windowsWord(QString word) {
    const bool isPlain = !word.isEmpty() && std::none_of(word.begin(), word.end(), [](QChar letter) {
        return letter.isSpace() || letter == QLatin1Char('"');
    });
    return isPlain ? word : QStringLiteral("\"%1\"").arg(word.replace("\"", "\"\"\""));
}

} // namespace

CommandSyntax ownCommandSyntax() {
#ifdef Q_OS_WIN
    return CommandSyntax::Windows;
#else
    return CommandSyntax::Posix;
#endif
}

Result<QStringList> commandWords(const QString& line, CommandSyntax syntax) {
    if (syntax == CommandSyntax::Posix) return PosixWords(line).read();
    auto quotes = line;
    quotes.remove(QStringLiteral("\"\"\"")); // each means one literal quote
    if (quotes.count(QLatin1Char('"')) % 2 != 0) return unclosed(QLatin1Char('"'));
    return QProcess::splitCommand(line);
}

QString commandLineOf(const QStringList& words, CommandSyntax syntax) {
    QStringList quoted;
    for (const auto& word : words)
        quoted << (syntax == CommandSyntax::Posix ? posixWord(word) : windowsWord(word));
    return quoted.join(QLatin1Char(' '));
}

} // namespace highwater::ui
