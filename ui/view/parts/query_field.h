#pragma once

#include <QLineEdit>
#include <QStringList>

class QCompleter;

namespace highwater::ui {

/// A line for a query: completes the names of columns behind a [, marks the part that is wrong. GUI thread only.
class QueryField : public QLineEdit {
    Q_OBJECT
  public:
    /// Longer queries are not typed, and would not be read.
    static constexpr int kLongestText = 4000;

    explicit QueryField(const QStringList& columnNames, QWidget* parent = nullptr);

    /// Underlines these characters, at least one; the mark goes when the text changes.
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
    /// Where the [ stands that the cursor is behind; none: -1.
    [[nodiscard]] qsizetype openBracket() const;
    bool handleEnter(Qt::KeyboardModifiers modifiers);
    void showMark(int position, int length);

    QCompleter* completer_;
    QString marked_;
};

} // namespace highwater::ui
