#pragma once

#include <QObject>
#include <QString>

namespace highwater::app {

class MainWindow;

/// --screenshot: waits until the window shows all of the trace, saves a picture of it and ends the program: exit code
/// 0, or 2 with a sentence on stderr when the trace cannot be opened or the picture cannot be saved.
class Screenshot : public QObject {
    Q_OBJECT
  public:
    Screenshot(MainWindow& window, QString file, QObject* parent = nullptr);
    /// Without a trace: the start page.
    void takeSoon();

  private:
    void take();
    void fail(const QString& sentence);

    MainWindow& window_;
    QString file_;
    bool taken_ = false;
};

} // namespace highwater::app
