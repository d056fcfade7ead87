#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace highwater::tests {

/// Runs programs/symbol_server.py as long as the object lives.
class SymbolServer {
  public:
    /// Serves the files below `root`. isRunning() is false when python3 is missing. With a certificate (PEM with its
    /// key) it uses https.
    explicit SymbolServer(const QString& root, const QString& certificate = {});
    ~SymbolServer();

    [[nodiscard]] bool isRunning() const { return port_ != 0; }
    /// "http://127.0.0.1:PORT/ok": `how` is one of the modes that the script lists.
    [[nodiscard]] std::string url(const QString& how) const;
    [[nodiscard]] int port() const { return port_; }
    /// All requests so far: "GET /ok/a.pdb bytes=10-".
    [[nodiscard]] QStringList requests();
    void stop();

  private:
    QProcess process_;
    QStringList requests_;
    int port_ = 0;
    bool isSecure_ = false;
};

} // namespace highwater::tests
