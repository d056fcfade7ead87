#pragma once

#include <QLineEdit>
#include <QStringList>

class QCompleter;

namespace highwater::ui {

/// An input line for a query: completes column names after a [ and marks errors. GUI thread only.
class QueryField : public QLineEdit {
    Q_OBJECT
  public:
    /// Limit for typed queries; longer ones would be unreadable.
    static constexpr int kLongestText = 4000;

    explicit QueryField(const QStringList& columnNames, QWidget* parent = nullptr);

    /// Underlines these characters, at least one, until the text changes.
    void mark(int position, int length);
    void clearMark();
    [[nodiscard]] QString markedText() const { return marked_; }

  signals:
    void nextWanted();
    void previousWanted();
    void keepWanted();
    void removeWanted();
    void closeWanted();
    void helpWanted();

  protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void connectCompleter();
    void offerNames();
    void takeName(const QString& name);
    /// Position of the [ before the cursor; -1: none.
    [[nodiscard]] qsizetype openBracket() const;
    bool handleEnter(Qt::KeyboardModifiers modifiers);
    void showMark(int position, int length);

    QCompleter* completer_;
    QString marked_;
};

} // namespace highwater::ui
